import { Result } from "effect"
import { elementSpans, memberSpan } from "./json-spans.ts"
import { cellIdAt, findCell, joinLines, type Notebook, parseNotebook } from "./notebook.ts"
import type { Span } from "./replace.ts"

/** One change of a notebook's cells. Only the cell in question is rewritten; the rest of the text stays as it is. */
export interface CellChange {
  readonly mode: "replace" | "insert" | "delete"
  readonly cellId?: string | undefined
  readonly source: string
  readonly cellType?: "code" | "markdown" | undefined
  /** Id for an inserted cell, where the format has ids. */
  readonly newId: string
}

export interface ChangedNotebook {
  readonly text: string
  readonly cellId: string
  readonly cellType: "code" | "markdown"
  readonly oldSource?: string
}

type RawCell = Readonly<Record<string, unknown>>

/** Indentation of the file: its first indented line, one blank by default, none for a file on one line. */
const indentOf = (text: string): string => {
  if (!text.trim().includes("\n")) return ""
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? " "
}

/** Jupyter keeps a source as lines that hold their own newline. */
const sourceLike = (model: unknown, source: string): string | ReadonlyArray<string> =>
  typeof model === "string" ? source : (source.match(/[^\n]*\n|[^\n]+$/g) ?? [])

const layout = (text: string, cell: RawCell): string => {
  const indent = indentOf(text)
  return JSON.stringify(cell, null, indent).replaceAll("\n", `\n${indent}${indent}`)
}

const breakTo = (text: string, depth: number): string => {
  const indent = indentOf(text)
  return indent === "" ? "" : `\n${indent.repeat(depth)}`
}

const splice = (text: string, span: Span, replacement: string): string =>
  text.slice(0, span.start) + replacement + text.slice(span.end)

const replacedCell = (raw: RawCell, source: string, type: "code" | "markdown"): RawCell => {
  const { outputs: _outputs, execution_count: _count, ...kept } = raw
  const cell = { ...(type === "code" ? raw : kept), cell_type: type, source: sourceLike(raw["source"], source) }
  return type === "code" ? { ...cell, execution_count: null, outputs: [] } : cell
}

const newCell = (notebook: Notebook, change: CellChange, type: "code" | "markdown"): RawCell => {
  const hasIds = (notebook.nbformat ?? 4) > 4 || (notebook.nbformat === 4 && (notebook.nbformat_minor ?? 0) >= 5)
  return {
    cell_type: type,
    ...(type === "code" ? { execution_count: null } : {}),
    ...(hasIds ? { id: change.newId } : {}),
    metadata: {},
    ...(type === "code" ? { outputs: [] } : {}),
    source: sourceLike([], change.source)
  }
}

const insertCell = (text: string, array: Span, after: number | undefined, cell: string): string => {
  const spans = elementSpans(text, array)
  const first = spans[0]
  if (first === undefined) return splice(text, array, `[${breakTo(text, 2)}${cell}${breakTo(text, 1)}]`)
  if (after === undefined) return splice(text, { start: first.start, end: first.start }, `${cell},${breakTo(text, 2)}`)
  const at = spans[after]?.end ?? first.start
  return splice(text, { start: at, end: at }, `,${breakTo(text, 2)}${cell}`)
}

const deleteCell = (text: string, array: Span, index: number): string => {
  const spans = elementSpans(text, array)
  const cell = spans[index]
  const next = spans[index + 1]
  const previous = spans[index - 1]
  if (cell === undefined) return text
  if (next !== undefined) return splice(text, { start: cell.start, end: next.start }, "")
  return previous === undefined ? splice(text, array, "[]") : splice(text, { start: previous.end, end: cell.end }, "")
}

const typeOf = (notebook: Notebook, index: number, wanted: CellChange["cellType"]): "code" | "markdown" =>
  wanted ?? (notebook.cells[index]?.cell_type === "code" ? "code" : "markdown")

const noSuchCell = (notebook: Notebook, id: string): string => {
  const ids = notebook.cells.slice(0, 20).map((_, index) => cellIdAt(notebook, index))
  const rest = notebook.cells.length - ids.length
  const known = `${ids.join(", ") || "none"}${rest > 0 ? ` and ${rest} more` : ""}`
  return `CellNotFound: no cell ${JSON.stringify(id)}. Cells: ${known}. Nothing was written.`
}

const changeExisting = (
  notebook: Notebook,
  text: string,
  change: CellChange & { readonly cellId: string }
): Result.Result<ChangedNotebook, string> => {
  const array = memberSpan(text, "cells")
  const index = findCell(notebook, change.cellId)
  const span = array === undefined || index === undefined ? undefined : elementSpans(text, array)[index]
  if (array === undefined || index === undefined || span === undefined) {
    return Result.fail(noSuchCell(notebook, change.cellId))
  }
  const cellType = typeOf(notebook, index, change.cellType)
  const known = {
    cellId: cellIdAt(notebook, index),
    cellType,
    oldSource: joinLines(notebook.cells[index]?.source ?? "")
  }
  if (change.mode === "delete") return Result.succeed({ ...known, text: deleteCell(text, array, index) })
  const raw = JSON.parse(text.slice(span.start, span.end)) as RawCell
  const cell = replacedCell(raw, change.source, cellType)
  return Result.succeed({ ...known, text: splice(text, span, layout(text, cell)) })
}

const insert = (notebook: Notebook, text: string, change: CellChange): Result.Result<ChangedNotebook, string> => {
  const array = memberSpan(text, "cells")
  const after = change.cellId === undefined ? undefined : findCell(notebook, change.cellId)
  if (change.cellId !== undefined && after === undefined) return Result.fail(noSuchCell(notebook, change.cellId))
  if (array === undefined || change.cellType === undefined) {
    return Result.fail("InvalidInput: cell_type is required for edit_mode insert. Nothing was written.")
  }
  const cell = newCell(notebook, change, change.cellType)
  const cellId = "id" in cell ? change.newId : `cell-${after === undefined ? 0 : after + 1}`
  return Result.succeed({
    text: insertCell(text, array, after, layout(text, cell)),
    cellId,
    cellType: change.cellType
  })
}

/** The notebook's text after a change, or why it cannot be made. The text has LF line ends. */
export const changeNotebook = (text: string, change: CellChange): Result.Result<ChangedNotebook, string> => {
  const parsed = parseNotebook(text)
  if (Result.isFailure(parsed)) {
    return Result.fail(`InvalidNotebook: the file is not a notebook: ${parsed.failure}. Nothing was written.`)
  }
  if (change.mode === "insert") return insert(parsed.success, text, change)
  if (change.cellId === undefined) {
    return Result.fail(`InvalidInput: cell_id is required for edit_mode ${change.mode}. Nothing was written.`)
  }
  return changeExisting(parsed.success, text, { ...change, cellId: change.cellId })
}
