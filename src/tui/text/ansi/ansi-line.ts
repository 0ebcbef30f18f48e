/** The line that a program is writing: it may go back and overwrite. Places in it are counted in code points. */
import type { Look } from "../../screen/style/row.ts"

export interface Ink {
  readonly look: Look
  readonly link?: string
}

export interface Run {
  readonly text: string
  readonly ink: Ink
}

export interface OpenLine {
  readonly runs: ReadonlyArray<Run>
  /** Code points in it, and before the cursor. */
  readonly length: number
  readonly column: number
}

export const EMPTY_LINE: OpenLine = { runs: [], length: 0, column: 0 }

/** A cursor sent further than any terminal is wide does not make blanks without end. */
const WIDEST = 4_096

interface Cell {
  readonly character: string
  readonly ink: Ink
}

const cellsOf = (runs: ReadonlyArray<Run>): Array<Cell> =>
  runs.flatMap(({ text, ink }) => Array.from(text, (character) => ({ character, ink })))

const runsOf = (cells: ReadonlyArray<Cell>): ReadonlyArray<Run> => {
  const runs: Array<{ text: string; readonly ink: Ink }> = []
  for (const { character, ink } of cells) {
    const last = runs.at(-1)
    if (last?.ink === ink) last.text += character
    else runs.push({ text: character, ink })
  }
  return runs
}

const ASCII = /^[\u0000-\u007f]*$/
const pointsIn = (text: string): number => (ASCII.test(text) ? text.length : Array.from(text).length)

const appended = (runs: ReadonlyArray<Run>, text: string, ink: Ink): ReadonlyArray<Run> => {
  const last = runs.at(-1)
  return last?.ink === ink ? [...runs.slice(0, -1), { text: last.text + text, ink }] : [...runs, { text, ink }]
}

export const writeText = (line: OpenLine, text: string, ink: Ink): OpenLine => {
  if (text === "") return line
  if (line.column === line.length) {
    const length = line.length + pointsIn(text)
    return { runs: appended(line.runs, text, ink), length, column: length }
  }
  const cells = cellsOf(line.runs)
  while (cells.length < line.column) cells.push({ character: " ", ink })
  const written = Array.from(text, (character) => ({ character, ink }))
  cells.splice(line.column, written.length, ...written)
  return { runs: runsOf(cells), length: cells.length, column: line.column + written.length }
}

export const moveTo = (line: OpenLine, column: number): OpenLine => ({
  ...line,
  column: Math.max(0, Math.min(column, Math.max(WIDEST, line.length)))
})

/** EL: 0 behind the cursor, 1 before it, 2 all. */
export const eraseIn = (line: OpenLine, mode: string): OpenLine => {
  if (mode === "2") return { ...EMPTY_LINE, column: line.column }
  if (mode === "1") {
    const cells = cellsOf(line.runs).map((cell, index) => (index <= line.column ? { ...cell, character: " " } : cell))
    return { ...line, runs: runsOf(cells) }
  }
  if (line.column >= line.length) return line
  return { runs: runsOf(cellsOf(line.runs).slice(0, line.column)), length: line.column, column: line.column }
}

export const textOf = (line: OpenLine): string => line.runs.map((run) => run.text).join("")
