/** What is written above and between the finished entries of sessions. */
import type { AppModel } from "../../model/app-model.ts"
import { nameOf, type SessionModel } from "../../model/session-model.ts"
import { welcomeLines } from "../../panes/chrome/welcome.ts"
import { lineRow, textRows } from "../../text/line-rows.ts"
import type { Look, Row } from "../../screen/style/row.ts"
import { sanitize } from "../../text/sanitize.ts"
import type { Unwritten } from "../../terminal/surface/scrollback.ts"

const QUIET: Look = { role: "subtle" }
const RULE: Look = { role: "paneBorder" }
const WARNING: Look = { role: "warning" }

const quietRow = (text: string, width: number, look: Look = QUIET): Row =>
  lineRow(sanitize(text, "command", { look }), width)

const titleRow = (session: SessionModel, width: number): Row => {
  const name = sanitize(nameOf(session), "command", { look: QUIET })
  return lineRow([{ text: "── ", look: RULE }, ...name, { text: " ──", look: RULE }], width)
}

const welcomeRows = (model: AppModel, session: SessionModel): ReadonlyArray<Row> =>
  [...welcomeLines(model, session), ""].flatMap((line) => textRows(line, model.size.columns, QUIET))

const goneText = (count: number): string =>
  count === 1
    ? "(the message above did not count and was sent again)"
    : `(the ${count} messages above did not count and were sent again)`

/** The rows before the first entry that is written now. */
export const openingRows = (model: AppModel, session: SessionModel, unwritten: Unwritten): ReadonlyArray<Row> => {
  const width = model.size.columns
  const { begins, entries, skipped, withdrawn, scrollback } = unwritten
  const isAlone = begins === "first" && scrollback.sessions.size === 1
  const isNew = begins === "first" && entries.length === 0
  return [
    ...(begins === undefined || isAlone ? [] : [quietRow("", width), titleRow(session, width)]),
    ...(isNew ? welcomeRows(model, session) : []),
    ...(skipped === 0 ? [] : [quietRow(`… ${skipped} earlier messages (ctrl+o shows them)`, width)]),
    ...(withdrawn === 0 ? [] : [quietRow(goneText(withdrawn), width, WARNING)])
  ]
}
