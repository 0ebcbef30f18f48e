import type { Piece } from "../text/wildcard.ts"

/** Character classes of path patterns as gitignore knows them: `[a-c]`, `[!x]`, `[[:digit:]_]`. */
type Range = readonly [low: string, high: string]

const NAMED: ReadonlyMap<string, ReadonlyArray<Range>> = new Map([
  [
    "alpha",
    [
      ["a", "z"],
      ["A", "Z"]
    ]
  ],
  ["digit", [["0", "9"]]],
  [
    "alnum",
    [
      ["a", "z"],
      ["A", "Z"],
      ["0", "9"]
    ]
  ],
  ["upper", [["A", "Z"]]],
  ["lower", [["a", "z"]]],
  [
    "xdigit",
    [
      ["0", "9"],
      ["a", "f"],
      ["A", "F"]
    ]
  ],
  [
    "blank",
    [
      [" ", " "],
      ["\t", "\t"]
    ]
  ],
  [
    "space",
    [
      [" ", " "],
      ["\t", "\r"]
    ]
  ],
  [
    "punct",
    [
      ["!", "/"],
      [":", "@"],
      ["[", "`"],
      ["{", "~"]
    ]
  ],
  ["graph", [["!", "~"]]],
  ["print", [[" ", "~"]]],
  [
    "cntrl",
    [
      ["\0", "\u001f"],
      ["\u007f", "\u007f"]
    ]
  ]
])

interface NamedAt {
  readonly ranges: ReadonlyArray<Range>
  /** Position of its last bracket. */
  readonly end: number
}

/** `[:name:]` that opens at `at`; undefined for a bracket that means itself. */
const namedAt = (text: ReadonlyArray<string>, at: number): NamedAt | undefined => {
  if (text[at] !== "[" || text[at + 1] !== ":") return undefined
  const end = text.indexOf("]", at + 2)
  const ranges = text[end - 1] === ":" ? NAMED.get(text.slice(at + 2, end - 1).join("")) : undefined
  return ranges === undefined ? undefined : { ranges, end }
}

const isNegation = (character: string | undefined): boolean => character === "!" || character === "^"

/** The end of a class that opens at `open`, or undefined when it is never closed. */
const classEnd = (text: ReadonlyArray<string>, open: number): number | undefined => {
  let at = open + (isNegation(text[open + 1]) ? 2 : 1)
  if (text[at] === "]") at++
  while (at < text.length && text[at] !== "]") at = (namedAt(text, at)?.end ?? (text[at] === "\\" ? at + 1 : at)) + 1
  return at < text.length ? at : undefined
}

const rangesOf = (inner: ReadonlyArray<string>): ReadonlyArray<Range> => {
  const ranges: Array<Range> = []
  for (let at = 0; at < inner.length; at++) {
    const named = namedAt(inner, at)
    if (named !== undefined) {
      ranges.push(...named.ranges)
      at = named.end
      continue
    }
    if (inner[at] === "\\" && at + 1 < inner.length) at++
    const low = inner[at] ?? ""
    const high = inner[at + 1] === "-" ? inner[at + 2] : undefined
    ranges.push([low, high ?? low])
    if (high !== undefined) at += 2
  }
  return ranges
}

export interface ClassFound {
  readonly piece: Piece
  /** Position of its closing bracket. */
  readonly end: number
}

/** The class that opens at `open`; undefined for a bracket that means itself. */
export const characterClass = (text: ReadonlyArray<string>, open: number, fold: boolean): ClassFound | undefined => {
  const end = text[open] === "[" ? classEnd(text, open) : undefined
  if (end === undefined) return undefined
  const negated = isNegation(text[open + 1])
  const ranges = rangesOf(text.slice(open + (negated ? 2 : 1), end))
  return { piece: { kind: "class", negated, fold, ranges }, end }
}
