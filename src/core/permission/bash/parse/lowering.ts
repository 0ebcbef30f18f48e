import type { Draft, Enclosure } from "./command-builder.ts"
import type { Mark } from "./marks.ts"
import type { Obstacle, Word } from "../program.ts"
import type { SyntaxNode } from "../syntax.ts"
import { readWord, type WordContext } from "./words.ts"

/** What is gathered while a tree is lowered. */
export interface Lowering {
  readonly text: string
  /** The nesting expansions by where they begin. */
  readonly nesting: ReadonlyMap<number, SyntaxNode>
  readonly commands: Array<Draft>
  readonly enclosures: Array<Enclosure>
  readonly obstacles: Array<Obstacle>
  readonly marks: Array<Mark>
  readonly words: WordContext
  /** How many substitutions the walk is in. */
  depth: number
}

/** Substitutions in substitutions: deeper ones are left to the lexical reading. */
export const MAX_SUBSTITUTION_DEPTH = 40

export const note = (lowering: Lowering, kind: Obstacle["kind"], construct: string, at: number): void => {
  lowering.obstacles.push({ kind, construct, column: at + 1 })
}

export const mark = (lowering: Lowering, kind: string, start: number, end: number): void => {
  lowering.marks.push({ kind, start, end })
}

/** A word of a command or the target of a redirect. */
export const wordAt = (lowering: Lowering, start: number, end: number): Word => {
  mark(lowering, "word", start, end)
  return readWord(lowering.words, start, end)
}
