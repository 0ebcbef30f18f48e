/**
 * What is searched for: a literal text in smart case, or a JavaScript regular expression after `\v`, among all blocks
 * or those of a kind. Matches are found in the source of a block and remembered as long as the block lives.
 */
import type { Block } from "../../block.ts"
import { FLAG, isError, toolFlag } from "../index/flags.ts"
import { lineStarts } from "../index/line-starts.ts"

export interface Range {
  readonly start: number
  readonly end: number
}

export interface Query {
  readonly pattern: RegExp
  /** Longest piece of a line that the pattern is tried on at once; undefined for literals, which take any text. */
  readonly piece: number | undefined
  readonly accepts: (block: Block) => boolean
  /** Entries without one of these flags hold nothing that is accepted. */
  readonly mask: number
  readonly known: WeakMap<Block, ReadonlyArray<Range>>
}

export type Parsed = { readonly query: Query } | { readonly problem: string }

interface Filter {
  readonly mask: number
  readonly accepts: (block: Block) => boolean
}

const KIND_FILTERS: Readonly<Record<string, Filter>> = {
  user: { mask: FLAG.message, accepts: ({ kind }) => kind === "user" },
  assistant: { mask: FLAG.assistant, accepts: ({ kind }) => kind === "text" || kind === "thinking" },
  tool: { mask: FLAG.tool, accepts: ({ kind }) => kind === "tool" },
  error: { mask: FLAG.error, accepts: isError }
}

const EVERYTHING: Filter = { mask: FLAG.message, accepts: () => true }

const FILTER = /^(m:(?:user|assistant|tool|error)|tool:\S+)(?:\s+|$)/

const filterOf = (word: string): Filter => {
  const [kind = "", name = ""] = word.split(":")
  if (kind === "m") return KIND_FILTERS[name] ?? EVERYTHING
  const wanted = name.toLowerCase()
  return {
    mask: /^[A-Z]/.test(name) ? toolFlag(name) : FLAG.tool,
    accepts: ({ tool }) => tool?.toLowerCase() === wanted
  }
}

const both = (a: Filter, b: Filter): Filter => ({
  mask: a.mask === FLAG.message ? b.mask : a.mask,
  accepts: (block) => a.accepts(block) && b.accepts(block)
})

const splitFilters = (text: string): { readonly filter: Filter; readonly rest: string } => {
  let filter = EVERYTHING
  let rest = text
  for (let found = FILTER.exec(rest); found !== null; found = FILTER.exec(rest)) {
    filter = both(filter, filterOf(found[1] ?? ""))
    rest = rest.slice(found[0].length)
  }
  return { filter, rest }
}

/** Case of letters counts when asked for, or when a literal holds a capital. */
const ignoresCase = (text: string): { readonly ignored: boolean; readonly rest: string } => {
  const forced = [...text.matchAll(/\\([cC])/g)].at(-1)?.[1]
  const rest = text.replaceAll(/\\[cC]/g, "")
  return { rest, ignored: forced === undefined ? !/\p{Lu}/u.test(rest.replaceAll(/\\./g, "")) : forced === "c" }
}

const escaped = (text: string): string =>
  text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, (char) => `\\x${char.charCodeAt(0).toString(16)}`)

/** Without letters or a sign of its own a pattern matches the first line of whatever the filters accept. */
const FIRST_LINE = "(?<![\\s\\S])[^\\n]*"

/** A repeated group that itself repeats takes time without bound on the wrong text. */
const NESTED_REPEAT = /\((?:\\.|[^()\\])*(?:[*+]|\{\d+,\d*\})(?:\\.|[^()\\])*\)(?:[*+]|\{\d+,\d*\})/

/** Lengths by the number of open-ended repeats: the time of a try grows with that power of the length. */
const PIECES = [4_096, 4_096, 1_024, 256]

const pieceOf = (pattern: string): number => {
  const repeats = pattern.replaceAll(/\\./g, "x").match(/[*+]|\{\d+,\}/g)?.length ?? 0
  return PIECES[Math.min(repeats, PIECES.length - 1)] ?? 256
}

const compiled = (source: string, flags: string): RegExp | undefined => {
  for (const all of [`${flags}u`, flags]) {
    try {
      return new RegExp(source, all)
    } catch {
      continue
    }
  }
  return undefined
}

/** Reads what was typed after `/` or `?`. */
export const parseQuery = (text: string, options: { readonly meta: boolean } = { meta: false }): Parsed => {
  const { filter, rest: typed } = splitFilters(text)
  const { ignored, rest } = ignoresCase(typed)
  const isPattern = rest.startsWith("\\v")
  const body = isPattern ? rest.slice(2) : rest
  if (isPattern && NESTED_REPEAT.test(body)) {
    return { problem: "This pattern repeats a repeat and could run for ever. Take one of the repeats out." }
  }
  const source = body === "" ? FIRST_LINE : isPattern ? body : escaped(body)
  const pattern = compiled(source, ignored ? "gmi" : "gm")
  if (pattern === undefined) return { problem: `Not a regular expression: ${body}` }
  return {
    query: {
      pattern,
      piece: isPattern && body !== "" ? pieceOf(body) : undefined,
      accepts: (block) => (options.meta || block.meta !== true) && filter.accepts(block),
      mask: filter.mask,
      known: new WeakMap()
    }
  }
}

/** A query for exactly this text, as `*` and `]f` make it. */
export const literalQuery = (text: string, whole: boolean): Query => {
  const edge = (at: string): boolean => /[\p{L}\p{N}_]/u.test(at)
  const before = whole && edge(text.slice(0, 1)) ? "(?<![\\p{L}\\p{N}_])" : ""
  const after = whole && edge(text.slice(-1)) ? "(?![\\p{L}\\p{N}_])" : ""
  return {
    pattern: new RegExp(`${before}${escaped(text)}${after}`, "gu"),
    piece: undefined,
    accepts: ({ meta }) => meta !== true,
    mask: FLAG.message,
    known: new WeakMap()
  }
}

const MOST_MATCHES = 10_000
const NO_MATCHES: ReadonlyArray<Range> = []

const scan = (pattern: RegExp, text: string, base: number): ReadonlyArray<Range> => {
  const found: Array<Range> = []
  for (const match of text.matchAll(pattern)) {
    if (found.length >= MOST_MATCHES) break
    if (match[0] !== "") found.push({ start: base + match.index, end: base + match.index + match[0].length })
  }
  return found
}

/** All matches in a text that is not a block, in order. */
export const matchesInText = ({ pattern, piece }: Query, text: string): ReadonlyArray<Range> => {
  if (piece === undefined) return scan(pattern, text, 0)
  const found: Array<Range> = []
  for (let from = 0; from < text.length && found.length < MOST_MATCHES; from += piece) {
    for (const range of scan(pattern, text.slice(from, from + piece), from)) found.push(range)
  }
  return found
}

const scanPieces = ({ pattern }: Query, block: Block, piece: number): ReadonlyArray<Range> => {
  const found: Array<Range> = []
  const starts = lineStarts(block)
  for (const [line, start] of starts.entries()) {
    const end = (starts[line + 1] ?? block.source.length + 1) - 1
    for (let from = start; from < end && found.length < MOST_MATCHES; from += piece) {
      for (const range of scan(pattern, block.source.slice(from, Math.min(end, from + piece)), from)) found.push(range)
    }
  }
  return found
}

/** All matches in the source of a block, in order. */
export const matchesIn = (query: Query, block: Block): ReadonlyArray<Range> => {
  if (!query.accepts(block)) return NO_MATCHES
  const known = query.known.get(block)
  if (known !== undefined) return known
  const { pattern, piece } = query
  const matches = piece === undefined ? scan(pattern, block.source, 0) : scanPieces(query, block, piece)
  if (matches.length === 0) return NO_MATCHES
  query.known.set(block, matches)
  return matches
}
