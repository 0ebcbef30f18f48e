import { memoizeText } from "../../../domain/text/bounded-memo.ts"
import { DYNAMIC, type Word } from "../program.ts"
import { fits, type Flag, type FlagTable } from "../tables/flags.ts"
import type { KnownProgram } from "../tables/programs.ts"

/** The words after a program, sorted into flags and operands by the program's own table. */
export interface Arguments {
  readonly flags: ReadonlyArray<GivenFlag>
  readonly operands: ReadonlyArray<Word>
  /** The first flag that is not known to be harmless, or whose argument does not fit. */
  readonly problem: string | undefined
}

export interface GivenFlag {
  /** Without its argument: `-n`, `--color`. */
  readonly name: string
  readonly flag: Flag
  readonly value: string | undefined
  /** The word that holds the argument. */
  readonly word: Word
}

export const textOf = (word: Word): string => word.value ?? word.literal

export const UNKNOWN_FLAG: Flag = { argument: "none", kind: "t", safe: false }

export interface FlagRules {
  readonly flags: FlagTable
  /** `-5` is a flag. */
  readonly numbers?: boolean
  /** The argument of a letter is never attached: further letters of the bundle are flags. */
  readonly apart?: boolean
  /** Operands of its own: after these come words of another program. */
  readonly operandsBefore?: number
}

/** How the words of a program in the table are read. */
export const rulesOf = ({ flags, row }: KnownProgram): FlagRules => ({
  flags,
  numbers: row.numbers === true,
  apart: row.apart === true
})

/** Collects while reading; one per program. */
class Reading {
  readonly given: Array<GivenFlag> = []
  readonly operands: Array<Word> = []
  problem: string | undefined
  constructor(
    readonly words: ReadonlyArray<Word>,
    public at: number
  ) {}

  take(name: string, flag: Flag, value: string | undefined, word: Word): void {
    this.given.push({ name, flag, value, word })
    if (!flag.safe) this.problem ??= `${name} is not known to be harmless`
    if (flag.safe && value !== undefined && !fits(flag.kind, value)) this.problem ??= `${value} does not fit ${name}`
  }

  /** The argument in the next word; `at` stays on the last word taken. */
  takeNext(name: string, flag: Flag): void {
    const next = this.words[this.at + 1]
    if (next === undefined) {
      this.problem ??= `${name} has no argument`
      return
    }
    const isPair = flag.kind === "2" || flag.kind === "f"
    const path = flag.kind === "f" ? this.words[this.at + 2] : undefined
    this.at += isPair ? 2 : 1
    this.take(name, flag, textOf(path ?? next), path ?? next)
  }
}

/** What matters most about a flag that could be several: what it writes, runs or reads. */
const WEIGHT: Readonly<Partial<Record<Flag["kind"], number>>> = { o: 3, x: 2, r: 1, f: 1 }

/** Many programs take any beginning of a long flag. It is never harmless, but it does what the whole flag does. */
const abbreviated = (name: string, flags: FlagTable): readonly [string, Flag] | undefined => {
  if (name.length < 3) return undefined
  let found: readonly [string, Flag] | undefined
  for (const [full, flag] of flags) {
    const isHeavier = found === undefined || (WEIGHT[flag.kind] ?? 0) > (WEIGHT[found[1].kind] ?? 0)
    if (full.startsWith(name) && isHeavier) found = [full, { ...flag, safe: false }]
  }
  return found
}

const readLong = (reading: Reading, word: Word, text: string, flags: FlagTable): void => {
  const equals = text.indexOf("=")
  const given = equals < 0 ? text : text.slice(0, equals)
  const whole = flags.get(given)
  const [name, flag] = whole === undefined ? (abbreviated(given, flags) ?? [given, undefined]) : [given, whole]
  if (flag === undefined) reading.take(name, UNKNOWN_FLAG, equals < 0 ? undefined : text.slice(equals + 1), word)
  else if (equals >= 0) {
    if (flag.argument === "none") reading.problem ??= `${name} takes no argument`
    reading.take(name, flag, text.slice(equals + 1), word)
  } else if (flag.argument === "needed") reading.takeNext(name, flag)
  else reading.take(name, flag, undefined, word)
}

/** One letter after the other; the rest of the word is the argument of the first letter that takes one. */
const readShort = (reading: Reading, word: Word, text: string, { flags, apart = false }: FlagRules): void => {
  for (let index = 1; index < text.length; index++) {
    const name = `-${text.charAt(index)}`
    const flag = flags.get(name)
    const rest = text.slice(index + 1)
    if (flag === undefined) {
      reading.take(name, UNKNOWN_FLAG, undefined, word)
      return
    }
    const isApart = apart && flag.argument !== "none" && rest !== "" && !/^\d+$/.test(rest)
    if (isApart) {
      reading.problem ??= `${name} takes an argument and is bundled`
      reading.takeNext(name, flag)
    } else if (flag.argument !== "none") {
      if (index > 1) reading.problem ??= `${name} takes an argument and is bundled`
      if (rest !== "") reading.take(name, flag, rest, word)
      else if (flag.argument === "needed") reading.takeNext(name, flag)
      else reading.take(name, flag, undefined, word)
      return
    } else reading.take(name, flag, undefined, word)
  }
}

/** `-exec=x`: some programs have long names behind one dash. */
const hasLongName = (text: string, flags: FlagTable): boolean => {
  const equals = text.indexOf("=")
  return equals > 2 && flags.has(text.slice(0, equals))
}

const isFlagText = (text: string): boolean => text.length > 1 && text.startsWith("-")

/** Reads the words after `at` until an operand too many for `operandsBefore`; gives where it stopped as well. */
export const readArguments = (
  words: ReadonlyArray<Word>,
  from: number,
  rules: FlagRules
): Arguments & { readonly next: number } => {
  const { flags, numbers = false, operandsBefore } = rules
  const reading = new Reading(words, from)
  let ended = false
  for (; reading.at < words.length; reading.at++) {
    const word = words[reading.at]
    if (word === undefined) break
    const text = textOf(word)
    if (ended || !isFlagText(text)) {
      if (reading.operands.length === operandsBefore) break
      reading.operands.push(word)
      if (!ended && text.startsWith(DYNAMIC)) reading.problem ??= `${word.source} could become a flag`
    } else if (text === "--") ended = true
    else if (numbers && /^-\d+$/.test(text)) continue
    else if (text.startsWith("--") || flags.has(text) || hasLongName(text, flags)) readLong(reading, word, text, flags)
    else readShort(reading, word, text, rules)
  }
  return { flags: reading.given, operands: reading.operands, problem: reading.problem, next: reading.at }
}

const listed = memoizeText((list: string): ReadonlySet<string> => new Set(list.split(" ")))

/** Whether one of the flags in the list was given. */
export const hasFlag = ({ flags }: Arguments, list: string): boolean => {
  if (flags.length === 0) return false
  const wanted = listed(list)
  return flags.some(({ name }) => wanted.has(name))
}
