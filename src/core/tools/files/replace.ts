/**
 * Exact replacement in the body of a file. Nothing outside the matched spans changes by a byte; a line end of the
 * searched text matches LF and CRLF alike.
 */
export interface Span {
  readonly start: number
  readonly end: number
}

const LF = 0x0a
const CR = 0x0d

/** For each prefix of the needle: the longest shorter prefix that is also its end (Knuth, Morris, Pratt). */
const borders = (needle: Uint8Array): Uint32Array => {
  const table = new Uint32Array(needle.length)
  let length = 0
  for (let index = 1; index < needle.length; index++) {
    while (length > 0 && needle[index] !== needle[length]) length = table[length - 1] ?? 0
    if (needle[index] === needle[length]) length += 1
    table[index] = length
  }
  return table
}

/** Where the match that ends at `end` began: each LF of the needle may stand for two bytes. */
const startOf = (body: Uint8Array, needle: Uint8Array, end: number): number => {
  let at = end
  for (let index = needle.length - 1; index >= 0; index--) {
    at -= 1
    if (needle[index] === LF && at > 0 && body[at - 1] === CR) at -= 1
  }
  return at
}

/**
 * Non-overlapping matches from left to right, in time linear in body and needle. The needle has LF line ends and is
 * not empty.
 */
export const findSpans = (body: Uint8Array, needle: Uint8Array): ReadonlyArray<Span> => {
  const table = borders(needle)
  const first = needle[0] ?? LF
  const spans: Array<Span> = []
  let matched = 0
  let at = 0
  while (at < body.length) {
    if (matched === 0) {
      at = body.indexOf(first, at)
      if (at === -1) break
    }
    const byte = body[at]
    at += 1
    if (byte === CR && body[at] === LF) continue
    while (matched > 0 && byte !== needle[matched]) matched = table[matched - 1] ?? 0
    if (byte === needle[matched]) matched += 1
    if (matched === needle.length) {
      spans.push({ start: startOf(body, needle, at), end: at })
      matched = 0
    }
  }
  return spans
}

/** The body with every span replaced. */
export const replaceSpans = (body: Uint8Array, spans: ReadonlyArray<Span>, replacement: Uint8Array): Uint8Array => {
  const removed = spans.reduce((sum, span) => sum + span.end - span.start, 0)
  const result = new Uint8Array(body.length - removed + spans.length * replacement.length)
  let from = 0
  let to = 0
  for (const span of spans) {
    result.set(body.subarray(from, span.start), to)
    to += span.start - from
    result.set(replacement, to)
    to += replacement.length
    from = span.end
  }
  result.set(body.subarray(from), to)
  return result
}

/** The 1-based lines on which spans begin. */
export const linesOfSpans = (body: Uint8Array, spans: ReadonlyArray<Span>): ReadonlyArray<number> => {
  const lines: Array<number> = []
  let line = 1
  let at = body.indexOf(LF)
  for (const span of spans) {
    while (at !== -1 && at < span.start) {
      line += 1
      at = body.indexOf(LF, at + 1)
    }
    lines.push(line)
  }
  return lines
}
