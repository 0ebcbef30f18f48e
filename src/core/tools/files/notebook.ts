import { Result, Schema } from "effect"
import type { ContentBlock } from "../../domain/block.ts"
import { LIMITS } from "../../domain/limits.ts"

/** Jupyter notebooks as far as the tools look into them; everything else in the file is left alone. */
const Lines = Schema.Union([Schema.String, Schema.Array(Schema.String)])

const Output = Schema.Struct({
  output_type: Schema.String,
  text: Schema.optionalKey(Lines),
  data: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  ename: Schema.optionalKey(Schema.String),
  evalue: Schema.optionalKey(Schema.String),
  traceback: Schema.optionalKey(Schema.Array(Schema.String))
})
type Output = typeof Output.Type

const Cell = Schema.Struct({
  cell_type: Schema.String,
  source: Lines,
  id: Schema.optionalKey(Schema.String),
  execution_count: Schema.optionalKey(Schema.NullOr(Schema.Number)),
  outputs: Schema.optionalKey(Schema.Array(Output))
})
export type Cell = typeof Cell.Type

const LanguageInfo = Schema.Struct({ language_info: Schema.Struct({ name: Schema.String }) })

const Notebook = Schema.Struct({
  cells: Schema.Array(Cell),
  nbformat: Schema.optionalKey(Schema.Number),
  nbformat_minor: Schema.optionalKey(Schema.Number),
  metadata: Schema.optionalKey(Schema.Unknown)
})
export type Notebook = typeof Notebook.Type

const decodeNotebook = Schema.decodeUnknownResult(Notebook)
const isLanguageInfo = Schema.is(LanguageInfo)

const parseJson = (text: string): Result.Result<unknown, string> =>
  Result.try({ try: () => JSON.parse(text) as unknown, catch: (error) => String(error) })

export const parseNotebook = (text: string): Result.Result<Notebook, string> => {
  const json = parseJson(text)
  if (Result.isFailure(json)) return Result.fail(`it is not JSON (${json.failure})`)
  const notebook = decodeNotebook(json.success)
  if (Result.isFailure(notebook)) return Result.fail("it has no list of cells as Jupyter writes it")
  return Result.succeed(notebook.success)
}

export const joinLines = (lines: string | ReadonlyArray<string>): string =>
  typeof lines === "string" ? lines : lines.join("")

export const languageOf = (notebook: Notebook): string =>
  isLanguageInfo(notebook.metadata) ? notebook.metadata.language_info.name : "python"

/** The id that calls name a cell by: its own, or its place. */
export const cellIdAt = (notebook: Notebook, index: number): string => notebook.cells[index]?.id ?? `cell-${index}`

/** The place of a cell: by its id, or `cell-N` as index from 0. */
export const findCell = (notebook: Notebook, id: string): number | undefined => {
  const byId = notebook.cells.findIndex((cell) => cell.id === id)
  if (byId !== -1) return byId
  const match = /^cell-(\d{1,9})$/.exec(id)
  const index = match === null ? -1 : Number(match[1])
  return index >= 0 && index < notebook.cells.length ? index : undefined
}

export interface OutputView {
  readonly output_type: string
  readonly text?: string
  readonly image?: { readonly image_data: string; readonly media_type: "image/png" | "image/jpeg" }
}

export interface CellView {
  readonly cellType: string
  readonly cell_id: string
  readonly source: string
  readonly language?: string
  readonly execution_count?: number
  readonly outputs?: ReadonlyArray<OutputView>
}

const cutOutput = (text: string): string =>
  text.length <= LIMITS.notebookOutputChars
    ? text
    : `${text.slice(0, LIMITS.notebookOutputChars)}\n... [${text.length - LIMITS.notebookOutputChars} more characters]`

const textOf = (value: unknown): string => {
  if (typeof value === "string") return value
  return Array.isArray(value) && value.every((line) => typeof line === "string") ? value.join("") : ""
}

/** Colours of terminals, which tracebacks are full of. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g")

const outputText = (output: Output): string => {
  if (output.output_type === "error") {
    const trace = (output.traceback ?? []).join("\n").replace(COLOUR, "")
    return trace === "" ? `${output.ename ?? "Error"}: ${output.evalue ?? ""}` : trace
  }
  return output.text === undefined ? textOf(output.data?.["text/plain"]) : joinLines(output.text)
}

const outputImage = (output: Output): OutputView["image"] => {
  for (const media_type of ["image/png", "image/jpeg"] as const) {
    const data = textOf(output.data?.[media_type]).replace(/\s/g, "")
    if (data !== "" && data.length <= LIMITS.imageBase64Bytes) return { image_data: data, media_type }
  }
  return undefined
}

const viewOutput = (output: Output): OutputView => {
  const text = outputText(output)
  const image = outputImage(output)
  return {
    output_type: output.output_type,
    ...(text === "" ? {} : { text: cutOutput(text) }),
    ...(image === undefined ? {} : { image })
  }
}

export const viewCells = (notebook: Notebook): ReadonlyArray<CellView> =>
  notebook.cells.map((cell, index) => ({
    cellType: cell.cell_type,
    cell_id: cellIdAt(notebook, index),
    source: joinLines(cell.source),
    ...(cell.cell_type === "code" ? { language: languageOf(notebook) } : {}),
    ...(typeof cell.execution_count === "number" ? { execution_count: cell.execution_count } : {}),
    ...(cell.outputs === undefined || cell.outputs.length === 0 ? {} : { outputs: cell.outputs.map(viewOutput) })
  }))

const cellText = (cell: CellView): string => {
  const language = cell.language === undefined ? "" : ` language="${cell.language}"`
  const count = cell.execution_count === undefined ? "" : ` execution_count="${cell.execution_count}"`
  return `<cell id="${cell.cell_id}" type="${cell.cellType}"${language}${count}>\n${cell.source}\n</cell>`
}

/** What the model sees: cells and outputs in order, pictures where they stand. */
export const cellBlocks = (cells: ReadonlyArray<CellView>): ReadonlyArray<ContentBlock> => {
  const blocks: Array<ContentBlock> = []
  let text: Array<string> = []
  const flush = (): void => {
    if (text.length > 0) blocks.push({ type: "text", text: text.join("\n") })
    text = []
  }
  for (const cell of cells) {
    text.push(cellText(cell))
    for (const output of cell.outputs ?? []) {
      if (output.text !== undefined) text.push(`<output of="${cell.cell_id}">\n${output.text}\n</output>`)
      if (output.image === undefined) continue
      flush()
      const { media_type, image_data } = output.image
      blocks.push({ type: "image", source: { type: "base64", media_type, data: image_data } })
    }
  }
  flush()
  return blocks
}
