/** One line of a diff behind its numbers: the sign, the coloured text, blanks that can be seen. */
import type { Role } from "../../screen/style/roles.ts"
import { lookOf, TEXT, withGround, withTrait } from "../../screen/style/look.ts"
import { type Colouring, type GroundMark, type Paint, paintLine } from "../code/paint.ts"
import type { Look, Span } from "../../screen/style/row.ts"
import { wordMarks } from "./word-marks.ts"

export type Sign = "+" | "-" | " "

type Glyphs = "unicode" | "ascii"

interface Ground {
  readonly line: Role
  readonly word: Role
  /** The ink of the sign: the ground alone is too faint where colours are few. */
  readonly sign: Role
}

export const GROUND: Readonly<Record<Sign, Ground | undefined>> = {
  "+": { line: "diffAdded", word: "diffAddedWord", sign: "success" },
  "-": { line: "diffRemoved", word: "diffRemovedWord", sign: "error" },
  " ": undefined
}

const TRAILING_BLANKS = /[ \t]+$/
const BLANKS = { unicode: { space: "·", tab: "→" }, ascii: { space: ".", tab: ">" } } as const

export const signSpan = (sign: Sign): Span => {
  const ground = GROUND[sign]
  const look = ground === undefined ? TEXT : withGround(withTrait(lookOf(ground.sign), "bold"), ground.line)
  return { text: sign, look }
}

/** Blanks at the end of a changed line can be seen, whatever the colours. */
const trailingBlanks = (
  text: string,
  place: { readonly at: number; readonly look: Look },
  glyphs: Glyphs
): ReadonlyArray<Span> =>
  Array.from(text, (blank, index) => ({
    text: blank === "\t" ? BLANKS[glyphs].tab : BLANKS[glyphs].space,
    look: place.look,
    at: place.at + index,
    covers: 1
  }))

/** The text of a line behind its sign. */
export const changedPieces = (
  text: string,
  sign: Sign,
  { glyphs, ...paint }: Omit<Paint, "look"> & { readonly glyphs: Glyphs }
): { readonly pieces: ReadonlyArray<Span>; readonly colouring: Colouring } => {
  const ground = GROUND[sign]
  if (ground === undefined) return paintLine(text, { ...paint, look: TEXT })
  const kept = text.replace(TRAILING_BLANKS, "")
  const { pieces, colouring } = paintLine(kept, { ...paint, look: withGround(TEXT, ground.line) })
  const look = withGround(lookOf("control"), ground.word)
  return {
    pieces: [...pieces, ...trailingBlanks(text.slice(kept.length), { at: paint.at + kept.length, look }, glyphs)],
    colouring
  }
}

export const signOf = (line: string): Sign => (line.startsWith("+") ? "+" : line.startsWith("-") ? "-" : " ")

const GROUNDS_OF_WORDS = { "-": "diffRemovedWord", "+": "diffAddedWord" } as const

/** The words of a line that its partner does not have. */
export const marksOf = (
  lines: ReadonlyArray<string>,
  pairs: ReadonlyMap<number, number>,
  index: number
): ReadonlyArray<GroundMark> => {
  const partner = pairs.get(index)
  const line = lines[index] ?? ""
  const sign = signOf(line)
  if (partner === undefined || sign === " ") return []
  const other = (lines[partner] ?? "").slice(1)
  const found = sign === "-" ? wordMarks(line.slice(1), other) : wordMarks(other, line.slice(1))
  const ground = GROUNDS_OF_WORDS[sign]
  return (sign === "-" ? found?.removed : found?.added)?.map((range) => ({ ...range, ground })) ?? []
}
