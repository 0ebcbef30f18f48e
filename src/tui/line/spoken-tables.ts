/**
 * Tables of an answer as lines `Header: value`, row by row: a grid of bars says nothing to somebody who hears
 * it. Works on text as it arrives; a line is held back only while it could belong to a table.
 */
export interface TableReading {
  /** The line that is being read, as far as it came. */
  readonly line: string
  /** Nothing of this line was given away yet. */
  readonly isHeld: boolean
  readonly isCode: boolean
  /** A row that is the head of a table if a row of dashes follows. */
  readonly candidate: string | undefined
  /** The head of the table that is being read, and whether a row of it was spoken. */
  readonly head: ReadonlyArray<string> | undefined
  readonly hasRows: boolean
}

export const NO_TABLE: TableReading = {
  line: "",
  isHeld: true,
  isCode: false,
  candidate: undefined,
  head: undefined,
  hasRows: false
}

const FENCE = /^\s*(?:```|~~~)/
const ROW = /^\s*\|/
const DASHES = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

const cellsOf = (row: string): ReadonlyArray<string> =>
  row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"))

const rowLines = (head: ReadonlyArray<string>, row: string): string =>
  cellsOf(row)
    .map((cell, index) => ({ name: head[index] ?? "", cell }))
    .filter(({ cell }) => cell !== "")
    .map(({ name, cell }) => (name === "" ? `${cell}\n` : `${name}: ${cell}\n`))
    .join("")

type Told = readonly [text: string, reading: TableReading]

const fresh = (reading: TableReading, change: Partial<TableReading> = {}): TableReading => ({
  ...reading,
  line: "",
  isHeld: true,
  ...change
})

/** What was taken for the head of a table and is none. */
const waited = ({ candidate }: TableReading): string => (candidate === undefined ? "" : `${candidate}\n`)

const onRow = (reading: TableReading): Told => {
  const { line, head, candidate } = reading
  if (head !== undefined) {
    return [`${reading.hasRows ? "\n" : ""}${rowLines(head, line)}`, fresh(reading, { hasRows: true })]
  }
  const names = candidate === undefined ? [] : cellsOf(candidate)
  if (DASHES.test(line) && cellsOf(line).length === names.length) {
    return ["", fresh(reading, { candidate: undefined, head: names, hasRows: false })]
  }
  return [waited(reading), fresh(reading, { candidate: line })]
}

const onLineEnd = (reading: TableReading): Told => {
  const { line, isHeld, isCode } = reading
  if (isHeld && !isCode && ROW.test(line)) return onRow(reading)
  const isOther = isCode !== FENCE.test(line)
  const text = isHeld ? `${waited(reading)}${line}\n` : "\n"
  return [text, fresh(reading, { candidate: undefined, head: undefined, isCode: isOther })]
}

/** Whether a line that begins so could still be a row. */
const mayBeRow = ({ isCode }: TableReading, line: string): boolean => !isCode && /^\s*(?:\|.*)?$/.test(line)

const onPiece = (reading: TableReading, piece: string): Told => {
  if (piece === "") return ["", reading]
  const line = reading.line + piece
  if (!reading.isHeld) return [piece, { ...reading, line }]
  if (mayBeRow(reading, line)) return ["", { ...reading, line }]
  return [`${waited(reading)}${line}`, { ...reading, line, isHeld: false, candidate: undefined, head: undefined }]
}

/** The next piece of a text, as it is spoken. */
export const readTablesAloud = (reading: TableReading, text: string): Told => {
  let spoken = ""
  let at = reading
  for (const [index, piece] of text.split("\n").entries()) {
    if (index > 0) {
      const [line, next] = onLineEnd(at)
      spoken += line
      at = next
    }
    const [more, next] = onPiece(at, piece)
    spoken += more
    at = next
  }
  return [spoken, at]
}

/** What is left when the text is over. */
export const restOfTables = (reading: TableReading): string => {
  if (!reading.isHeld) return ""
  if (!ROW.test(reading.line) || reading.isCode) return waited(reading) + reading.line
  const [spoken, after] = onRow(reading)
  return (spoken + waited(after)).replace(/\n$/, "")
}

export const withSpokenTables = (text: string): string => {
  const [spoken, reading] = readTablesAloud(NO_TABLE, text)
  return spoken + restOfTables(reading)
}
