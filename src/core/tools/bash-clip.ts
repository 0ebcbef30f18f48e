/** Bounded views of a command's output: head and tail for a failure, a preview with a path for a large success. */
import { LIMITS } from "../domain/limits.ts"

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** The first characters, never half a surrogate pair. */
export const firstChars = (text: string, max: number): string => {
  if (text.length <= max) return text
  return text.slice(0, max > 0 && isHighSurrogate(text.charCodeAt(max - 1)) ? max - 1 : max)
}

export const lastChars = (text: string, max: number): string => {
  if (text.length <= max) return text
  const start = text.length - max
  return text.slice(isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start)
}

export const withoutFinalNewlines = (text: string): string => text.replace(/[\r\n]+$/, "")

export interface Ends {
  readonly head: string
  readonly tail: string
  readonly maxChars: number
  /** Where the whole output is, if it was kept. */
  readonly path?: string
}

/** Both ends of a text that is too long as a whole; `head` and `tail` may be longer than what is shown of them. */
export const headAndTail = ({ head, tail, maxChars, path }: Ends): string => {
  const half = Math.floor(maxChars / 2)
  const whole = path === undefined ? "" : `; whole output: ${path}`
  const gap = `[... middle of the output left out${whole} ...]`
  return [firstChars(head, half), gap, lastChars(tail, maxChars - half)].join("\n\n")
}

const UNITS = ["bytes", "KB", "MB", "GB"] as const

export const humanSize = (bytes: number): string => {
  let unit = 0
  let value = bytes
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return unit === 0 ? `${bytes} ${UNITS[0]}` : `${value.toFixed(1).replace(/\.0$/, "")} ${UNITS[unit]}`
}

const utf8Bytes = (code: number): number => {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}

/** At most so many UTF-8 bytes, ending with a whole line if one fits, else with a whole character. */
const previewOf = (text: string, maxBytes: number): string => {
  let bytes = 0
  let end = 0
  for (const char of text) {
    bytes += utf8Bytes(char.codePointAt(0) ?? 0)
    if (bytes > maxBytes) break
    end += char.length
  }
  if (end === text.length) return text
  const lineEnd = text.lastIndexOf("\n", end - 1)
  return lineEnd > 0 ? text.slice(0, lineEnd) : text.slice(0, end)
}

export interface Persisted {
  readonly path: string
  readonly bytes: number
  /** Beginning of the output, at least as long as the preview. */
  readonly head: string
}

/** What the model gets in place of a large output that lies on disk. */
export const persistedOutput = ({ path, bytes, head }: Persisted): string => {
  const preview = previewOf(head, LIMITS.spillPreviewBytes)
  return [
    "<persisted-output>",
    `The output is too long to show (${humanSize(bytes)}). All of it is in ${path}`,
    "",
    `Beginning (up to ${LIMITS.spillPreviewBytes} bytes):`,
    preview,
    ...(preview.length < head.length ? ["..."] : []),
    "</persisted-output>"
  ].join("\n")
}
