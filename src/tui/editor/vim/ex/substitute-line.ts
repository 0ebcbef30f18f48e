/** `:s`, `:&`, `:~`: what was typed, and what is taken over from the substitution before. */
import type { LineRange } from "../state/command.ts"
import { joinLines } from "../engine/join.ts"
import { splitPattern } from "../motions/searches.ts"
import { noteRegister } from "../state/register.ts"
import type { Substitution } from "../state/state.ts"
import { clamp, fail, moveTo, remember, type Turn, update } from "../engine/running-command.ts"
import { onLine } from "./lines.ts"
import { runSubstitution } from "./substitute.ts"

interface Typed {
  /** Undefined when nothing but flags was given: pattern and replacement are those of before. */
  readonly own: { readonly pattern: string; readonly replacement: string } | undefined
  readonly keepsFlags: boolean
  readonly flags: string
  readonly count: number | undefined
  /** What follows: nothing, a comment, or a bar and the next command; anything else is an error. */
  readonly rest: string
}

const readTyped = (name: string, argument: string): Typed => {
  const text = argument.trimStart()
  const delimiter = text.charAt(0)
  const hasOwn = name === "substitute" && !/^[\w\s"|\\]?$/.test(delimiter)
  const first = splitPattern(hasOwn ? text.slice(1) : "", delimiter)
  const second = splitPattern(first.rest ?? "", delimiter)
  const behind = hasOwn ? (second.rest ?? "") : text
  const match = /^\s*(&?)([cegiInp#lr]*)\s*(\d*)\s*/.exec(behind)
  const digits = match?.[3] ?? ""
  return {
    own: hasOwn ? { pattern: first.pattern, replacement: second.pattern } : undefined,
    keepsFlags: match?.[1] === "&",
    flags: match?.[2] ?? "",
    count: digits === "" ? undefined : Number(digits),
    rest: behind.slice(match?.[0].length ?? 0)
  }
}

/** The command behind a bar, which may also stand in a pattern or replacement; undefined when there is none. */
export const commandBehind = (name: string, argument: string): string | undefined => {
  const { rest } = readTyped(name, argument)
  return rest.startsWith("|") ? rest.slice(1) : undefined
}

/** Some flags turn each other off, or themselves when they are given twice. */
const withFlags = (before: string, typed: string): string => {
  let flags = before.replace("r", "")
  for (const flag of typed) {
    if (flag === "i" || flag === "I") flags = flags.replace(/[iI]/, "") + flag
    else if (!flags.includes(flag)) flags += flag
    else if (/[gce]/.test(flag)) flags = flags.replace(flag, "")
  }
  return flags
}

/** `~` in a replacement is the one before. */
const withPrevious = (replacement: string, previous: string): string =>
  replacement.replace(/\\.|~/gs, (part) => (part === "~" ? previous : part === "\\~" ? "~" : part))

/** The pattern is also the last search, in the direction and with the offset of the one before. */
const noteSearch = (turn: Turn, pattern: string): Turn => {
  const { search: last } = turn.vim.memory
  const { backward = false, offset = "" } = last ?? {}
  const anyCase = last?.anyCase === true && last.pattern === pattern ? ({ anyCase: true } as const) : {}
  const search = { pattern, backward, offset, ...anyCase }
  return update(remember(turn, { search }), { registers: noteRegister(turn.vim.registers, "/", pattern) })
}

const withCount = (range: LineRange, count: number | undefined, turn: Turn): LineRange =>
  count === undefined ? range : { first: range.last, last: Math.min(range.last + count - 1, turn.vim.buffer.count - 1) }

/** Line ends that become nothing are lines that are joined. */
const joinAll = (turn: Turn, { first, last }: LineRange): Turn => {
  const count = Math.min(last + 2, turn.vim.buffer.count) - first
  const begun = clamp(moveTo(turn, onLine(turn, first)))
  return count > 1 ? joinLines(begun, { line: first, count }, false) : begun
}

const NOTHING: Substitution = { pattern: undefined, replacement: "", flags: "", expanded: "" }
const MISSING = "E35: No previous regular expression"

/** What is known before the pattern is: it stays known when the pattern is missing. */
const noteTyped = (turn: Turn, typed: Typed): Substitution => {
  const { substitution = NOTHING } = turn.vim.memory
  const flags = withFlags(typed.keepsFlags ? substitution.flags : "", typed.flags)
  return { ...substitution, flags, replacement: typed.own?.replacement ?? substitution.replacement }
}

const isJoin = ({ own, flags, count, keepsFlags }: Typed): boolean =>
  own?.pattern === "\\n" && own.replacement === "" && /^[glp#]?$/.test(flags) && !keepsFlags && count === undefined

interface Asked {
  readonly name: string
  readonly argument: string
  readonly inGlobal: boolean
}

/** `:s/pattern/replacement/flags count`; `:&` and `:s` do the last one again, `:~` with the last pattern of all. */
export const substitute = (turn: Turn, range: LineRange, rule: Asked): Turn => {
  const { memory, wanted } = turn.vim
  const typed = readTyped(rule.name, rule.argument)
  if (typed.own === undefined && memory.substitution === undefined) return fail(turn, MISSING)
  if (isJoin(typed)) {
    const substitution = { ...(memory.substitution ?? NOTHING), pattern: "\\n", replacement: "" }
    return joinAll(remember(noteSearch(turn, "\\n"), { substitution }), range)
  }
  const noted = noteTyped(turn, typed)
  const known = remember(turn, { substitution: noted })
  if (/^[^"|]/.test(typed.rest)) return fail(known, `E488: Trailing characters: ${typed.rest}`)
  if (noted.replacement.startsWith("\\=")) return fail(known, "E15: Expressions are not supported in a replacement")
  const usesLast = typed.own !== undefined || rule.name === "~" || typed.flags.includes("r")
  const pattern = typed.own?.pattern || (usesLast ? memory.search?.pattern : noted.pattern)
  if (pattern === undefined) return fail(known, MISSING)
  const expanded = withPrevious(noted.replacement, noted.expanded)
  const searched = usesLast ? noteSearch(known, pattern) : known
  const ready = remember(searched, { substitution: { ...noted, pattern, expanded }, highlight: true })
  const toEnd = typed.own === undefined && wanted === Infinity
  const lines = withCount(range, typed.count, turn)
  const flags = rule.inGlobal ? `${noted.flags}e` : noted.flags
  const anyCase = usesLast && !typed.own?.pattern && memory.search?.anyCase === true
  return runSubstitution(ready, { range: lines, pattern, replacement: expanded, flags, toEnd, anyCase })
}
