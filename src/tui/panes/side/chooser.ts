import { splitSession } from "../../model/windows/show-session.ts"
import { raise, withoutCommands, withCommands } from "../../model/update-result.ts"
import { chosePane, showTranscript, withoutChooser } from "../../model/windows/window-actions.ts"
import { onItem, type ListHandlers } from "../list/focused-list.ts"
import { nameOf } from "../../model/session-model.ts"
import { isOnScreen } from "../../model/windows/layout-and-focus.ts"
import { PANE_IDS, isPaneId } from "../../screen/layout/tree.ts"
import { lineRow } from "../../text/line-rows.ts"
import type { Look } from "../../screen/style/row.ts"
import { sanitize } from "../../text/sanitize.ts"
import type { Item } from "../../model/list-state.ts"
import type { PaneScene } from "../../model/windows/pane-context.ts"

/** What the new half of a split may show: a pane, a session that is not on screen, or a new session (UI-21). */

const TEXT: Look = { role: "text" }
const QUIET: Look = { role: "subtle" }

const item = (id: string, label: string, about: string, width: number): Item => ({
  id,
  source: label,
  rows: [lineRow([...sanitize(label, "command", { look: TEXT }), { text: `  ${about}`, look: QUIET }], width)]
})

export const chooserItems = ({ model, width }: PaneScene): ReadonlyArray<Item> => [
  item("new", "new session", "", width),
  ...[...model.sessions.values()]
    .filter(({ id }) => !isOnScreen(model, id))
    .map((session) => item(`session:${session.id}`, nameOf(session), "session", width)),
  ...PANE_IDS.filter((pane) => pane !== "prompt" && pane !== "transcript").map((pane) =>
    item(`pane:${pane}`, pane, "pane", width)
  )
]

const choose = onItem(({ model, item }) => {
  const [kind = "", name = ""] = item.id.split(":")
  if (isPaneId(name) && kind === "pane") return raise(chosePane(model, name), { id: "pane:refresh", pane: name })
  const rest = showTranscript(withoutChooser(model))
  if (kind === "session") return withoutCommands(splitSession(rest, name, "row"))
  const waiting = { ...rest, layout: { ...rest.layout, splitNext: "row" as const } }
  return withCommands(waiting, { _tag: "OpenSession", which: { _tag: "New" }, replaces: undefined })
})

export const CHOOSER_HANDLERS: ListHandlers = { "pane:open": choose, "list:openFull": choose }
