import { toLf } from "../../domain/text/line-ending.ts"

const ITEM = /^\s*[-*+] /
const CONTINUED = /^\s+\S/

/** Behind the last item of the last list, or -1. */
const endOfLastList = (lines: ReadonlyArray<string>): number => {
  let at = lines.findLastIndex((line) => ITEM.test(line))
  if (at < 0) return -1
  while (CONTINUED.test(lines[at + 1] ?? "")) at += 1
  return at + 1
}

/** What somebody wants remembered, as one item of a list. */
const noteLine = (note: string): string => `- ${note.trim().replaceAll(/\s*\n\s*/g, " ")}`

const joined = (lines: ReadonlyArray<string>, like: string): string =>
  `${lines.join("\n")}\n`.replaceAll("\n", like.includes("\r\n") ? "\r\n" : "\n")

/** The text with one more item: under its last list, or at the end. Line ends stay what they were. */
export const withNote = (text: string, note: string): string => {
  const bullet = noteLine(note)
  const lines = toLf(text).trimEnd().split("\n")
  const place = endOfLastList(lines)
  const isEmpty = lines.length === 1 && lines[0] === ""
  const added = place >= 0 ? lines.toSpliced(place, 0, bullet) : isEmpty ? [bullet] : [...lines, "", bullet]
  return joined(added, text)
}

/** The text without the last item that says this; undefined when none does any more. */
export const withoutNote = (text: string, note: string): string | undefined => {
  const lines = toLf(text).trimEnd().split("\n")
  const at = lines.lastIndexOf(noteLine(note))
  if (at < 0) return undefined
  const left = lines.toSpliced(at, 1)
  return left.every((line) => line.trim() === "") ? "" : joined(left, text)
}
