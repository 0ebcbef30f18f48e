/** `:sort`: lines by their text, a part of it, or a number in it. */
import { sliceLines } from "../../buffer.ts"
import type { LineRange } from "../state/command.ts"
import { splitPattern } from "../motions/searches.ts"
import { compilePattern, type Pattern } from "../pattern/pattern.ts"
import { fail, lineStart, moveTo, replaceSpan, touch, type Turn, update } from "../engine/running-command.ts"

interface Asked {
  /** How numbers are written; undefined when the text itself is compared. */
  readonly format: "n" | "f" | "x" | "o" | "b" | undefined
  readonly ignoreCase: boolean
  /** The match is compared, not what follows it. */
  readonly byMatch: boolean
  readonly unique: boolean
  /** As it was typed; empty means the last search. */
  readonly pattern: string | undefined
  readonly error: string | undefined
  /** The command behind a bar. */
  readonly next: string | undefined
}

/** What stands behind the name: letters in any order and one pattern. */
export const readSort = (argument: string): Asked => {
  const letters = new Set<string>()
  let pattern: string | undefined
  let rest = argument
  for (; rest !== "" && !/^["|]/.test(rest);) {
    const sign = rest.charAt(0)
    const behind = rest.slice(1)
    if (/[ilrnfboxu\s]/.test(sign)) {
      letters.add(sign)
      rest = behind
    } else if (!/[a-zA-Z]/.test(sign) && pattern === undefined) {
      const split = splitPattern(behind, sign)
      pattern = split.pattern
      rest = split.rest ?? ""
    } else break
  }
  const formats = (["n", "f", "x", "o", "b"] as const).filter((letter) => letters.has(letter))
  const isKnown = /^(?:["|]|$)/.test(rest)
  return {
    format: formats[0],
    ignoreCase: letters.has("i"),
    byMatch: letters.has("r"),
    unique: letters.has("u"),
    pattern,
    error: isKnown && formats.length < 2 ? undefined : `E474: Invalid argument${isKnown ? "" : `: ${rest}`}`,
    next: rest.startsWith("|") ? rest.slice(1) : undefined
  }
}

/** The part of a line that it is sorted by. */
const partOf = (text: string, pattern: Pattern | undefined, byMatch: boolean): string => {
  if (pattern === undefined) return text
  const match = pattern.match({ text, line: 0, lines: 1, from: 0, most: text.length })
  if (match === undefined) return ""
  return byMatch ? text.slice(match.index, match.end) : text.slice(match.end)
}

const MOST = 2n ** 63n - 1n
const WRITTEN = {
  n: /-?\d+/,
  o: /-?\d[0-7]*/,
  x: /-?(?:0[xX](?=[0-9a-fA-F]))?[0-9a-fA-F]+/,
  b: /-?(?:0[bB](?=[01]))?[01]+/
} as const
const RADIX = { n: 10, o: 8, x: 16, b: 2 } as const

const digitsOf = (written: string, radix: number): bigint => {
  const digits = written.replace(/^-?(?:0[xXbB])?/, "")
  let value = 0n
  for (const digit of digits) {
    const size = Number.parseInt(digit, radix)
    if (Number.isNaN(size)) break
    value = value * BigInt(radix) + BigInt(size)
  }
  const most = value > MOST ? MOST : value
  return written.startsWith("-") ? -most : most
}

/** The first number in a text; a text without any comes before all numbers. */
const numberIn = (part: string, format: NonNullable<Asked["format"]>): bigint | number | undefined => {
  if (format === "f") {
    const text = part.trimStart().replace(/^\+\s*/, "")
    if (text === "") return undefined
    const value = Number.parseFloat(text)
    return Number.isNaN(value) ? 0 : value
  }
  const written = WRITTEN[format].exec(part)?.[0]
  if (written !== undefined) return digitsOf(written, RADIX[format])
  // A sign at the very end is a number without digits.
  return part.endsWith("-") ? 0n : undefined
}

/** Only these letters have two forms here, as in vim. */
const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** By code points, not by the halves that long ones are written with. */
const compareTexts = (a: string, b: string): number => {
  let at = 0
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  const isSecondHalf = /[\udc00-\udfff]/.test(a.charAt(at)) || /[\udc00-\udfff]/.test(b.charAt(at))
  const from = isSecondHalf && at > 0 ? at - 1 : at
  return (a.codePointAt(from) ?? -1) - (b.codePointAt(from) ?? -1)
}

type Key = bigint | number | string | undefined

const compareKeys = (a: Key, b: Key): number => {
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b)
  if (a === undefined || b === undefined) return (a === undefined ? 0 : 1) - (b === undefined ? 0 : 1)
  return a === b ? 0 : a < b ? -1 : 1
}

interface Sorting extends Asked {
  readonly reverse: boolean
  readonly matcher: Pattern | undefined
}

const sortLines = (lines: ReadonlyArray<string>, rule: Sorting): ReadonlyArray<string> => {
  const fold = (text: string): string => (rule.ignoreCase ? foldAscii(text) : text)
  const keyed = lines.map((text) => {
    const part = partOf(text, rule.matcher, rule.byMatch)
    return { text, key: rule.format === undefined ? fold(part) : numberIn(part, rule.format) }
  })
  const ordered = keyed.toSorted((a, b) => compareKeys(a.key, b.key)).map(({ text }) => text)
  const sorted = rule.reverse ? ordered.toReversed() : ordered
  if (!rule.unique) return sorted
  const kept: Array<string> = []
  for (const text of sorted) {
    const last = kept.at(-1)
    if (last === undefined || fold(last) !== fold(text)) kept.push(text)
  }
  return kept
}

/** The mark on the last line that stays goes with those on the lines that do not. */
const withoutMarks = (turn: Turn, line: number): Turn =>
  update(turn, { marks: new Map([...turn.vim.marks].filter(([name, mark]) => !/^[a-z]$/.test(name) || mark.line !== line)) })

export const runSort = (turn: Turn, { first, last }: LineRange, rule: { argument: string; bang: boolean }): Turn => {
  const count = last - first + 1
  if (count <= 1) return turn
  const asked = readSort(rule.argument)
  const begun = touch(turn, { line: first, count })
  if (asked.error !== undefined) return fail(begun, asked.error)
  const source = asked.pattern === "" ? turn.vim.memory.search?.pattern : asked.pattern
  if (asked.pattern === "" && source === undefined) return fail(begun, "E35: No previous regular expression")
  // Capitals in the pattern mean nothing here, whatever `smartcase` says.
  const matcher =
    source === undefined ? undefined : compilePattern(source, { ...turn.vim.options, smartcase: false, replacement: "" })
  if (source !== undefined && matcher === undefined) return fail(begun, `E383: Invalid search string: ${source}`)
  const lines = sliceLines(turn.vim.buffer, first, last + 1)
  const sorted = sortLines(lines, { ...asked, matcher, reverse: rule.bang })
  const isSame = sorted.length === count && sorted.every((text, index) => text === lines[index])
  const done = isSame ? begun : replaceSpan(turn, { line: first, count }, sorted, 0)
  const marked = sorted.length < count ? withoutMarks(done, first + sorted.length - 1) : done
  return moveTo(marked, lineStart(marked, first))
}
