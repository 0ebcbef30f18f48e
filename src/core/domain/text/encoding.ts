import { isUtf8 } from "./utf8.ts"

/**
 * Text in files. Whatever the encoding of a file is, the inside works on a *body*: bytes without byte order mark in
 * which a line feed is one byte 0x0A. A body is UTF-8, or Latin-1 when the file is neither UTF-8 nor UTF-16.
 */
export type Encoding = "utf8" | "utf8-bom" | "utf16le" | "utf16be" | "latin1"

/** NUL within this many bytes means that a file is not text. */
export const SNIFFED_BYTES = 8 * 1024

const UTF8_BOM = [0xef, 0xbb, 0xbf]
const UTF16LE_BOM = [0xff, 0xfe]
const UTF16BE_BOM = [0xfe, 0xff]
const UTF32LE_BOM = [0xff, 0xfe, 0, 0]

const begins = (bytes: Uint8Array, mark: ReadonlyArray<number>): boolean =>
  mark.every((byte, index) => bytes[index] === byte)

/** The encoding that the first bytes announce. Without a mark it is UTF-8 until a byte says otherwise. */
export const announcedEncoding = (head: Uint8Array): Encoding | "binary" => {
  if (begins(head, UTF8_BOM)) return "utf8-bom"
  if (begins(head, UTF32LE_BOM)) return "binary"
  if (begins(head, UTF16LE_BOM)) return "utf16le"
  if (begins(head, UTF16BE_BOM)) return "utf16be"
  return head.subarray(0, SNIFFED_BYTES).includes(0) ? "binary" : "utf8"
}

/** The encoding of a whole file. */
export const detectEncoding = (bytes: Uint8Array): Encoding | "binary" => {
  const announced = announcedEncoding(bytes)
  if (announced === "utf8") return isUtf8(bytes) ? "utf8" : "latin1"
  if (announced === "utf8-bom") return isUtf8(bytes) ? "utf8-bom" : "latin1"
  return announced
}

export const bomLength = (encoding: Encoding): number => {
  if (encoding === "utf8-bom") return UTF8_BOM.length
  return encoding === "utf16le" || encoding === "utf16be" ? UTF16LE_BOM.length : 0
}

const LATIN1_STEP = 8 * 1024

const latin1ToText = (bytes: Uint8Array): string => {
  const parts: Array<string> = []
  for (let at = 0; at < bytes.length; at += LATIN1_STEP) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + LATIN1_STEP)))
  }
  return parts.join("")
}

const textToLatin1 = (text: string): Uint8Array | undefined => {
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 0xff) return undefined
    bytes[index] = code
  }
  return bytes
}

const utf16Label = (encoding: "utf16le" | "utf16be"): string => (encoding === "utf16le" ? "utf-16le" : "utf-16be")

const textToUtf16 = (text: string, encoding: "utf16le" | "utf16be"): Uint8Array => {
  const mark = bomLength(encoding)
  const bytes = new Uint8Array(mark + text.length * 2)
  bytes.set(encoding === "utf16le" ? UTF16LE_BOM : UTF16BE_BOM)
  const view = new DataView(bytes.buffer)
  for (let index = 0; index < text.length; index++) {
    view.setUint16(mark + index * 2, text.charCodeAt(index), encoding === "utf16le")
  }
  return bytes
}

const sameBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && left.every((byte, index) => byte === right[index])

/** Text of (a part of) a body. */
export const bodyToText = (body: Uint8Array, encoding: Encoding): string =>
  encoding === "latin1" ? latin1ToText(body) : new TextDecoder("utf-8", { ignoreBOM: true }).decode(body)

/** Bytes of a body for a text; undefined when the encoding has no such character. */
export const textToBody = (text: string, encoding: Encoding): Uint8Array | undefined =>
  encoding === "latin1" ? textToLatin1(text) : new TextEncoder().encode(text)

/** The body of a file; undefined when it could not be turned back into the same bytes (broken UTF-16). */
export const bodyOf = (bytes: Uint8Array, encoding: Encoding): Uint8Array | undefined => {
  if (encoding !== "utf16le" && encoding !== "utf16be") return bytes.subarray(bomLength(encoding))
  const body = new TextEncoder().encode(new TextDecoder(utf16Label(encoding)).decode(bytes))
  return sameBytes(fileOf(body, encoding), bytes) ? body : undefined
}

/** The bytes of the file that has this body. */
export const fileOf = (body: Uint8Array, encoding: Encoding): Uint8Array => {
  if (encoding === "utf16le" || encoding === "utf16be") return textToUtf16(bodyToText(body, encoding), encoding)
  if (encoding !== "utf8-bom") return body
  const bytes = new Uint8Array(UTF8_BOM.length + body.length)
  bytes.set(UTF8_BOM)
  bytes.set(body, UTF8_BOM.length)
  return bytes
}

/** A decoder of UTF-16 that takes pieces and gives UTF-8. */
export const utf16Transcoder = (encoding: "utf16le" | "utf16be"): ((piece: Uint8Array, last: boolean) => Uint8Array) => {
  const decoder = new TextDecoder(utf16Label(encoding))
  const encoder = new TextEncoder()
  return (piece, last) => encoder.encode(decoder.decode(piece, { stream: !last }))
}
