import type { SummaryPart } from "../../../core/context/reduction/reduction.ts"
import type { ContextUsage } from "../../../core/context/usage/context-usage.ts"
import { pathOf, uuidOf } from "../../../core/context/usage/item.ts"
import { toArray } from "../../../core/domain/append-list.ts"
import { countText } from "../../../core/domain/text/count-text.ts"
import type { Handler } from "../../model/action.ts"
import { confirmOverlay } from "../../model/confirm.ts"
import { goToEntry } from "../../model/conversation/go-to-entry.ts"
import type { Item } from "../../model/list-state.ts"
import { openOverlay } from "../../model/open-overlay.ts"
import type { ConfirmAction } from "../../model/overlay.ts"
import { togglePin } from "../../model/undoable-actions.ts"
import { notify, type Update, withCommands, withoutCommands } from "../../model/update-result.ts"
import { absolutePath } from "../../text/absolute-path.ts"
import { plural } from "../../transcript/number-format.ts"
import * as Vector from "../../transcript/vector.ts"
import { type FocusedList, type ListHandlers, onItem } from "../list/focused-list.ts"
import { toggleFold } from "../list/list-actions.ts"
import { findingOf, knownUsage, pieceOf, recordOfItem } from "./context-window.ts"

/** What can be done about what fills the window. Each says what it frees before it is done. */

type At = FocusedList & { readonly item: Item }

const ask = (
  { model }: Pick<FocusedList, "model">,
  action: ConfirmAction,
  words: { question: string; yes: string }
): Update => withoutCommands(openOverlay(model, confirmOverlay(action, { ...words, no: "Leave it as it is" })))

const STAYS = "All of it stays in the transcript, and /compact undo brings it back."

const sumWhere = ({ categories }: ContextUsage, isCounted: (uuid: string) => boolean): number =>
  categories
    .flatMap(({ items }) => items)
    .filter((item) => !item.pinned && isCounted(uuidOf(item) ?? ""))
    .reduce((sum, { tokens }) => sum + tokens, 0)

const askToCompact = (at: FocusedList): Update => {
  const { usedTokens, windowTokens } = knownUsage(at.session.state).status
  const size = `${countText(usedTokens)} of ${countText(windowTokens)} tokens are used.`
  return ask(
    at,
    { _tag: "Compact", session: at.session.id },
    { question: `Summarise the conversation so far? ${size} ${STAYS}`, yes: "Summarise it" }
  )
}

/** A summary of one side of the selected message. */
const askToCompactPart = (at: At, side: "UpTo" | "From"): Update => {
  const { session } = at
  const uuid = recordOfItem(at.item)
  if (uuid === undefined) return withoutCommands(notify(at.model, "no message is selected"))
  const uuids = toArray(session.state.conversation.messages).map((message) => message.uuid)
  const place = uuids.lastIndexOf(uuid)
  const going = new Set(side === "UpTo" ? uuids.slice(0, place) : uuids.slice(place))
  const frees = countText(sumWhere(knownUsage(session.state), (each) => going.has(each)))
  const part: SummaryPart = { _tag: side, uuid }
  const what = side === "UpTo" ? "what stands before this message" : "this message and all that follows"
  return ask(
    at,
    { _tag: "Compact", session: session.id, part },
    { question: `Summarise ${what}? Up to ${frees} tokens become a summary. ${STAYS}`, yes: "Summarise it" }
  )
}

/** The results that an item stands for: one, or those that a finding names. */
const resultsOf = ({ item, session }: At) => {
  const usage = knownUsage(session.state)
  const finding = findingOf(item, usage)
  if (finding?.calls !== undefined) return { calls: finding.calls, tokens: finding.freesTokens ?? 0 }
  const piece = pieceOf(item, usage)
  return piece?.category === "tool_results" && piece.call !== undefined
    ? { calls: [piece.call], tokens: piece.tokens }
    : undefined
}

const askToClear = (at: At): Update => {
  const found = resultsOf(at)
  if (found === undefined) return withoutCommands(notify(at.model, "no result of a tool is selected"))
  const { calls, tokens } = found
  const words = `Clear ${plural(calls.length, "result")}? That frees about ${countText(tokens)} tokens.`
  return ask(
    at,
    { _tag: "ClearResults", session: at.session.id, calls },
    { question: `${words} The model can call the tool again; the transcript keeps it.`, yes: "Clear" }
  )
}

const goToRecord = onItem(({ model, session, item }) => {
  const record = recordOfItem(item)
  if (record === undefined) return undefined
  const { entries } = session.transcript
  const entry = Vector.get(
    entries,
    Vector.findLastIndex(entries, ({ uuid }) => uuid === record)
  )
  return withoutCommands(entry === undefined ? notify(model, "it is not in the transcript") : goToEntry(model, entry.id))
})

/** A message is gone to; a category opens or closes. */
const open: Handler<FocusedList> = (at, press) =>
  goToRecord(at, press) ?? (at.item?.fold === undefined ? undefined : toggleFold(at, press))

const openFile = onItem(({ model, session, item }) => {
  const piece = pieceOf(item, knownUsage(session.state))
  const path = piece === undefined ? undefined : pathOf(piece)
  return path === undefined
    ? withoutCommands(notify(model, "no file is selected"))
    : withCommands(model, { _tag: "OpenFile", path: absolutePath(path, session.cwd), line: undefined })
})

export const CONTEXT_HANDLERS: ListHandlers = {
  "pane:open": open,
  "list:openFull": open,
  "pane:goToCall": goToRecord,
  "list:edit": openFile,
  "list:compact": askToCompact,
  "list:compactBefore": onItem((at) => askToCompactPart(at, "UpTo")),
  "list:compactFrom": onItem((at) => askToCompactPart(at, "From")),
  "list:clear": onItem(askToClear),
  "list:pin": onItem(({ model, session, item }) => togglePin(model, session, recordOfItem(item)))
}
