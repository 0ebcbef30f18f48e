/**
 * The one sanitiser: text from outside becomes spans that hold no control, bidi or invisible character. What is
 * dangerous is shown as an escape in the `control` look; the escape stands for its source as one unit. Line feeds and
 * tabs stay, because layout gives them their meaning.
 */
import { CONTROL, TEXT, withRole } from "../screen/style/look.ts"
import type { Look, Span } from "../screen/style/row.ts"

/** Prose may join letters of scripts that need it; commands (paths, addresses, dialogs too) show every joiner. */
export type TextKind = "prose" | "code" | "command" | "output"

export interface Styled {
  readonly look?: Look
  readonly link?: string
  /** Where the text begins in the source of its block. */
  readonly at?: number
}

/** C0 without TAB and LF, DEL, C1, bidi controls, invisible characters, line separators, tags, lone surrogates. */
const SUSPECT =
  /\r\n|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/gu

/** Plain text of most languages passes with one scan: no match means nothing to do. */
const QUICK =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb]/

/** What only a command must show as well: characters without a shape, and blanks that no shell takes for a blank. */
const UNSEEN_RANGES = [
  [0xa0, 0xa0],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xffa0, 0xffa0],
  [0xe0100, 0xe01ef]
] as const
const codePoint = (code: number): string => `\\u{${code.toString(16)}}`
const UNSEEN = new RegExp(`[${UNSEEN_RANGES.map(([from, to]) => `${codePoint(from)}-${codePoint(to)}`).join("")}]`, "u")
const SUSPECT_IN_COMMAND = new RegExp(`${SUSPECT.source}|${UNSEEN.source}`, "gu")

const isClean = (text: string, kind: TextKind): boolean => !QUICK.test(text) && (kind !== "command" || !UNSEEN.test(text))

const PICTURE_BEFORE = /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?$/u
const PICTURE_AFTER = /^\p{Extended_Pictographic}/u
const JOINING_LETTER =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}]/u

/** Right before a joiner: what is hidden between them is no reason to hide the joiner too. */
const JOINING_BEFORE = new RegExp(`${JOINING_LETTER.source}$`, "u")

/** A picture may say that it wants to be drawn as one. */
const isPresentation = (text: string, at: number): boolean =>
  /[\ufe0e\ufe0f]/.test(text[at] ?? "") && PICTURE_BEFORE.test(text.slice(Math.max(0, at - 2), at))

const isJoiner = (found: string): boolean => found === "\u200d" || found === "\u200c"

const joins = (text: string, at: number, kind: TextKind): boolean => {
  if (kind === "command") return false
  const before = text.slice(Math.max(0, at - 4), at)
  const after = text.slice(at + 1, at + 3)
  if (text[at] === "\u200d" && PICTURE_BEFORE.test(before) && PICTURE_AFTER.test(after)) return true
  return kind === "prose" && JOINING_BEFORE.test(before) && JOINING_LETTER.test(after.slice(0, 1))
}

const MAY_JOIN = new RegExp(
  String.raw`(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}\u200c\u200d\ufe0e\ufe0f]|${JOINING_LETTER.source}|\r|\p{Cs})+$`,
  "u"
)
/** More pictures in a row than this are not a sequence. */
const LONGEST_JOINED = 64

/** How much of a text that is still arriving can be judged: what stands at its end may be joined with what comes. */
export const settledLength = (text: string): number => {
  const joined = MAY_JOIN.exec(text)?.[0].length ?? 0
  return joined > LONGEST_JOINED ? text.length : text.length - joined
}

/** How a character that must not be drawn is shown instead. */
const escapeOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`
  return code === 0x7f ? "^?" : `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`
}

const spanOf = (text: string, style: Styled, at: number): Span => ({
  text,
  look: style.look ?? TEXT,
  ...(style.link === undefined ? {} : { link: style.link }),
  ...(style.at === undefined ? {} : { at: style.at + at })
})

const escaped = (found: string, style: Styled, at: number): Span => ({
  ...spanOf(found === "\r\n" ? "\n" : escapeOf(found), style, at),
  look: style.look === undefined ? CONTROL : withRole(style.look, "control"),
  ...(style.at === undefined ? {} : { covers: found.length })
})

export const sanitize = (text: string, kind: TextKind, style: Styled = {}): ReadonlyArray<Span> => {
  if (text === "") return []
  if (isClean(text, kind)) return [spanOf(text, style, 0)]
  const spans: Array<Span> = []
  let from = 0
  for (const match of text.matchAll(kind === "command" ? SUSPECT_IN_COMMAND : SUSPECT)) {
    const found = match[0]
    if ((isJoiner(found) && joins(text, match.index, kind)) || isPresentation(text, match.index)) continue
    if (match.index > from) spans.push(spanOf(text.slice(from, match.index), style, from))
    spans.push(escaped(found, style, match.index))
    from = match.index + found.length
  }
  if (from < text.length) spans.push(spanOf(text.slice(from), style, from))
  return spans
}

/** The same as one string, for titles, status cells and dialogs that need no source places. */
export const visibleText = (text: string, kind: TextKind): string =>
  isClean(text, kind)
    ? text
    : sanitize(text, kind)
        .map((span) => span.text)
        .join("")

const LAYOUT = /[\t\n]/g

/** The same where there is one line and no layout: tabs and line feeds of a name are seen too. */
export const visibleLine = (text: string, kind: TextKind): string => visibleText(text, kind).replace(LAYOUT, escapeOf)

/** Spans that are drawn as one line, as they are. */
export const inOneLine = (spans: ReadonlyArray<Span>): ReadonlyArray<Span> =>
  spans.some(({ text }) => text.includes("\t") || text.includes("\n"))
    ? spans.map((span) => ({ ...span, text: span.text.replace(LAYOUT, escapeOf) }))
    : spans
