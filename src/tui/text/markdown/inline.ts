/** Text inside a block: emphasis, code, links. marked finds the tokens; their raw texts tell where they stand. */
import { appendAll } from "../append-all.ts"
import { Lexer, type Links, type Token } from "marked"
import { DIM, withRole, withTrait } from "../../screen/style/look.ts"
import type { Look, Span } from "../../screen/style/row.ts"
import { sanitize, visibleText } from "../sanitize.ts"
import { characterOf, REFERENCE } from "./entities.ts"
import { targetOf } from "../links.ts"
import type { LocatedText } from "./located.ts"
import { NOTHING_UNFINISHED, openersIn, unfinishedIn, type Range } from "./unfinished.ts"

export interface InlineOptions {
  readonly look: Look
  readonly links: Links
  /** Files below it may become links. */
  readonly workspace: string
  /** A cell of a table: a bar is guarded even in code. */
  readonly inCell?: boolean
  /** More of the text may still come. */
  readonly open?: boolean
}

interface Style {
  readonly look: Look
  readonly link?: string
}

/** Collects pieces line by line. */
interface Sheet {
  readonly source: LocatedText
  readonly options: InlineOptions
  readonly hidden: ReadonlyArray<Range>
  /** Marks behind this place may still be closed. */
  readonly openFrom: number
  readonly lines: Array<Array<Span>>
}

/** Puts text of the source as it stands; line feeds begin a new line. */
const put = (sheet: Sheet, range: Range, style: Style): void => {
  let from = range.from
  for (const hidden of sheet.hidden) {
    if (hidden.from >= from && hidden.to <= range.to) {
      putVisible(sheet, { from, to: hidden.from }, style)
      from = hidden.to
    }
  }
  putVisible(sheet, { from, to: range.to }, style)
}

const putVisible = (sheet: Sheet, { from, to }: Range, style: Style): void => {
  let start = from
  for (const part of sheet.source.text.slice(from, to).split("\n")) {
    if (start > from) sheet.lines.push([])
    const line = sheet.lines.at(-1)
    if (part !== "" && line !== undefined) {
      appendAll(line, sanitize(part, "prose", { ...style, at: sheet.source.placeOf(start) }))
    }
    start += part.length + 1
  }
}

/** Puts another text in the place of a range, as one unit. */
const putUnit = (sheet: Sheet, text: string, { range, style }: { readonly range: Range; readonly style: Style }): void => {
  const at = sheet.source.placeOf(range.from)
  const covers = sheet.source.placeOf(range.to - 1) + 1 - at
  const shown = visibleText(text, "prose").replaceAll(/[\n\t]/g, " ")
  if (shown !== "") sheet.lines.at(-1)?.push({ text: shown, ...style, at, covers })
}

const putText = (sheet: Sheet, { from, to }: Range, style: Style): void => {
  const raw = sheet.source.text.slice(from, to)
  const units = [
    ...[...raw.matchAll(REFERENCE)].map((match) => ({
      from: from + match.index,
      to: from + match.index + match[0].length,
      text: characterOf(match)
    })),
    ...(to > sheet.openFrom
      ? openersIn(raw).map((range) => ({ from: from + range.from, to: from + range.to, text: "" }))
      : []
    ).filter((unit) => unit.from >= sheet.openFrom)
  ].sort((a, b) => a.from - b.from)
  let start = from
  for (const { text, ...range } of units) {
    if (text === undefined || range.from < start) continue
    if (range.from > start) put(sheet, { from: start, to: range.from }, style)
    putUnit(sheet, text, { range, style })
    start = range.to
  }
  if (start < to) put(sheet, { from: start, to }, style)
}

const CODE_MARK = /^`+/
const GUARDED_BAR = /\\\|/g

const putCode = (sheet: Sheet, { from, to }: Range, style: Style): void => {
  const raw = sheet.source.text.slice(from, to)
  const mark = CODE_MARK.exec(raw)?.[0].length ?? 0
  const inner = raw.slice(mark, -mark)
  const padded = /^[ \n]/.test(inner) && /[ \n]$/.test(inner) && inner.trim() !== "" ? 1 : 0
  const code = { ...style, look: withRole(style.look, "codeSpan") }
  const end = to - mark - padded
  let start = from + mark + padded
  for (const match of sheet.options.inCell === true ? inner.matchAll(GUARDED_BAR) : []) {
    const guard = from + mark + match.index
    put(sheet, { from: start, to: guard }, code)
    start = guard + 1
  }
  put(sheet, { from: start, to: end }, code)
}

const lengthOf = (tokens: ReadonlyArray<Token>): number => tokens.reduce((sum, token) => sum + token.raw.length, 0)

const IMAGE_MARK = 2

/** Where the label of a link begins behind its first mark: `![`, `[`, `<` or nothing. */
const labelStart = (raw: string): number => {
  if (raw.startsWith("![")) return IMAGE_MARK
  return raw.startsWith("[") || raw.startsWith("<") ? 1 : 0
}

const putLink = (
  sheet: Sheet,
  token: LinkToken,
  { from, style }: { readonly from: number; readonly style: Style }
): void => {
  const { link, note } = targetOf(token.href, token.text, sheet.options.workspace)
  const look = withTrait(withRole(style.look, "link"), "underline")
  const linked: Style = link === undefined ? style : { look, link }
  const label = labelStart(token.raw)
  const range = { from, to: from + token.raw.length }
  const isVerbatim = token.raw.startsWith(token.text, label) && lengthOf(token.tokens) === token.text.length
  if (isVerbatim && token.text !== "") walk(sheet, token.tokens, { from: from + label, style: linked })
  else putUnit(sheet, token.text === "" ? token.href : token.text, { range, style: linked })
  if (note !== undefined && token.text !== "") sheet.lines.at(-1)?.push({ text: ` (${note})`, look: DIM })
}

interface LinkToken {
  readonly raw: string
  readonly href: string
  readonly text: string
  readonly tokens: ReadonlyArray<Token>
}

const TRAITS = { strong: "bold", em: "italic", del: "strike" } as const

const walk = (
  sheet: Sheet,
  tokens: ReadonlyArray<Token>,
  { from, style }: { readonly from: number; readonly style: Style }
): void => {
  let at = from
  for (const token of tokens) {
    const range = { from: at, to: at + token.raw.length }
    if (token.type === "strong" || token.type === "em" || token.type === "del") {
      const mark = (token.raw.length - lengthOf(token.tokens ?? [])) / 2
      walk(sheet, token.tokens ?? [], {
        from: at + mark,
        style: { ...style, look: withTrait(style.look, TRAITS[token.type]) }
      })
    } else if (token.type === "link" || token.type === "image") {
      putLink(
        sheet,
        { raw: token.raw, href: token["href"], text: token["text"], tokens: token.tokens ?? [] },
        { from: at, style }
      )
    } else if (token.type === "codespan") putCode(sheet, range, style)
    else if (token.type === "escape") put(sheet, { from: at + 1, to: range.to }, style)
    else if (token.type === "br") put(sheet, { from: range.to - 1, to: range.to }, style)
    else putText(sheet, range, style)
    at = range.to
  }
}

/** Nothing in it could be a mark: most lines of most answers. */
const PLAIN = /^[^\\`*_~[\]<>&!@:]*$/

/** The lines of a block of text as pieces, ready to be wrapped. */
export const inlineLines = (source: LocatedText, options: InlineOptions): ReadonlyArray<ReadonlyArray<Span>> => {
  const style: Style = { look: options.look }
  const { length, hidden } = options.open === true ? unfinishedIn(source.text) : NOTHING_UNFINISHED(source.text)
  const openFrom = options.open === true ? source.text.lastIndexOf("\n", length - 1) + 1 : Number.POSITIVE_INFINITY
  const sheet: Sheet = { source, options, hidden, openFrom, lines: [[]] }
  const text = source.text.slice(0, length)
  if (PLAIN.test(text) && !text.includes("www.")) put(sheet, { from: 0, to: length }, style)
  else {
    const lexer = new Lexer({ gfm: true })
    lexer.tokens.links = options.links
    walk(sheet, lexer.inlineTokens(text), { from: 0, style })
  }
  return sheet.lines
}
