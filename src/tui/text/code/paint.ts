/** A line of code as coloured pieces. */
import type { Language } from "./grammar.ts"
import { type HighlightState, type Token, tokenize } from "./highlight.ts"
import { withGround, withRole } from "../../screen/style/look.ts"
import type { Look, Span } from "../../screen/style/row.ts"
import { sanitize, type TextKind } from "../sanitize.ts"
import type { Role } from "../../screen/style/roles.ts"

/** Language and state of a text that is coloured line by line; absent language: plain. */
export interface Colouring {
  readonly language: Language | undefined
  readonly state: HighlightState
}

export const NO_COLOURING: Colouring = { language: undefined, state: [] }

/** A range that gets a ground of its own: changed words, blanks at the end. */
export interface GroundMark {
  readonly start: number
  readonly end: number
  readonly ground: Role
}

interface Part {
  readonly start: number
  readonly end: number
  readonly role?: Role
  readonly ground?: Role
}

/** Tokens and marks cut at each other's borders, in order, without gaps. */
const partsOf = (length: number, tokens: ReadonlyArray<Token>, marks: ReadonlyArray<GroundMark>): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  let token = 0
  let mark = 0
  for (let at = 0; at < length;) {
    while ((tokens[token]?.end ?? Number.POSITIVE_INFINITY) <= at) token++
    while ((marks[mark]?.end ?? Number.POSITIVE_INFINITY) <= at) mark++
    const inToken = tokens[token] !== undefined && (tokens[token]?.start ?? 0) <= at ? tokens[token] : undefined
    const inMark = marks[mark] !== undefined && (marks[mark]?.start ?? 0) <= at ? marks[mark] : undefined
    const end = Math.min(length, inToken?.end ?? tokens[token]?.start ?? length, inMark?.end ?? marks[mark]?.start ?? length)
    parts.push({
      start: at,
      end,
      ...(inToken === undefined ? {} : { role: inToken.role }),
      ...(inMark === undefined ? {} : { ground: inMark.ground })
    })
    at = end
  }
  return parts
}

export interface Paint {
  readonly look: Look
  /** Where the line begins in the source of the block. */
  readonly at: number
  readonly colouring: Colouring
  readonly marks?: ReadonlyArray<GroundMark>
  /** `code` unless it is a command that somebody has to judge. */
  readonly kind?: TextKind
}

export const paintLine = (
  text: string,
  paint: Paint
): { readonly pieces: ReadonlyArray<Span>; readonly colouring: Colouring } => {
  const { language, state } = paint.colouring
  const coloured = language === undefined ? { tokens: [], state } : tokenize(text, state, language)
  const pieces = partsOf(text.length, coloured.tokens, paint.marks ?? []).flatMap((part) => {
    const inked = part.role === undefined ? paint.look : withRole(paint.look, part.role)
    const look = part.ground === undefined ? inked : withGround(inked, part.ground)
    return sanitize(text.slice(part.start, part.end), paint.kind ?? "code", { look, at: paint.at + part.start })
  })
  return { pieces, colouring: { language, state: coloured.state } }
}
