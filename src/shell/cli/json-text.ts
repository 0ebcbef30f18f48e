import { Result } from "effect"
import type { Place } from "./usage-error.ts"

/**
 * JSON given on the command line. The runtime's own parser decides what is valid; when it refuses, the scanner below
 * says where, because the runtime's messages name a position only sometimes.
 */
export interface JsonFault extends Place {
  readonly why: string
}

const BLANKS = /[ \t\r\n]*/y
const STRING = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

type Expectation = "value" | "key" | "colon" | "comma"

interface Scan {
  readonly offset: number
  readonly expected: Expectation
  /** Closing characters of the open objects and arrays, innermost last. */
  readonly open: ReadonlyArray<"}" | "]">
  /** Directly after an opening bracket the closing one is welcome too. */
  readonly fresh: boolean
}

const endOf = (pattern: RegExp, text: string, offset: number): number | undefined => {
  pattern.lastIndex = offset
  const found = pattern.exec(text)
  return found === null ? undefined : offset + found[0].length
}

const afterValue = (scan: Scan, offset: number): Scan => ({ ...scan, offset, expected: "comma", fresh: false })

const closed = (scan: Scan, character: string | undefined): Scan | undefined => {
  const mayClose = scan.expected === "comma" || scan.fresh
  return mayClose && character !== undefined && character === scan.open.at(-1)
    ? { offset: scan.offset + 1, expected: "comma", open: scan.open.slice(0, -1), fresh: false }
    : undefined
}

const opened = (scan: Scan, character: string | undefined): Scan | undefined => {
  if (character !== "{" && character !== "[") return undefined
  const isObject = character === "{"
  return {
    offset: scan.offset + 1,
    expected: isObject ? "key" : "value",
    open: [...scan.open, isObject ? "}" : "]"],
    fresh: true
  }
}

const scanToken = (text: string, scan: Scan): Scan | undefined => {
  const character = text[scan.offset]
  const closing = closed(scan, character)
  if (closing !== undefined) return closing
  switch (scan.expected) {
    case "colon":
      return character === ":" ? { ...scan, offset: scan.offset + 1, expected: "value", fresh: false } : undefined
    case "comma":
      return character === "," && scan.open.length > 0
        ? { ...scan, offset: scan.offset + 1, expected: scan.open.at(-1) === "}" ? "key" : "value", fresh: false }
        : undefined
    case "key": {
      const end = endOf(STRING, text, scan.offset)
      return end === undefined ? undefined : { ...scan, offset: end, expected: "colon", fresh: false }
    }
    case "value": {
      const nested = opened(scan, character)
      if (nested !== undefined) return nested
      const end = endOf(STRING, text, scan.offset) ?? endOf(SCALAR, text, scan.offset)
      return end === undefined ? undefined : afterValue(scan, end)
    }
  }
}

const EXPECTED: Record<Expectation, string> = {
  value: "a value",
  key: "a name in double quotes",
  colon: "a colon",
  comma: "a comma or the closing bracket"
}

const placeOf = (text: string, offset: number): Place => {
  const before = text.slice(0, offset).split("\n")
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

const findFault = (text: string): JsonFault => {
  let scan: Scan = { offset: 0, expected: "value", open: [], fresh: false }
  for (;;) {
    scan = { ...scan, offset: endOf(BLANKS, text, scan.offset) ?? scan.offset }
    const next = scanToken(text, scan)
    if (next === undefined) {
      const isWhole = scan.open.length === 0 && scan.expected === "comma"
      const expected = isWhole ? "the end of the text" : EXPECTED[scan.expected]
      const found = scan.offset >= text.length ? "; the text ends here" : ""
      return { ...placeOf(text, scan.offset), why: `not valid JSON, ${expected} was expected here${found}` }
    }
    scan = next
  }
}

export const readJson = (text: string): Result.Result<unknown, JsonFault> => {
  try {
    return Result.succeed(JSON.parse(text) as unknown)
  } catch {
    return Result.fail(findFault(text))
  }
}
