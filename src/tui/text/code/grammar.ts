/**
 * How a language is described: as data. Most are a grammar (words, comments, strings); the odd ones give their modes
 * themselves. Patterns are sources of regular expressions without capturing groups.
 */
import type { Role } from "../../screen/style/roles.ts"

export interface Rule {
  readonly match: string
  /** Absent: the role of the mode. */
  readonly role?: Role
  readonly push?: string
  readonly pop?: true
  /** The match is a word: the word list and what stands around it give the role. */
  readonly word?: true
}

export interface Mode {
  readonly rules: ReadonlyArray<Rule>
  /** Role of what no rule matches. */
  readonly role?: Role
  /** Over at the end of the line at the latest. */
  readonly line?: true
}

export interface Language {
  readonly name: string
  readonly modes: Readonly<Record<string, Mode>>
  readonly words: ReadonlyMap<string, Role>
  readonly ignoreCase: boolean
  /** Words that begin with a capital letter name types. */
  readonly capitals: boolean
}

export interface StringForm {
  readonly open: string
  readonly close: string
  /** Goes on over line ends. */
  readonly lines?: true
  /** What takes the meaning from the next character, as a pattern; a backslash unless given. */
  readonly escape?: string
  /** Code inside, by the character that ends it. */
  readonly hole?: { readonly open: string; readonly close: ")" | "}" }
}

export interface Grammar {
  readonly keywords: string
  readonly types?: string
  readonly constants?: string
  readonly comments?: ReadonlyArray<string>
  readonly blocks?: ReadonlyArray<{ readonly open: string; readonly close: string; readonly nested?: true }>
  readonly strings?: ReadonlyArray<StringForm>
  readonly rules?: ReadonlyArray<Rule>
  readonly number?: string
  readonly word?: string
  readonly capitals?: boolean
  readonly ignoreCase?: boolean
}

const NUMBER = String.raw`\b(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)[a-zA-Z\d]*`
const WORD = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`
const ESCAPE = String.raw`\\.`

const wordsOf = (grammar: Grammar): ReadonlyMap<string, Role> => {
  const list = (words: string | undefined, role: Role): ReadonlyArray<readonly [string, Role]> =>
    (words ?? "")
      .split(/\s+/)
      .filter((word) => word !== "")
      .map((word) => [grammar.ignoreCase === true ? word.toLowerCase() : word, role])
  return new Map([
    ...list(grammar.types, "type"),
    ...list(grammar.constants, "number"),
    ...list(grammar.keywords, "keyword")
  ])
}

const PAIR = { ")": String.raw`\(`, "}": String.raw`\{` } as const

const stringRules = (form: StringForm, index: number): ReadonlyArray<Rule> => {
  const hasMode = form.lines === true || form.hole !== undefined
  if (hasMode) return [{ match: form.open, role: "string", push: `string ${index}` }]
  const escape = form.escape ?? ESCAPE
  return [{ match: `${form.open}(?:${escape}|(?!${form.close}).)*(?:${form.close}|$)`, role: "string" }]
}

const stringMode = (form: StringForm): Mode => ({
  role: "string",
  ...(form.lines === true ? {} : { line: true as const }),
  rules: [
    { match: form.escape ?? ESCAPE, role: "string" },
    ...(form.hole === undefined
      ? []
      : [{ match: form.hole.open, role: "keyword" as const, push: `hole ${form.hole.close}` }]),
    { match: form.close, role: "string", pop: true }
  ]
})

const blockMode = (
  block: { readonly open: string; readonly close: string; readonly nested?: true },
  index: number
): Mode => ({
  role: "comment",
  rules: [
    { match: block.close, role: "comment", pop: true },
    ...(block.nested === true ? [{ match: block.open, role: "comment" as const, push: `block ${index}` }] : [])
  ]
})

/** Code inside a string: the usual rules until its own bracket closes. */
const holeMode = (close: ")" | "}", rules: ReadonlyArray<Rule>): Mode => ({
  rules: [{ match: `\\${close}`, role: "keyword", pop: true }, { match: PAIR[close], push: `inner ${close}` }, ...rules]
})

const innerMode = (close: ")" | "}", rules: ReadonlyArray<Rule>): Mode => ({
  rules: [{ match: `\\${close}`, pop: true }, { match: PAIR[close], push: `inner ${close}` }, ...rules]
})

export const languageOf = (name: string, grammar: Grammar): Language => {
  const blocks = grammar.blocks ?? []
  const strings = grammar.strings ?? []
  const rules: ReadonlyArray<Rule> = [
    ...(grammar.rules ?? []),
    ...(grammar.comments ?? []).map((open): Rule => ({ match: `${open}.*`, role: "comment" })),
    ...blocks.map((block, index): Rule => ({ match: block.open, role: "comment", push: `block ${index}` })),
    ...strings.flatMap(stringRules),
    { match: grammar.number ?? NUMBER, role: "number" },
    { match: grammar.word ?? WORD, word: true }
  ]
  const holes = [...new Set(strings.flatMap((form) => (form.hole === undefined ? [] : [form.hole.close])))]
  return {
    name,
    words: wordsOf(grammar),
    ignoreCase: grammar.ignoreCase ?? false,
    capitals: grammar.capitals ?? false,
    modes: Object.fromEntries([
      ["root", { rules }],
      ...blocks.map((block, index) => [`block ${index}`, blockMode(block, index)] as const),
      ...strings.map((form, index) => [`string ${index}`, stringMode(form)] as const),
      ...holes.flatMap(
        (close) =>
          [
            [`hole ${close}`, holeMode(close, rules)],
            [`inner ${close}`, innerMode(close, rules)]
          ] as const
      )
    ])
  }
}

/** A language that is not a list of words. */
export const modal = (
  name: string,
  modes: Readonly<Record<string, Mode>>,
  words: ReadonlyMap<string, Role> = new Map()
): Language => ({
  name,
  modes,
  words,
  ignoreCase: false,
  capitals: false
})
