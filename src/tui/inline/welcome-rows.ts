/** What is written above and between the finished entries of sessions. */
import type { AppModel } from "../app/model.ts"
import { nameOf, type SessionModel } from "../app/session-model.ts"
import { welcomeLines } from "../app/welcome.ts"
import { lineRow, textRows } from "../overlays/option-rows.ts"
import type { Look, Row } from "../text/row.ts"
import { sanitize } from "../text/sanitize.ts"
import type { Unwritten } from "./scrollback.ts"

const QUIET: Look = { role: "subtle" }
const RULE: Look = { role: "paneBorder" }
const WARNING: Look = { role: "warning" }

const quietRow = (text: string, width: number, look: Look = QUIET): Row => lineRow(sanitize(text, "command", { look }), width)

const titleRow = (session: SessionModel, width: number): Row =>
  lineRow([{ text: "── ", look: RULE }, ...sanitize(nameOf(session), "command", { look: QUIET }), { text: " ──", look: RULE }], width)

/** The rows before the first entry that is written now. */
export const openingRows = (model: AppModel, session: SessionModel, unwritten: Unwritten): ReadonlyArray<Row> => {
  const width = model.size.columns
  const { begins, entries, skipped, withdrawn } = unwritten
  const isFirst = unwritten.scrollback.sessions.size === 1
  const title = begins === undefined || (begins === "first" && isFirst) ? [] : [quietRow("", width), titleRow(session, width)]
  const welcome = begins === "first" && entries.length === 0 ? [...welcomeLines(model, session), ""].flatMap((line) => textRows(line, width, QUIET)) : []
  const missing = skipped === 0 ? [] : [quietRow(`… ${skipped} earlier messages (ctrl+o shows them)`, width)]
  const gone = withdrawn === 0 ? [] : [quietRow(`(${withdrawn === 1 ? "the message" : `${withdrawn} messages`} above did not count and ${withdrawn === 1 ? "was" : "were"} sent again)`, width, WARNING)]
  return [...title, ...welcome, ...missing, ...gone]
}
