/** JSON laid out for reading. The line breaks and indents are drawn; the text underneath stays as it came. */
import { appendAll } from "../../text/append-all.ts"
import { lookOf, TEXT } from "../../screen/style/look.ts"
import type { Look, Row, Span } from "../../screen/style/row.ts"
import { rowsOfLine } from "../../text/rows.ts"
import { sanitize } from "../../text/sanitize.ts"
import { mark, QUIET, type Range } from "./compose.ts"

const MOST_CHARS = 200_000
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gy
const INDENT = 2
const WIDEST_INDENT = 20

const lookFor = (token: string, isKey: boolean): Look => {
  if (token.startsWith('"')) return isKey ? TEXT : lookOf("string")
  return /^[-\d]/.test(token) ? lookOf("number") : lookOf("keyword")
}

interface Line {
  readonly depth: number
  readonly start: number
  readonly spans: ReadonlyArray<Span>
}

const isJson = (text: string): boolean => {
  if (text.length > MOST_CHARS || !/^\s*[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

interface Token {
  readonly text: string
  readonly at: number
}

const tokensOf = (text: string): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  let at = 0
  while (at < text.length) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)
    if (found !== null) tokens.push({ text: found[0], at })
    at += found === null ? 1 : found[0].length
  }
  return tokens
}

const linesOf = (tokens: ReadonlyArray<Token>, base: number): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let depth = 0
  let spans: Array<Span> = []
  let start = base
  const flush = (): void => {
    if (spans.length > 0) lines.push({ depth, start, spans })
    spans = []
  }
  tokens.forEach((token, index) => {
    const next = tokens[index + 1]?.text
    const opens = token.text === "{" || token.text === "["
    const closes = token.text === "}" || token.text === "]"
    const before = tokens[index - 1]?.text
    const isEmpty = closes && (before === "{" || before === "[")
    if (closes && !isEmpty) {
      flush()
      depth--
    }
    if (spans.length === 0) start = base + token.at
    const isMark = opens || closes || token.text === "," || token.text === ":"
    const look = isMark ? QUIET : lookFor(token.text, next === ":")
    appendAll(spans, sanitize(token.text, "code", { look, at: base + token.at }))
    if (token.text === ":") spans.push(mark(" "))
    const breaks = token.text === "," || (opens && next !== "}" && next !== "]")
    if (breaks) flush()
    if (opens && breaks) depth++
  })
  flush()
  return lines
}

/** Rows of a range that is JSON; undefined for any other text. */
export const jsonRows = (source: string, range: Range, width: number): ReadonlyArray<Row> | undefined => {
  const text = source.slice(range.start, range.end)
  if (!isJson(text)) return undefined
  const lines = linesOf(tokensOf(text), range.start)
  return lines.flatMap((line, index) => {
    const end = lines[index + 1]?.start ?? range.end
    const blank = mark(" ".repeat(Math.min(WIDEST_INDENT, line.depth * INDENT)))
    const margin = { first: [blank], rest: [blank] }
    return rowsOfLine(line.spans, { start: line.start, end }, { width, margin })
  })
}
