import type { DiffHunk } from "./diff-source.ts"

/** One hunk of a file turned from one side to the other, where the file still holds what the hunk says. */
export type Side = "old" | "new"

const OF_SIDE: Readonly<Record<Side, string>> = { old: "-", new: "+" }
const NO_NEWLINE = "\\"

/** The lines of one side, each with its end. */
const linesOfSide = ({ lines }: DiffHunk, side: Side): ReadonlyArray<string> => {
  const taken: Array<string> = []
  let isTaken = false
  for (const line of lines) {
    if (line.startsWith(NO_NEWLINE)) {
      const last = taken.pop()
      if (isTaken && last !== undefined) taken.push(last.slice(0, -1))
      else if (last !== undefined) taken.push(last)
      continue
    }
    isTaken = line.startsWith(" ") || line.startsWith(OF_SIDE[side])
    if (isTaken) taken.push(`${line.slice(1)}\n`)
  }
  return taken
}

const LINES = /[^\n]*\n|[^\n]+$/g

const standsAt = (lines: ReadonlyArray<string>, part: ReadonlyArray<string>, at: number): boolean =>
  at >= 0 && at + part.length <= lines.length && part.every((line, index) => lines[at + index] === line)

/** Where a part stands: at its place, or at the one other place where it can be. */
const placeOf = (lines: ReadonlyArray<string>, part: ReadonlyArray<string>, expected: number): number | undefined => {
  if (part.length === 0) return lines.length === 0 ? 0 : undefined
  if (standsAt(lines, part, expected)) return expected
  const places = lines.flatMap((_, at) => (standsAt(lines, part, at) ? [at] : []))
  return places.length === 1 ? places[0] : undefined
}

/** The text with the hunk as it is on one side; undefined when the other side is not there, or twice. */
export const turnedHunk = (text: string, hunk: DiffHunk, to: Side): string | undefined => {
  const lines = text.match(LINES) ?? []
  const [before, after] =
    to === "old"
      ? [linesOfSide(hunk, "new"), linesOfSide(hunk, "old")]
      : [linesOfSide(hunk, "old"), linesOfSide(hunk, "new")]
  const at = placeOf(lines, before, (to === "old" ? hunk.newStart : hunk.oldStart) - 1)
  return at === undefined ? undefined : lines.toSpliced(at, before.length, ...after).join("")
}
