import type { Span } from "./replace.ts"

/**
 * Places of values in a JSON text that is known to be valid, so that one value can be replaced without rewriting the
 * rest of the text.
 */
const skipBlank = (json: string, at: number): number => {
  let next = at
  while (next < json.length && /\s/.test(json[next] ?? "")) next += 1
  return next
}

const skipString = (json: string, at: number): number => {
  let next = at + 1
  while (json[next] !== '"') next += json[next] === "\\" ? 2 : 1
  return next + 1
}

/** The end of the value that begins at `at`. */
const skipValue = (json: string, at: number): number => {
  let depth = 0
  let next = at
  while (next < json.length) {
    const character = json[next] ?? ""
    if (character === '"') next = skipString(json, next)
    else if (character === "{" || character === "[") {
      depth += 1
      next += 1
    } else if (character === "}" || character === "]") {
      depth -= 1
      next += 1
    } else if (depth === 0) return scalarEnd(json, next)
    else next += 1
    if (depth === 0) return next
  }
  return next
}

const scalarEnd = (json: string, at: number): number => {
  let next = at
  while (next < json.length && !/[\s,\]}]/.test(json[next] ?? "")) next += 1
  return next
}

/** The value of a key of the outermost object; the last one wins, as in JSON.parse. */
export const memberSpan = (json: string, key: string): Span | undefined => {
  let found: Span | undefined
  let at = skipBlank(json, skipBlank(json, 0) + 1)
  while (json[at] === '"') {
    const keyEnd = skipString(json, at)
    const name: unknown = JSON.parse(json.slice(at, keyEnd))
    const start = skipBlank(json, skipBlank(json, keyEnd) + 1)
    const end = skipValue(json, start)
    if (name === key) found = { start, end }
    at = skipBlank(json, end)
    if (json[at] === ",") at = skipBlank(json, at + 1)
  }
  return found
}

/** The elements of the array at `array`. */
export const elementSpans = (json: string, array: Span): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  let at = skipBlank(json, array.start + 1)
  while (at < array.end && json[at] !== "]") {
    const end = skipValue(json, at)
    spans.push({ start: at, end })
    at = skipBlank(json, end)
    if (json[at] === ",") at = skipBlank(json, at + 1)
  }
  return spans
}
