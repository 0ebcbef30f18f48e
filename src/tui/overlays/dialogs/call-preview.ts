import { hostOf, parseUrl } from "../../../core/domain/net/host.ts"
import type { Ask, SessionModel } from "../../model/session-model.ts"
import { fieldsOf, textField, type Fields } from "../../transcript/fields.ts"
import { diffRows, type DiffOptions } from "../../text/diff/diff-rows.ts"
import { fileDiff } from "../../text/diff/diff-source.ts"
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

const diffOptions = (width: number): DiffOptions => ({
  width,
  glyphs: "unicode",
  highlight: true,
  tabWidth: 4,
  codeWrap: true,
  scroll: 0
})

const changeRows = (
  path: string,
  sides: { readonly before: string; readonly after: string },
  width: number
): ReadonlyArray<Row> => diffRows(fileDiff(path, sides.before, sides.after), diffOptions(width))

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

/** The rows between the title and the reason. */
export const previewRows = ({ question, preview }: Ask, session: SessionModel, width: number): ReadonlyArray<Row> => {
  const fields = fieldsOf(question.input)
  const path = shortPath(textField(fields, "file_path", "notebook_path"), session.cwd)
  switch (question.tool) {
    case "Bash":
      return [
        ...commandRows(textField(fields, "command"), width),
        ...(textField(fields, "description") === "" ? [] : textRows(textField(fields, "description"), width, QUIET)),
        ...otherFields(fields, ["command", "description"], width)
      ]
    case "Edit":
      return [
        ...(preview === undefined
          ? changeRows(path, { before: textField(fields, "old_string"), after: textField(fields, "new_string") }, width)
          : changeRows(path, { before: preview.before ?? "", after: preview.after ?? "" }, width)),
        ...otherFields(fields, ["file_path", "old_string", "new_string"], width)
      ]
    case "Write":
      return changeRows(path, { before: preview?.before ?? "", after: textField(fields, "content") }, width)
    case "WebFetch":
      return [...urlRows(textField(fields, "url"), width), ...otherFields(fields, ["url"], width)]
    default:
      return Object.keys(fields).length === 0
        ? textRows(question.summary, width, CODE, "command")
        : otherFields(fields, [], width)
  }
}
