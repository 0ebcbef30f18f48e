/** Sizes of text as UTF-8, counted without encoding it. */
const bytesAt = (value: string, index: number): number => {
  const code = value.charCodeAt(index)
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  // Each half of a pair carries two of its four bytes.
  return code >= 0xd800 && code <= 0xdfff ? 2 : 3
}

export const utf8Bytes = (value: string): number => {
  let bytes = 0
  for (let index = 0; index < value.length; index++) bytes += bytesAt(value, index)
  return bytes
}

/** The longest beginning that fits, cut between characters. */
export const takeBytes = (value: string, limitBytes: number): string => {
  if (value.length * 3 <= limitBytes) return value
  let bytes = 0
  let index = 0
  for (; index < value.length; index++) {
    bytes += bytesAt(value, index)
    if (bytes > limitBytes) break
  }
  const head = value.slice(0, index)
  return index < value.length ? head.replace(/[\ud800-\udbff]$/, "") : head
}

const UNITS = ["B", "KB", "MB", "GB"] as const

export const humanSize = (bytes: number): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const amount = bytes / 1024 ** power
  const digits = power === 0 || Number.isInteger(amount) ? 0 : 1
  return `${amount.toFixed(digits)} ${UNITS[power] ?? "B"}`
}
