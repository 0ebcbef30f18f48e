import { hostOf, parseUrl } from "../../../core/domain/net/host.ts"
import type { Ask, SessionModel } from "../session-model.ts"
import type { UiOptions } from "../ui-options.ts"
import { fieldsOf, textField, type Fields } from "../../transcript/fields.ts"
import { type DiffOptions, rowsOfHunk } from "../../text/diff/diff-rows.ts"
import { type DiffHunk, type FileDiff, fileDiff } from "../../text/diff/diff-source.ts"
import { pairsIn } from "../../text/diff/word-marks.ts"
import { languageNamed } from "../../text/code/language-names.ts"
import { NO_COLOURING, paintLine } from "../../text/code/paint.ts"
import type { Look, Row, Span } from "../../screen/style/row.ts"
import { rowsOfLine } from "../../text/rows.ts"
import { shortPath } from "../../text/short-path.ts"
import { textRows } from "../../text/line-rows.ts"

/** What a call would do, exactly: the whole command, the real change, the full address. Nothing invisible is left out. */

const CODE: Look = { role: "code" }
const HOST: Look = { role: "warning", bold: true }
const QUIET: Look = { role: "subtle" }
const MARK: Look = { role: "control" }

/** Blanks at the end of a line, which nobody would see. */
const trailingMarks = (line: string): ReadonlyArray<Span> => {
  const blanks = /[ \t]*$/.exec(line)?.[0] ?? ""
  return blanks === "" ? [] : [{ text: blanks.replaceAll(" ", "·").replaceAll("\t", "→"), look: MARK }]
}

const commandRows = (command: string, width: number): ReadonlyArray<Row> => {
  let colouring = { ...NO_COLOURING, language: languageNamed("bash") }
  return command.split("\n").flatMap((line) => {
    const text = line.replace(/[ \t]*$/, "")
    const painted = paintLine(text, { look: CODE, at: 0, colouring, kind: "command" })
    colouring = { ...colouring, ...painted.colouring }
    return rowsOfLine([...painted.pieces, ...trailingMarks(line)], { start: 0, end: 0 }, { width })
  })
}

const otherFields = (fields: Fields, shown: ReadonlyArray<string>, width: number): ReadonlyArray<Row> =>
  Object.entries(fields)
    .filter(([name, value]) => !shown.includes(name) && value !== undefined)
    .flatMap(([name, value]) =>
      textRows(`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`, width, QUIET, "command")
    )

const urlRows = (url: string, width: number): ReadonlyArray<Row> => {
  const parsed = parseUrl(url)
  const host = parsed === undefined ? "" : hostOf(parsed)
  return [
    ...textRows(url, width, CODE, "command"),
    ...(host === "" ? [] : textRows(`host: ${host}`, width, HOST, "command"))
  ]
}

/** The change that a call would make to a file; undefined for other calls. */
const diffOf = ({ question, preview }: Ask, cwd: string): FileDiff | undefined => {
  const fields = fieldsOf(question.input)
  const path = shortPath(textField(fields, "file_path", "notebook_path"), cwd)
  if (question.tool === "Write") return fileDiff(path, preview?.before ?? "", textField(fields, "content"))
  if (question.tool !== "Edit") return undefined
  return preview === undefined
    ? fileDiff(path, textField(fields, "old_string"), textField(fields, "new_string"))
    : fileDiff(path, preview.before ?? "", preview.after ?? "")
}

const compared = new WeakMap<Ask, FileDiff | undefined>()

/** Two texts are compared once for each question, however often it is drawn. */
export const changeOf = (ask: Ask, { cwd }: SessionModel): FileDiff | undefined => {
  if (!compared.has(ask)) compared.set(ask, diffOf(ask, cwd))
  return compared.get(ask)
}

export const countLines = ({ hunks }: FileDiff, sign: "+" | "-"): number =>
  hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0)

/** A change in rows: where it begins to differ, and how many lines were not made into rows. */
export interface CallRows {
  readonly rows: ReadonlyArray<Row>
  readonly from: number
  readonly beyond: number
}

/** More lines than the highest screen shows are not laid out for a panel. */
const MOST_LINES = 200

/** Of a longer change a panel would show only what goes. */
const MOST_IN_ORDER = 10

/** Each changed line right above what becomes of it, so that the beginning of a long change shows both. */
const paired = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const pairs = pairsIn(lines)
  return lines.flatMap((line, index) => {
    const partner = pairs.get(index)
    if (partner === undefined) return [line]
    return partner < index ? [] : [line, lines[partner] ?? ""]
  })
}

/** The hunk without what the panel has no room for. */
const headOf = (hunk: DiffHunk, most: number): DiffHunk => {
  const isLong = hunk.lines.filter((line) => !line.startsWith(" ")).length > MOST_IN_ORDER
  return { ...hunk, lines: (isLong ? paired(hunk.lines) : hunk.lines).slice(0, most) }
}

/** The rows of the first hunk have no header: the title names the file, and its lines have numbers. */
const changeRows = (diff: FileDiff, options: DiffOptions): CallRows => {
  const [first] = diff.hunks
  if (first === undefined) return { rows: textRows("Nothing would change.", options.width, QUIET), from: 0, beyond: 0 }
  const rows: Array<Row> = []
  let left = MOST_LINES
  let beyond = 0
  for (const hunk of diff.hunks) {
    const head = headOf(hunk, left)
    beyond += hunk.lines.length - head.lines.length
    if (head.lines.length > 0) rows.push(...rowsOfHunk(diff, head, options).slice(hunk === first ? 1 : 0))
    left -= head.lines.length
  }
  const same = first.lines.findIndex((line) => !line.startsWith(" "))
  const before = same < 0 ? 0 : rowsOfHunk(diff, headOf(first, same), options).length - 1
  return { rows, from: Math.max(0, before - 1), beyond }
}

const laidOut = new WeakMap<Ask, { readonly width: number; readonly options: UiOptions; readonly rows: CallRows }>()

/** What would happen, the whole of it as far as a screen can hold it. */
export const callRows = (ask: Ask, session: SessionModel, at: { width: number; options: UiOptions }): CallRows => {
  const known = laidOut.get(ask)
  if (known?.width === at.width && known.options === at.options) return known.rows
  const rows = rowsOfCall(ask, session, at)
  laidOut.set(ask, { ...at, rows })
  return rows
}

const rowsOfCall = (
  ask: Ask,
  session: SessionModel,
  { width, options }: { width: number; options: UiOptions }
): CallRows => {
  const { question } = ask
  const fields = fieldsOf(question.input)
  const change = changeOf(ask, session)
  if (change !== undefined) {
    const { glyphs, highlight, tabWidth } = options
    const { rows, ...rest } = changeRows(change, { width, glyphs, highlight, tabWidth, codeWrap: true, scroll: 0 })
    const shown = ["file_path", "old_string", "new_string", ...(question.tool === "Write" ? ["content"] : [])]
    return { rows: [...otherFields(fields, shown, width), ...rows], ...rest }
  }
  return { rows: plainRows(ask, fields, width), from: 0, beyond: 0 }
}

const plainRows = ({ question }: Ask, fields: Fields, width: number): ReadonlyArray<Row> => {
  switch (question.tool) {
    case "Bash":
      return [
        ...commandRows(textField(fields, "command"), width),
        ...(textField(fields, "description") === "" ? [] : textRows(textField(fields, "description"), width, QUIET)),
        ...otherFields(fields, ["command", "description"], width)
      ]
    case "WebFetch":
      return [...urlRows(textField(fields, "url"), width), ...otherFields(fields, ["url"], width)]
    default:
      return Object.keys(fields).length === 0
        ? textRows(question.summary, width, CODE, "command")
        : otherFields(fields, [], width)
  }
}
