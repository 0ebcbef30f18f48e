/** Whether bytes are UTF-8, decided piece by piece so that a file of any size needs no memory. */
export interface Utf8Check {
  readonly valid: boolean
  /** Continuation bytes that the current character still needs, and the range that the next of them may have. */
  readonly missing: number
  readonly low: number
  readonly high: number
}

export const startUtf8Check: Utf8Check = { valid: true, missing: 0, low: 0x80, high: 0xbf }

const INVALID: Utf8Check = { ...startUtf8Check, valid: false }

type Lead = Omit<Utf8Check, "valid">

const TWO: Lead = { missing: 1, low: 0x80, high: 0xbf }
const THREE: Lead = { missing: 2, low: 0x80, high: 0xbf }
const FOUR: Lead = { missing: 3, low: 0x80, high: 0xbf }

/** First bytes whose second byte is restricted: overlong forms, surrogates and too large numbers are not characters. */
const RESTRICTED: Readonly<Record<number, Lead>> = {
  0xe0: { ...THREE, low: 0xa0 },
  0xed: { ...THREE, high: 0x9f },
  0xf0: { ...FOUR, low: 0x90 },
  0xf4: { ...FOUR, high: 0x8f }
}

/** What a first byte announces, or undefined when no character begins so. */
const lead = (byte: number): Lead | undefined => {
  if (byte < 0xc2 || byte > 0xf4) return undefined
  const ordinary = byte < 0xe0 ? TWO : byte < 0xf0 ? THREE : FOUR
  return RESTRICTED[byte] ?? ordinary
}

/** Four bytes at a time, because this runs over every byte of every file that is read. */
const skipAscii = (piece: Uint8Array, from: number): number => {
  let at = from
  while (at + 4 <= piece.length) {
    const bits = (piece[at] ?? 0) | (piece[at + 1] ?? 0) | (piece[at + 2] ?? 0) | (piece[at + 3] ?? 0)
    if (bits >= 0x80) break
    at += 4
  }
  while (at < piece.length && (piece[at] ?? 0) < 0x80) at += 1
  return at
}

export const checkUtf8 = (state: Utf8Check, piece: Uint8Array): Utf8Check => {
  if (!state.valid) return state
  let { missing, low, high } = state
  for (let at = 0; at < piece.length; at++) {
    if (missing === 0) at = skipAscii(piece, at)
    const byte = piece[at]
    if (byte === undefined) break
    if (missing === 0) {
      const begin = lead(byte)
      if (begin === undefined) return INVALID
      missing = begin.missing
      low = begin.low
      high = begin.high
    } else {
      if (byte < low || byte > high) return INVALID
      missing -= 1
      low = 0x80
      high = 0xbf
    }
  }
  return { valid: true, missing, low, high }
}

/** After the last piece: a character that was begun must have ended. */
export const isComplete = (state: Utf8Check): boolean => state.valid && state.missing === 0

export const isUtf8 = (bytes: Uint8Array): boolean => isComplete(checkUtf8(startUtf8Check, bytes))
