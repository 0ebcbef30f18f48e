import { statusOf } from "../../core/loop/turn/send-request.ts"
import { isPaneId } from "../screen/layout/tree.ts"
import { recordOfItem } from "./side/context-window.ts"
import { LIST_ACTIONS } from "./list/list-actions.ts"
import { entryOfItem } from "./side/output.ts"
import type { Item } from "../model/list-state.ts"
import { countText } from "../transcript/number-format.ts"
import { touchedFiles } from "../transcript/entries/select.ts"
import * as Vector from "../transcript/vector.ts"
import { absolutePath } from "../text/absolute-path.ts"
import { askId } from "../model/asks.ts"
import { doing, notify, only, type Update } from "../model/update-result.ts"
import { confirmOverlay } from "../model/confirm.ts"
import { withList } from "./list/focused-list.ts"
import { focusedList } from "./focused-list.ts"
import { goToEntry } from "../model/conversation/go-to-entry.ts"
import { freshFor } from "../model/windows/pane-refresh.ts"
import { insertIntoPrompt } from "../model/prompt/insert-into-prompt.ts"
import type { AppModel } from "../model/app-model.ts"
import { openOverlay } from "../model/open-overlay.ts"
import { togglePin } from "./transcript/pin.ts"
import type { SessionModel } from "../model/session-model.ts"
import { showSession, splitSession } from "../model/windows/show-session.ts"
import { typeInPrompt } from "./prompt/type-in-prompt.ts"
import { chosePane, showTranscript, withoutChooser } from "../model/windows/window-actions.ts"

/** What can be done with an item of the smaller list panes: files, context, sessions, approvals, output, chooser. */

export interface ItemKey {
  readonly action: string
  readonly item: Item
  readonly session: SessionModel
}

type ItemKeys = (model: AppModel, key: ItemKey) => Update | undefined

const isOpening = (action: string): boolean => action === "pane:open" || action === "list:openFull"

const onFile: ItemKeys = (model, { action, item, session }) => {
  const path = item.source
  switch (action) {
    case "pane:open":
    case "list:openFull":
      return doing(model, { _tag: "ShowFile", session: session.id, path: absolutePath(path, session.cwd) })
    case "list:edit":
      return doing(model, { _tag: "OpenFile", path: absolutePath(path, session.cwd), line: undefined })
    case "list:mention":
      return typeInPrompt(insertIntoPrompt(model, `@${path} `), "here")
    case "pane:goToCall": {
      const entry = touchedFiles(session.transcript).find((each) => each.path === path)?.entryId
      return only(entry === undefined ? model : goToEntry(model, entry))
    }
    default:
      return undefined
  }
}

/** The answers to it are paid for, so it is asked about; what it would free is said before. */
const askToCompact = (model: AppModel, { id, state }: SessionModel): Update => {
  const { usedTokens, windowTokens } = statusOf(state)
  const size = `${countText(usedTokens)} of ${countText(windowTokens)} tokens are used.`
  return only(
    openOverlay(
      model,
      confirmOverlay(
        { _tag: "Compact", session: id },
        {
          question: `Summarise the conversation so far? ${size} All of it stays in the transcript, and u on the boundary opens it as it was.`,
          yes: "Summarise it",
          no: "Leave it as it is"
        }
      )
    )
  )
}

const onContext: ItemKeys = (model, { action, item, session }) => {
  if (action === "list:compact") return askToCompact(model, session)
  const record = recordOfItem(item)
  if (action === "list:pin") return togglePin(model, session, record)
  if (record !== undefined && (isOpening(action) || action === "pane:goToCall")) {
    const place = Vector.findLastIndex(session.transcript.entries, ({ uuid }) => uuid === record)
    const entry = Vector.get(session.transcript.entries, place)
    return only(entry === undefined ? notify(model, "it is not in the transcript") : goToEntry(model, entry.id))
  }
  if (!isOpening(action) || item.fold === undefined) return undefined
  const toggle = LIST_ACTIONS["pane:foldToggle"]
  const focused = focusedList(model)
  if (toggle === undefined || focused === undefined) return undefined
  const request = { count: undefined, argument: "" }
  return only(withList(model, focused.pane, toggle(focused.list, request, focused.context).list))
}

const onSession: ItemKeys = (model, { action, item }) => {
  if (action === "pane:open") return typeInPrompt(showSession(model, item.id), "here")
  return action === "list:openFull" ? only(splitSession(model, item.id, "row")) : undefined
}

/** The dialog opens; nothing is ever answered from the list. */
const onApproval: ItemKeys = (model, { action, item }) => {
  if (action !== "approvals:open" && !isOpening(action)) return undefined
  const [session = "", callId = ""] = item.id.split("/")
  return only({
    ...model,
    overlays: {
      ...model.overlays,
      summoned: true,
      shown: askId(session, callId),
      shownSince: model.now,
      keyboard: "asked"
    }
  })
}

const onOutput: ItemKeys = (model, { action, item, session }) => {
  const match = entryOfItem(item)
  if (match !== undefined && (isOpening(action) || action === "pane:goToCall")) return only(goToEntry(model, match))
  if (action !== "pane:goToCall") return undefined
  return only(
    session.outputOf?._tag === "Entry" ? goToEntry(model, session.outputOf.id) : notify(model, "this text came from no call")
  )
}

const onChooser: ItemKeys = (model, { action, item }) => {
  if (!isOpening(action)) return undefined
  const [kind = "", name = ""] = item.id.split(":")
  if (isPaneId(name) && kind === "pane") return [chosePane(model, name), freshFor(model, name)]
  const rest = showTranscript(withoutChooser(model))
  if (kind === "session") return only(splitSession(rest, name, "row"))
  const waiting = { ...rest, layout: { ...rest.layout, splitNext: "row" as const } }
  return doing(waiting, { _tag: "OpenSession", which: { _tag: "New" }, replaces: undefined })
}

export const ITEM_KEYS: Readonly<Record<string, ItemKeys>> = {
  files: onFile,
  context: onContext,
  sessions: onSession,
  approvals: onApproval,
  output: onOutput,
  chooser: onChooser
}
