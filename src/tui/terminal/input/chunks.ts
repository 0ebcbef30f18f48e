/**
 * Bytes that wait for the rest of their sequence. A list that grows at its end without copying what came before, so a
 * paste of megabytes costs one copy, and an older state stays what it was.
 */
export interface Chunks {
  readonly bytes: Uint8Array
  readonly before: Chunks | undefined
  readonly length: number
}

/** Adds a copy: the reader may reuse its buffer. */
export const append = (chunks: Chunks | undefined, bytes: Uint8Array): Chunks => ({
  bytes: bytes.slice(),
  before: chunks,
  length: (chunks?.length ?? 0) + bytes.length
})

export const join = (chunks: Chunks | undefined): Uint8Array => {
  const joined = new Uint8Array(chunks?.length ?? 0)
  let end = joined.length
  for (let link = chunks; link !== undefined; link = link.before) {
    end -= link.bytes.length
    joined.set(link.bytes, end)
  }
  return joined
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

/** Bytes that are not UTF-8 become U+FFFD. */
export const decodeUtf8 = (bytes: Uint8Array): string => utf8.decode(bytes)

const CR = 0x0d
const LF = 0x0a

/** The text of a paste: CR LF and CR become LF. On bytes: replacing in megabytes of text takes several times longer. */
export const pastedText = (bytes: Uint8Array): string => {
  const first = bytes.indexOf(CR)
  if (first === -1) return decodeUtf8(bytes)
  const lines = bytes.slice()
  let length = first
  for (let at = first; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === CR && bytes[at + 1] === LF) continue
    lines[length++] = byte === CR ? LF : byte
  }
  return decodeUtf8(lines.subarray(0, length))
}

/** How many bytes the character takes that begins with this byte; 1 for what cannot begin one. */
export const characterBytes = (lead: number): number =>
  lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xc2 && lead < 0xe0 ? 2 : 1

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80

/** Whether the bytes stop inside a character that more bytes could complete. */
export const endsInsideCharacter = (chunks: Chunks | undefined): boolean => {
  let back = 0
  for (let link = chunks; link !== undefined; link = link.before) {
    for (let at = link.bytes.length - 1; at >= 0; at--) {
      const byte = link.bytes[at] ?? 0
      back++
      if (!isContinuation(byte)) return characterBytes(byte) > back
      if (back === 3) return false
    }
  }
  return false
}
