import { fieldOf } from "../editor/field.ts"
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

export const historyPanel = (overlay: HistoryOverlay): Panel => {
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
    foot: (columns) => [...previewRows(overlay, columns), fieldRow(label, fieldOf(search.query), columns).row],
    caret: (columns) => ({
      part: "foot",
      row: previewRows(overlay, columns).length,
      column: fieldRow(label, fieldOf(search.query), columns).column
    }),
    hint: "Enter takes it · ctrl+s scope · Esc cancel"
  }
}
