import { remembered } from "../remember.ts"
import { DYNAMIC, type Word } from "./program.ts"
import { fits, type Flag, type FlagTable } from "./tables/flags.ts"

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
  /** Operands of its own: after these come words of another program. */
  readonly operandsBefore?: number
}

/** Collects while reading; one per program. */
class Reading {
  readonly given: Array<GivenFlag> = []
  readonly operands: Array<Word> = []
  problem: string | undefined
  constructor(readonly words: ReadonlyArray<Word>, public at: number) {}

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
    this.at += flag.kind === "2" ? 2 : 1
    this.take(name, flag, textOf(next), next)
  }
}

const readLong = (reading: Reading, word: Word, text: string, flags: FlagTable): void => {
  const equals = text.indexOf("=")
  const name = equals < 0 ? text : text.slice(0, equals)
  const flag = flags.get(name)
  if (flag === undefined) reading.take(name, UNKNOWN_FLAG, equals < 0 ? undefined : text.slice(equals + 1), word)
  else if (equals >= 0) {
    if (flag.argument === "none") reading.problem ??= `${name} takes no argument`
    reading.take(name, flag, text.slice(equals + 1), word)
  } else if (flag.argument === "needed") reading.takeNext(name, flag)
  else reading.take(name, flag, undefined, word)
}

/** One letter after the other; the rest of the word is the argument of the first letter that takes one. */
const readShort = (reading: Reading, word: Word, text: string, flags: FlagTable): void => {
  for (let index = 1; index < text.length; index++) {
    const name = `-${text.charAt(index)}`
    const flag = flags.get(name)
    const rest = text.slice(index + 1)
    if (flag === undefined) {
      reading.take(name, UNKNOWN_FLAG, undefined, word)
      return
    }
    if (flag.argument !== "none") {
      if (index > 1) reading.problem ??= `${name} takes an argument and is bundled`
      if (rest !== "") reading.take(name, flag, rest, word)
      else if (flag.argument === "needed") reading.takeNext(name, flag)
      else reading.take(name, flag, undefined, word)
      return
    }
    reading.take(name, flag, undefined, word)
  }
}

const isFlagText = (text: string): boolean => text.length > 1 && text.startsWith("-")

/** Reads the words after `at` until an operand too many for `operandsBefore`; gives where it stopped as well. */
export const readArguments = (
  words: ReadonlyArray<Word>,
  from: number,
  { flags, numbers = false, operandsBefore }: FlagRules
): Arguments & { readonly next: number } => {
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
    else if (text.startsWith("--") || flags.has(text)) readLong(reading, word, text, flags)
    else readShort(reading, word, text, flags)
  }
  return { flags: reading.given, operands: reading.operands, problem: reading.problem, next: reading.at }
}

const listed = remembered((list: string): ReadonlySet<string> => new Set(list.split(" ")))

/** Whether one of the flags in the list was given. */
export const hasFlag = ({ flags }: Arguments, list: string): boolean => {
  if (flags.length === 0) return false
  const wanted = listed(list)
  return flags.some(({ name }) => wanted.has(name))
}
