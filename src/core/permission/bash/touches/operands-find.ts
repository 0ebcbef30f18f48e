import type { Touch } from "../shell-analysis.ts"
import { textOf } from "../arguments/arguments.ts"
import { touchesOfText, touchesOfWord, type Places } from "./path-touch.ts"
import type { Word } from "../program.ts"

/** The places where find starts: everything before the first test. */
export const findRoots = (words: ReadonlyArray<Word>, at: number): ReadonlyArray<Word> => {
  const rest = words.slice(at + 1)
  const start = rest.findIndex((word) => !/^-(?:[HLP]|O\d?|D)$/.test(textOf(word)))
  const end = rest.findIndex((word, index) => index >= start && /^(?:-|[(!,]$)/.test(textOf(word)))
  return start < 0 ? [] : rest.slice(start, end < 0 ? rest.length : end)
}

const WRITES = /^-f(?:print0?|printf|ls)$/
const READS = /^-(?:newer[a-zA-Z]{0,2}|anewer|cnewer|samefile|files0-from)$/

/** Tests that leave something out, so that an action does not meet everything. */
const NARROWS = /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|[acm](?:time|min)|newer\w*|size|empty)$/

export const isNarrowed = (words: ReadonlyArray<Word>, at: number): boolean =>
  words.some((word, index) => {
    const pattern = words[index + 1]
    return index > at && NARROWS.test(textOf(word)) && (pattern === undefined || !/^[*./]*$/.test(textOf(pattern)))
  })

export const findTouches = (words: ReadonlyArray<Word>, at: number, places: Places): ReadonlyArray<Touch> => {
  const access = words.some((word) => textOf(word) === "-delete") ? "remove" : "read"
  const roots = findRoots(words, at)
  return [
    ...(roots.length === 0 ? touchesOfText(".", access, places, { recursive: true }) : []),
    ...roots.flatMap((root) => touchesOfWord(root, access, places, { recursive: true })),
    ...words.flatMap((word, index) => {
      const before = words[index - 1]
      if (before === undefined || index <= at + 1) return []
      const action = textOf(before)
      if (WRITES.test(action)) return touchesOfWord(word, "write", places)
      return READS.test(action) ? touchesOfWord(word, "read", places) : []
    })
  ]
}
