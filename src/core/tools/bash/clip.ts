/** Bounded views of a command's output. */
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
