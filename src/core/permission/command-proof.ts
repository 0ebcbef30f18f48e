import { wordToSpell } from "./command-danger.ts"
import { commandPattern, matchesCommand } from "./command-pattern.ts"
import { KEYWORDS } from "./programs.ts"

/**
 * The only commands a pattern may allow: one simple command of plain words. Everything else is allowed by a rule that
 * spells its exact text, or by a rule for the whole tool. Any doubt is a no.
 */
export interface PlainWord {
  readonly text: string
  readonly quoted: boolean
}

const PROVABLE_CHARS = 10_000
/** Never, not even inside quotes: this reading stays simpler than the shell's. */
const UNPROVABLE = /[;&|`$<>\\]|\/proc\//
/** Globs, braces, grouping, history, comments, and a home that is expanded in mid-word. */
const UNPROVABLE_UNQUOTED = /[(){}*?[\]!#]|[=:]~/
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u
const QUOTED_OR_PLAIN = /'[^']*'|"[^"]*"|[^\s'"]+/g

/** Splits at blanks outside quotes; undefined when a quote is never closed. */
const rawWords = (text: string): ReadonlyArray<string> | undefined => {
  const words: Array<string> = []
  let word = ""
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    const close = character === "'" || character === '"' ? text.indexOf(character, at + 1) : at
    if (close < 0) return undefined
    if (character === " ") {
      if (word !== "") words.push(word)
      word = ""
    } else word += text.slice(at, close + 1)
    at = close
  }
  return word === "" ? words : [...words, word]
}

const unquoted = (raw: string): string =>
  (raw.match(QUOTED_OR_PLAIN) ?? []).map((part) => (/^['"]/.test(part) ? part.slice(1, -1) : part)).join("")

const outsideQuotes = (raw: string): string => raw.replaceAll(/'[^']*'|"[^"]*"/g, "")

/** Whether the word means what it says: no glob, no foreign home, and no flag dressed up in quotes. */
const isPlain = (raw: string): boolean => {
  const text = unquoted(raw)
  const flagName = raw.split("=")[0] ?? raw
  if (UNPROVABLE_UNQUOTED.test(outsideQuotes(raw)) || raw.startsWith("=")) return false
  if (raw.startsWith("~") && raw !== "~" && !raw.startsWith("~/")) return false
  return !text.startsWith("-") || !/['"]/.test(flagName)
}

const isPlainProgram = (raw: string): boolean => !/['"=]/.test(raw) && !raw.startsWith("-") && !KEYWORDS.has(raw)

/** The words of the command when every byte of it is understood; undefined otherwise. */
export const plainWords = (command: string): ReadonlyArray<PlainWord> | undefined => {
  const text = command.trim()
  if (text.length > PROVABLE_CHARS || UNPROVABLE.test(text) || INVISIBLE.test(command)) return undefined
  const words = rawWords(text)
  if (words === undefined || !isPlainProgram(words[0] ?? "-") || !words.every(isPlain)) return undefined
  return words.map((raw) => ({ text: unquoted(raw), quoted: /['"]/.test(raw) }))
}

const coversDanger = (literal: string, words: ReadonlyArray<string>): boolean => {
  const spelled = wordToSpell(words)
  return spelled === undefined || (spelled !== null && literal.split(" ").includes(spelled))
}

/** How a Bash rule covers a command: by its exact text, by a pattern over plain words, or not at all. */
export const coverage = (specifier: string, command: string): "exact" | "pattern" | undefined => {
  if (!specifier.includes("*") && specifier.trim() === command.trim()) return "exact"
  const words = plainWords(command)
  if (words === undefined) return undefined
  const texts = words.map(({ text }) => text)
  const candidate = words.some(({ quoted }) => quoted) ? command.trim() : texts.join(" ")
  const pattern = commandPattern(specifier)
  if (!matchesCommand(pattern, candidate)) return undefined
  if (pattern.isExact) return "exact"
  return coversDanger(pattern.literal, texts) ? "pattern" : undefined
}
