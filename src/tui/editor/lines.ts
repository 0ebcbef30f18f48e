/**
 * Text as motions, text objects and searches see it: logical lines without their line breaks. The prompt's buffer is
 * one; the transcript is another that makes its lines when they are asked for, so nothing may walk all of them.
 */
export interface Lines {
  /** At least 1: an empty text has one empty line. */
  readonly count: number
  readonly at: (line: number) => string
}

/** A place in a text: line and UTF-16 offset in it. Offsets always stand at the border of a grapheme cluster. */
export interface Position {
  readonly line: number
  readonly column: number
}

export const comparePositions = (a: Position, b: Position): number => a.line - b.line || a.column - b.column

export const samePlace = (a: Position | undefined, b: Position): boolean =>
  a !== undefined && a.line === b.line && a.column === b.column
