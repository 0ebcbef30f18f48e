import { Result } from "effect"
import { type JsonNode, readJson } from "../../domain/json/positioned-json.ts"
import { cellIdAt, findCell, joinLines, type Notebook, parseNotebook } from "./notebook.ts"

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

type CellList = JsonNode & { readonly kind: "array" }

/** The list of cells with its place and theirs; the last one of that name counts, as in JSON.parse. */
const cellsIn = (text: string): CellList | undefined => {
  const reading = readJson(text)
  const members = reading._tag === "Read" && reading.node.kind === "object" ? reading.node.members : []
  const cells = members.findLast(({ key }) => key === "cells")?.value
  return cells?.kind === "array" ? cells : undefined
}

const splice = (text: string, from: number, to: number, replacement: string): string =>
  text.slice(0, from) + replacement + text.slice(to)

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

const insertCell = (text: string, { at, end, items }: CellList, after: number | undefined, cell: string): string => {
  const [first] = items
  if (first === undefined) return splice(text, at, end, `[${breakTo(text, 2)}${cell}${breakTo(text, 1)}]`)
  if (after === undefined) return splice(text, first.at, first.at, `${cell},${breakTo(text, 2)}`)
  const place = items[after]?.end ?? first.at
  return splice(text, place, place, `,${breakTo(text, 2)}${cell}`)
}

const deleteCell = (text: string, { at, end, items }: CellList, index: number): string => {
  const cell = items[index]
  const next = items[index + 1]
  const previous = items[index - 1]
  if (cell === undefined) return text
  if (next !== undefined) return splice(text, cell.at, next.at, "")
  return previous === undefined ? splice(text, at, end, "[]") : splice(text, previous.end, cell.end, "")
}

const typeOf = (notebook: Notebook, index: number, wanted: CellChange["cellType"]): "code" | "markdown" =>
  wanted ?? (notebook.cells[index]?.cell_type === "code" ? "code" : "markdown")

const noSuchCell = (notebook: Notebook, id: string): string => {
  const ids = notebook.cells.slice(0, 20).map((_, index) => cellIdAt(notebook, index))
  const rest = notebook.cells.length - ids.length
  const known = `${ids.join(", ") || "none"}${rest > 0 ? ` and ${rest} more` : ""}`
  return `CellNotFound: no cell ${JSON.stringify(id)}. Cells: ${known}. Nothing was written.`
}

/** What is changed: the text, what it says, and where its cells stand. */
interface Opened {
  readonly text: string
  readonly notebook: Notebook
  readonly cells: CellList
}

const changeExisting = (
  { text, notebook, cells }: Opened,
  change: CellChange & { readonly cellId: string }
): Result.Result<ChangedNotebook, string> => {
  const index = findCell(notebook, change.cellId)
  const place = index === undefined ? undefined : cells.items[index]
  if (index === undefined || place === undefined) return Result.fail(noSuchCell(notebook, change.cellId))
  const cellType = typeOf(notebook, index, change.cellType)
  const known = {
    cellId: cellIdAt(notebook, index),
    cellType,
    oldSource: joinLines(notebook.cells[index]?.source ?? "")
  }
  if (change.mode === "delete") return Result.succeed({ ...known, text: deleteCell(text, cells, index) })
  const raw = JSON.parse(text.slice(place.at, place.end)) as RawCell
  const cell = replacedCell(raw, change.source, cellType)
  return Result.succeed({ ...known, text: splice(text, place.at, place.end, layout(text, cell)) })
}

const insert = ({ text, notebook, cells }: Opened, change: CellChange): Result.Result<ChangedNotebook, string> => {
  const after = change.cellId === undefined ? undefined : findCell(notebook, change.cellId)
  if (change.cellId !== undefined && after === undefined) return Result.fail(noSuchCell(notebook, change.cellId))
  if (change.cellType === undefined) {
    return Result.fail("InvalidInput: cell_type is required for edit_mode insert. Nothing was written.")
  }
  const cell = newCell(notebook, change, change.cellType)
  const cellId = "id" in cell ? change.newId : `cell-${after === undefined ? 0 : after + 1}`
  return Result.succeed({ text: insertCell(text, cells, after, layout(text, cell)), cellId, cellType: change.cellType })
}

const notANotebook = (why: string) =>
  Result.fail(`InvalidNotebook: the file is not a notebook: ${why}. Nothing was written.`)

/** The notebook's text after a change, or why it cannot be made. The text has LF line ends. */
export const changeNotebook = (text: string, change: CellChange): Result.Result<ChangedNotebook, string> => {
  const parsed = parseNotebook(text)
  if (Result.isFailure(parsed)) return notANotebook(parsed.failure)
  const cells = cellsIn(text)
  if (cells === undefined) return notANotebook("too many levels stand inside each other")
  const opened: Opened = { text, notebook: parsed.success, cells }
  if (change.mode === "insert") return insert(opened, change)
  if (change.cellId === undefined) {
    return Result.fail(`InvalidInput: cell_id is required for edit_mode ${change.mode}. Nothing was written.`)
  }
  return changeExisting(opened, { ...change, cellId: change.cellId })
}
