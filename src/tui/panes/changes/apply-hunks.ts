import type { DiffHunk } from "../../text/diff/diff-source.ts"

/** A text after the hunks of one change; undefined when they were not made from this text. */
export const applyHunks = (text: string, hunks: ReadonlyArray<DiffHunk>): string | undefined => {
  const lines = text.split("\n")
  let drift = 0
  for (const { oldStart, lines: changed } of hunks) {
    const body = changed.filter((line) => !line.startsWith("\\"))
    const before = body.flatMap((line) => (line.startsWith("+") ? [] : [line.slice(1)]))
    const after = body.flatMap((line) => (line.startsWith("-") ? [] : [line.slice(1)]))
    const start = Math.max(0, oldStart - 1) + drift
    if (before.some((line, index) => lines[start + index] !== line)) return undefined
    lines.splice(start, before.length, ...after)
    drift += after.length - before.length
  }
  return lines.join("\n")
}
