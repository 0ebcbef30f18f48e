/** The text of an editor as an immutable value: logical lines, at least one. */
import type { Lines, Position } from "./lines.ts"

export interface Buffer extends Lines {
  readonly lines: ReadonlyArray<string>
}

export const bufferOfLines = (lines: ReadonlyArray<string>): Buffer => {
  const kept = lines.length === 0 ? [""] : lines
  return { lines: kept, count: kept.length, at: (line) => kept[line] ?? "" }
}

export const bufferOf = (text: string): Buffer => bufferOfLines(text.split("\n"))

export const textOf = (buffer: Buffer): string => buffer.lines.join("\n")

export const isEmpty = (buffer: Buffer): boolean => buffer.count === 1 && buffer.at(0) === ""

export const endOf = (lines: Lines): Position => ({
  line: lines.count - 1,
  column: lines.at(lines.count - 1).length
})

export const sliceLines = (lines: Lines, from: number, to: number): ReadonlyArray<string> =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => lines.at(from + index))
