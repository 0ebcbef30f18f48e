import { LIMITS } from "../../domain/limits.ts"
import { bodyToText, bomLength, type Encoding, utf16Transcoder } from "../../domain/text/encoding.ts"
import { addChars, type CharCount, countChars, tokensOf } from "../../model/tokens/running-estimate.ts"
import { checkUtf8, isComplete, startUtf8Check } from "../../domain/text/utf8.ts"

/**
 * One page of lines out of a file that arrives in pieces. The page is kept, everything else is only counted, so the
 * memory is that of the page whatever the size of the file or of a line.
 */
export interface PageRequest {
  readonly encoding: Encoding
  /** 1-based. */
  readonly firstLine: number
  readonly maxLines: number
  readonly maxTokens: number
  /** A page that does not fit ends the reading; otherwise it is closed and lines are counted on. */
  readonly stopWhenFull: boolean
}

export interface Page {
  /** Without line ends; long lines cut. */
  readonly lines: ReadonlyArray<string>
  readonly totalLines: number
  /** Lines of the page that were cut. */
  readonly cutLines: number
  /** The next line did not fit into the tokens. */
  readonly full: boolean
  readonly endsWithNewline: boolean
  /** False: the file must be read again as Latin-1. */
  readonly validEncoding: boolean
}

export interface Pager {
  /** False when no further piece is needed. */
  readonly push: (piece: Uint8Array) => boolean
  readonly finish: () => Page
}

const LF = 0x0a
const CR = 0x0d
/** UTF-8 needs at most three bytes for one UTF-16 unit, so this many hold the longest line that is shown. */
const KEPT_LINE_BYTES = LIMITS.readLineChars * 3 + 8

/** UTF-16 units of a piece of UTF-8, also when characters are split between pieces: each counts at its first byte. */
const utf16Units = (bytes: Uint8Array): number => {
  let units = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    if (byte < 0x80 || byte >= 0xc0) units += byte >= 0xf0 ? 2 : 1
  }
  return units
}

/** The line being collected: its first bytes, and the length of all of it. */
class OpenLine {
  private readonly kept = new Uint8Array(KEPT_LINE_BYTES)
  private keptLength = 0
  private units = 0
  private lastByte = 0
  private readonly encoding: Encoding

  constructor(encoding: Encoding) {
    this.encoding = encoding
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    const room = bytes.subarray(0, KEPT_LINE_BYTES - this.keptLength)
    this.kept.set(room, this.keptLength)
    this.keptLength += room.length
    this.units += this.encoding === "latin1" ? bytes.length : utf16Units(bytes)
    this.lastByte = bytes.at(-1) ?? 0
  }

  /** The line as shown, and a fresh start. */
  take(endedByNewline: boolean): { readonly text: string; readonly cut: boolean } {
    const carriageReturn = endedByNewline && this.lastByte === CR ? 1 : 0
    const length = this.units - carriageReturn
    const text = bodyToText(this.kept.subarray(0, this.keptLength), this.encoding)
    this.keptLength = 0
    this.units = 0
    this.lastByte = 0
    if (length <= LIMITS.readLineChars) return { text: text.slice(0, length), cut: false }
    const shown = wholeCharacters(text, LIMITS.readLineChars)
    return { text: `${shown}... [${length - shown.length} more characters on this line]`, cut: true }
  }
}

/** The first characters of a text without splitting a surrogate pair. */
const wholeCharacters = (text: string, limit: number): string => {
  const code = text.charCodeAt(limit - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit)
}

class BodyPager {
  private readonly lines: Array<string> = []
  private readonly open: OpenLine
  private readonly request: PageRequest
  private chars: CharCount = { ascii: 0, other: 0 }
  private newlines = 0
  private unfinished = false
  private full = false
  private cutLines = 0

  constructor(request: PageRequest) {
    this.request = request
    this.open = new OpenLine(request.encoding)
  }

  private inPage(): boolean {
    const line = this.newlines + 1
    return !this.full && line >= this.request.firstLine && this.lines.length < this.request.maxLines
  }

  private close(endedByNewline: boolean): void {
    if (!this.inPage()) return
    const { text, cut } = this.open.take(endedByNewline)
    const chars = addChars(this.chars, countChars(`${this.newlines + 1}\t${text}\n`))
    const fits = tokensOf(chars) <= this.request.maxTokens
    const firstOfFirstPage = this.lines.length === 0 && !this.request.stopWhenFull
    if (!fits && !firstOfFirstPage) {
      this.full = true
      return
    }
    this.chars = chars
    this.lines.push(text)
    if (cut) this.cutLines += 1
  }

  push(body: Uint8Array): boolean {
    let at = 0
    while (at < body.length) {
      const feed = body.indexOf(LF, at)
      const end = feed === -1 ? body.length : feed
      if (this.inPage()) this.open.add(body.subarray(at, end))
      if (feed === -1) {
        this.unfinished = true
        break
      }
      this.close(true)
      this.newlines += 1
      this.unfinished = false
      at = feed + 1
    }
    return !(this.full && this.request.stopWhenFull)
  }

  finish(validEncoding: boolean): Page {
    if (this.unfinished) this.close(false)
    return {
      lines: this.lines,
      totalLines: this.newlines + (this.unfinished ? 1 : 0),
      cutLines: this.cutLines,
      full: this.full,
      endsWithNewline: this.newlines > 0 && !this.unfinished,
      validEncoding
    }
  }
}

const utf16Pager = (request: PageRequest, encoding: "utf16le" | "utf16be"): Pager => {
  const pager = new BodyPager(request)
  const transcode = utf16Transcoder(encoding)
  return {
    push: (piece) => pager.push(transcode(piece, false)),
    finish: () => {
      pager.push(transcode(new Uint8Array(0), true))
      return pager.finish(true)
    }
  }
}

export const makePager = (request: PageRequest): Pager => {
  const { encoding } = request
  if (encoding === "utf16le" || encoding === "utf16be") return utf16Pager(request, encoding)
  const pager = new BodyPager(request)
  let mark = bomLength(encoding)
  let check = encoding === "latin1" ? undefined : startUtf8Check
  return {
    push: (piece) => {
      const body = piece.subarray(mark)
      mark -= piece.length - body.length
      if (check !== undefined) {
        check = checkUtf8(check, body)
        if (!check.valid) return false
      }
      return pager.push(body)
    },
    finish: () => pager.finish(check === undefined || isComplete(check))
  }
}
