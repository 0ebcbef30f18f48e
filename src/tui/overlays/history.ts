import type { IdsOf, OverlayActionId } from "../keymap/actions/action-tables.ts"
import { placeEntry } from "../prompt/recall.ts"
import { withoutCommands, andThen, raise } from "../model/update-result.ts"
import { openOverlay, closeOverlay } from "../model/open-overlay.ts"
import { type HistorySearch, moved, withNextScope, asked } from "../prompt/history-search.ts"
import { type AtOverlay, overlayOf } from "./panel/overlay-spec.ts"
import type { Handler, Handlers } from "../model/action.ts"
import { hintLine } from "../keymap/hint.ts"
import { type AppModel, withCurrent } from "../model/app-model.ts"
import type { Look, Row } from "../screen/style/row.ts"
import { sanitize } from "../text/sanitize.ts"
import { EMPTY_ROW, fieldRow, lineRow, textRows } from "../text/line-rows.ts"
import type { HistoryOverlay } from "../model/overlay.ts"
import type { Panel } from "./panel/panel.ts"

/** Looking for something that was sent before, with a preview of it. */

const PLAIN: Look = { role: "text" }
const CHOSEN: Look = { role: "permission", bold: true }
const QUIET: Look = { role: "subtle" }
const SCOPES = { session: "this session", project: "this project", all: "everything" } as const
const MOST_PREVIEW = 6

const hitRow = (display: string, isChosen: boolean, width: number): Row =>
  lineRow(
    [
      { text: isChosen ? "▸ " : "  ", look: CHOSEN },
      ...sanitize(display.split("\n", 1)[0] ?? "", "command", { look: isChosen ? CHOSEN : PLAIN })
    ],
    width
  )

const listRows = ({ search }: HistoryOverlay, width: number): ReadonlyArray<Row> =>
  search.hits.length === 0
    ? [lineRow([{ text: search.isLoading ? "reading the history" : "nothing matches", look: QUIET }], width)]
    : search.hits.map(({ entry }, index) => hitRow(entry.display, index === search.selected, width))

const previewRows = ({ search }: HistoryOverlay, width: number): ReadonlyArray<Row> => {
  const display = search.hits[search.selected]?.entry.display ?? ""
  return display.includes("\n")
    ? [...textRows(display.split("\n").slice(0, MOST_PREVIEW).join("\n"), width, QUIET), EMPTY_ROW]
    : []
}

const historyPanel = ({ keys: { keymap } }: AppModel, overlay: HistoryOverlay): Panel => {
  const { search } = overlay
  const width = 90
  const label = `search ${SCOPES[search.scope]}:`
  return {
    title: "History",
    tone: "calm",
    width,
    body: (columns) => listRows(overlay, columns),
    top: 0,
    selected: search.selected,
    foot: (columns) => [...previewRows(overlay, columns), fieldRow(label, search.query, columns).row],
    caret: (columns) => ({
      part: "foot",
      row: previewRows(overlay, columns).length,
      column: fieldRow(label, search.query, columns).column
    }),
    hint: hintLine(
      keymap,
      ["HistorySearch"],
      [
        ["historySearch:place", "takes it"],
        ["historySearch:execute", "sends it"],
        ["historySearch:cycleScope", "scope"],
        ["historySearch:dismiss", "cancel"]
      ]
    )
  }
}

const PAGE = 10

type OnHistory = Handler<AtOverlay<HistoryOverlay>>

const withSearch = (model: AppModel, search: HistorySearch): AppModel => openOverlay(model, { _tag: "History", search })

const move =
  (by: number): OnHistory =>
  ({ model, overlay: { search } }) =>
    withoutCommands(withSearch(model, moved(search, by)))

const place: OnHistory = ({ model, overlay: { search } }) => {
  const entry = search.hits[search.selected]?.entry
  if (entry === undefined) return withoutCommands(model)
  return withoutCommands(
    withCurrent(closeOverlay(model), (session) => ({ ...session, prompt: placeEntry(session.prompt, entry, model.now) }))
  )
}

const close: OnHistory = ({ model }) => withoutCommands(closeOverlay(model))

const ON: Handlers<IdsOf<"HistorySearch">, AtOverlay<HistoryOverlay>> = {
  "historySearch:place": place,
  "historySearch:accept": place,
  "historySearch:execute": (at, press) => {
    const placed = place(at, press)
    return placed === undefined
      ? undefined
      : andThen(placed, (next) => raise(next, { id: "action:run", action: "chat:submit" }))
  },
  "historySearch:dismiss": close,
  "historySearch:cancel": close,
  "historySearch:older": move(1),
  "historySearch:next": move(1),
  "historySearch:newer": move(-1),
  "historySearch:pageDown": move(PAGE),
  "historySearch:pageUp": move(-PAGE),
  "historySearch:cycleScope": ({ model, overlay: { search } }) => withoutCommands(withSearch(model, withNextScope(search)))
}
const OWN: Partial<Handlers<OverlayActionId, AtOverlay<HistoryOverlay>>> = ON

export const HISTORY_OVERLAY = overlayOf("History", {
  contexts: () => ["HistorySearch"],
  leave: "historySearch:dismiss",
  act: (at, id, press) => OWN[id]?.(at, press),
  panel: historyPanel,
  field: (model, { search }) => ({
    value: search.query,
    put: (query) => withSearch(model, asked(search, query))
  })
})
