/** Tests for one character: the classes of patterns and what stands in square brackets. */
import { charClass } from "../text/char-class.ts"

/** Whether a character is meant; with `ignoreCase` its other case counts as well. */
export type CharTest = (char: string, ignoreCase: boolean) => boolean

const fold = (char: string): string => char.toLowerCase()

export const sameChar = (a: string, b: string, ignoreCase: boolean): boolean =>
  a === b || (ignoreCase && fold(a) === fold(b))

const matches =
  (set: RegExp): CharTest =>
  (char) =>
    set.test(char)
const not =
  (test: CharTest): CharTest =>
  (char, ignoreCase) =>
    !test(char, ignoreCase)

const isKeyword: CharTest = (char) => charClass(char, false) >= 2
const isPrintable: CharTest = (char) => char >= " " && char !== "\x7f"
const FILE = /[\w/.\-+,#$%~=]|[^\x00-\x9f]/
const DIGIT = /[0-9]/

const withoutDigits =
  (test: CharTest): CharTest =>
  (char, ignoreCase) =>
    !DIGIT.test(char) && test(char, ignoreCase)

const POSITIVE: Readonly<Record<string, CharTest>> = {
  s: matches(/[ \t]/),
  d: matches(DIGIT),
  w: matches(/[0-9A-Za-z_]/),
  a: matches(/[A-Za-z]/),
  // Even where case does not matter.
  l: matches(/[a-z]/),
  u: matches(/[A-Z]/),
  h: matches(/[A-Za-z_]/),
  x: matches(/[0-9A-Fa-f]/),
  o: matches(/[0-7]/)
}

/** `\s` and the like; a capital letter means the opposite, or the same without digits. */
export const CLASSES: ReadonlyMap<string, CharTest> = new Map([
  ...Object.entries(POSITIVE),
  ...Object.entries(POSITIVE).map(([name, test]) => [name.toUpperCase(), not(test)] as const),
  ["k", isKeyword],
  ["K", withoutDigits(isKeyword)],
  ["i", isKeyword],
  ["I", withoutDigits(isKeyword)],
  ["f", matches(FILE)],
  ["F", withoutDigits(matches(FILE))],
  ["p", isPrintable],
  ["P", withoutDigits(isPrintable)]
])

/** Characters that a letter behind a backslash stands for. */
export const ESCAPED: Readonly<Record<string, string>> = { e: "\x1b", t: "\t", r: "\r", b: "\b" }

/** `[:alpha:]` and the like, which always mind the case. */
const NAMED: Readonly<Record<string, RegExp>> = {
  alpha: /[A-Za-z]/,
  digit: DIGIT,
  alnum: /[0-9A-Za-z]/,
  lower: /\p{Ll}/u,
  upper: /\p{Lu}/u,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t-\r ]/,
  blank: /[ \t]/,
  xdigit: /[0-9A-Fa-f]/,
  cntrl: /[\x00-\x1f\x7f]/,
  graph: /[!-~]/,
  print: /[^\x00-\x1f\x7f]/,
  return: /\r/,
  tab: /\t/,
  escape: /\x1b/,
  backspace: /\x08/
}

const codeOf = (digits: string, radix: number): string => {
  const code = Number.parseInt(digits, radix)
  return code <= 0x10ffff ? String.fromCodePoint(code) : ""
}

/** `d123`, `x2a`, `u20AC` and `o40`, as they stand behind `\` in brackets or behind `\%`. */
export const readCode = (text: string): { readonly char: string; readonly length: number } | undefined => {
  const match = /^(?:d(\d+)|o0?([0-7]{1,4})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8}))/.exec(text)
  if (match === null) return undefined
  const [whole, decimal, octal] = match
  const hex = match[3] ?? match[4] ?? match[5] ?? ""
  const char = decimal !== undefined ? codeOf(decimal, 10) : octal !== undefined ? codeOf(octal, 8) : codeOf(hex, 16)
  return { char, length: whole.length }
}

export interface Collection {
  readonly test: CharTest
  /** A line break is meant as well. */
  readonly breaks: boolean
  readonly length: number
}

/** A character in brackets and where it ends. */
const readMember = (text: string, at: number): { readonly char: string; readonly end: number } => {
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0)
  if (char !== "\\") return { char, end: at + char.length }
  const next = text[at + 1] ?? ""
  const code = readCode(text.slice(at + 1))
  if (code !== undefined) return { char: code.char, end: at + 1 + code.length }
  const escaped = ESCAPED[next]
  if (escaped !== undefined) return { char: escaped, end: at + 2 }
  return /[\\\]^-]/.test(next) ? { char: next, end: at + 2 } : { char, end: at + 1 }
}

const between = (first: string, last: string): CharTest => {
  const [low, high] = [first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0]
  const inRange = (char: string): boolean => {
    const code = char.codePointAt(0) ?? 0
    return code >= low && code <= high
  }
  return (char, ignoreCase) => inRange(char) || (ignoreCase && (inRange(fold(char)) || inRange(char.toUpperCase())))
}

/** What stands behind `[`; undefined when nothing closes it and the bracket is only a bracket. */
export const readCollection = (text: string, withBreak: boolean): Collection | undefined => {
  const negated = text.startsWith("^")
  const tests: Array<CharTest> = []
  let hasBreak = false
  let at = negated ? 1 : 0
  for (let isFirst = true; ; isFirst = false) {
    if (at >= text.length) return undefined
    if (text[at] === "]" && !isFirst) break
    const named = /^\[(?::(\w+):|=(.)=|\.(.)\.)\]/su.exec(text.slice(at))
    if (named !== null && (named[1] === undefined || NAMED[named[1]] !== undefined)) {
      const set = NAMED[named[1] ?? ""]
      const own = named[2] ?? named[3] ?? ""
      tests.push(set === undefined ? between(own, own) : matches(set))
      at += named[0].length
      continue
    }
    if (text.startsWith("\\n", at)) {
      hasBreak = true
      at += 2
      continue
    }
    const first = readMember(text, at)
    at = first.end
    if (text[at] !== "-" || text[at + 1] === "]" || at + 1 >= text.length) {
      tests.push(between(first.char, first.char))
      continue
    }
    const last = readMember(text, at + 1)
    if (last.char < first.char) throw new SyntaxError("E944: Reverse range in character class")
    tests.push(between(first.char, last.char))
    at = last.end
  }
  const isOneOf: CharTest = (char, ignoreCase) => tests.some((test) => test(char, ignoreCase))
  return {
    test: negated ? not(isOneOf) : isOneOf,
    // A negated set holds what it does not match; the line break only when it is asked for.
    breaks: negated ? withBreak && !hasBreak : withBreak || hasBreak,
    length: at + 1
  }
}
