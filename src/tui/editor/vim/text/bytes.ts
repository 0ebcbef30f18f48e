/**
 * Offsets in bytes of UTF-8. Vim keeps columns in bytes and carries them over to other lines and other texts; what it
 * does there can only be expressed in its own unit.
 */
const bytesOf = (char: string): number => {
  const code = char.codePointAt(0) ?? 0
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4
}

/** Bytes before an offset; behind the text's end every unit counts as one. */
export const bytesBefore = (text: string, column: number): number => {
  let bytes = Math.max(0, column - text.length)
  for (const char of text.slice(0, column)) bytes += bytesOf(char)
  return bytes
}

export const byteLength = (text: string): number => bytesBefore(text, text.length)

/** The offset of the character that a byte belongs to; what is behind the text stays as far behind it. */
export const columnAtByte = (text: string, byte: number): number => {
  let left = byte
  let column = 0
  for (const char of text) {
    const size = bytesOf(char)
    if (left < size) return column
    left -= size
    column += char.length
  }
  return column + left
}

/** Whole characters between two bytes. */
export const sliceBytes = (text: string, from: number, to: number): string =>
  text.slice(columnAtByte(text, from), columnAtByte(text, to))
