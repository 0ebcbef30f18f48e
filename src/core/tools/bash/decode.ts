/** Bytes of a command's output to text. A window may begin or end inside a character; such halves are dropped. */
export interface WindowCuts {
  readonly cutBefore: boolean
  readonly cutAfter: boolean
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80

const sequenceLength = (lead: number): number => {
  if (lead >= 0xf0) return 4
  if (lead >= 0xe0) return 3
  return lead >= 0xc0 ? 2 : 1
}

const skipHalfAtStart = (bytes: Uint8Array): number => {
  let start = 0
  while (start < 3 && start < bytes.length && isContinuation(bytes[start] ?? 0)) start++
  return start
}

const skipHalfAtEnd = (bytes: Uint8Array): number => {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isContinuation(byte)) continue
    return sequenceLength(byte) > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** Lossy UTF-8: every invalid byte becomes the replacement character, a byte-order mark is kept. */
export const decodeWindow = (bytes: Uint8Array, cuts: WindowCuts): string =>
  decoder.decode(
    bytes.subarray(cuts.cutBefore ? skipHalfAtStart(bytes) : 0, cuts.cutAfter ? skipHalfAtEnd(bytes) : bytes.length)
  )
