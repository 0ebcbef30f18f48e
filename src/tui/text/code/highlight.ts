/**
 * Colours code line by line. What a line needs to know of the lines before it is its state, so a long text can be
 * coloured in pieces and a line is never looked at twice.
 */
import type { Role } from "../../screen/style/roles.ts"
import type { Language, Rule } from "./grammar.ts"

export interface Token {
  readonly start: number
  readonly end: number
  readonly role: Role
}

/** Names of the open modes, innermost last. */
export type HighlightState = ReadonlyArray<string>

export const HIGHLIGHT_START: HighlightState = []

/** Deeper than anything people write; a hostile text shall not grow the state. */
const MOST_MODES = 64

interface Matcher {
  readonly pattern: RegExp
  readonly rules: ReadonlyArray<Rule>
  readonly role: Role | undefined
  readonly line: boolean
}

const compiled = new WeakMap<Language, Map<string, Matcher>>()

const matcherOf = (language: Language, name: string): Matcher => {
  const matchers = compiled.get(language) ?? new Map<string, Matcher>()
  if (matchers.size === 0) compiled.set(language, matchers)
  const known = matchers.get(name)
  if (known !== undefined) return known
  const mode = language.modes[name]
  const rules = mode?.rules ?? []
  const source = rules.map((rule) => `(${rule.match})`).join("|")
  const made: Matcher = {
    pattern: new RegExp(source === "" ? "(?!)" : source, language.ignoreCase ? "giu" : "gu"),
    rules,
    role: mode?.role,
    line: mode?.line === true
  }
  matchers.set(name, made)
  return made
}

const CAPITAL = /^\p{Lu}(?=.*\p{Ll})/u
const CALL = /\s*\(/y

const roleOfWord = (
  word: string,
  after: { readonly line: string; readonly at: number },
  language: Language
): Role | undefined => {
  const known = language.words.get(language.ignoreCase ? word.toLowerCase() : word)
  if (known !== undefined) return known
  if (language.capitals && CAPITAL.test(word)) return "type"
  CALL.lastIndex = after.at
  return CALL.test(after.line) ? "function" : undefined
}

const ruleOf = (match: RegExpExecArray, rules: ReadonlyArray<Rule>): Rule | undefined => {
  for (let index = 0; index < rules.length; index++) {
    if (match[index + 1] !== undefined) return rules[index]
  }
  return undefined
}

const add = (
  tokens: Array<Token>,
  role: Role | undefined,
  range: { readonly start: number; readonly end: number }
): void => {
  if (role === undefined || range.end <= range.start) return
  const last = tokens.at(-1)
  const goesOn = last !== undefined && last.role === role && last.end === range.start
  if (goesOn) tokens[tokens.length - 1] = { ...last, end: range.end }
  else tokens.push({ ...range, role })
}

export interface Tokenized {
  readonly tokens: ReadonlyArray<Token>
  readonly state: HighlightState
}

export const tokenize = (line: string, state: HighlightState, language: Language): Tokenized => {
  const tokens: Array<Token> = []
  const stack = [...state]
  let at = 0
  for (;;) {
    const matcher = matcherOf(language, stack.at(-1) ?? "root")
    matcher.pattern.lastIndex = at
    const match = matcher.pattern.exec(line)
    add(tokens, matcher.role, { start: at, end: match?.index ?? line.length })
    if (match === null) break
    const end = match.index + match[0].length
    const rule = ruleOf(match, matcher.rules)
    const role = rule?.word === true ? roleOfWord(match[0], { line, at: end }, language) : rule?.role
    add(tokens, role ?? matcher.role, { start: match.index, end })
    if (rule?.pop === true) stack.pop()
    if (rule?.push !== undefined && stack.length < MOST_MODES) stack.push(rule.push)
    // A rule that matches nothing must change the mode or it would match for ever.
    at = end > match.index || rule?.push !== undefined || rule?.pop === true ? end : end + 1
    if (at > line.length) break
    if (match[0] === "" && at === line.length) break
  }
  while (stack.length > 0 && matcherOf(language, stack.at(-1) ?? "root").line) stack.pop()
  return { tokens, state: stack }
}
