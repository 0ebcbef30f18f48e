/** Changes of files as the text of a patch, with the places of its parts: what is yanked from a diff can be applied. */
import { structuredPatch } from "diff"

/** The shape in which tools report changes. */
export interface DiffHunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** Each begins with ` `, `+`, `-` or `\`. */
  readonly lines: ReadonlyArray<string>
}

export interface FileDiff {
  readonly path: string
  /** Where the file was before; absent when it stayed. */
  readonly oldPath?: string
  readonly change?: "created" | "deleted"
  readonly hunks: ReadonlyArray<DiffHunk>
  /** What no lines tell: a binary file, another mode. One row each. */
  readonly notes?: ReadonlyArray<string>
}

const CONTEXT_LINES = 3
/** A diff for the eye must not hold up a frame: beyond so many changes everything goes and everything comes. */
const MOST_EDITS = 2_000

const linesOf = (text: string): ReadonlyArray<string> => {
  const lines = text.split("\n")
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines
}

const wholesale = (oldText: string, newText: string): DiffHunk => {
  const removed = linesOf(oldText)
  const added = linesOf(newText)
  return {
    oldStart: 1,
    oldLines: removed.length,
    newStart: 1,
    newLines: added.length,
    lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)]
  }
}

/** The changes between two texts of a file. */
export const fileDiff = (path: string, oldText: string, newText: string): FileDiff => {
  if (oldText === newText) return { path, hunks: [] }
  const patch = structuredPatch(path, path, oldText, newText, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MOST_EDITS
  })
  return { path, hunks: patch === undefined ? [wholesale(oldText, newText)] : patch.hunks }
}

export interface DiffPart {
  readonly name: "file" | "hunk"
  readonly start: number
  readonly end: number
  readonly label: string
}

export interface UnifiedSource {
  readonly source: string
  readonly parts: ReadonlyArray<DiffPart>
}

/** A side without lines is named by the line before it. */
const rangeText = (start: number, lines: number): string => `${lines === 0 ? Math.max(0, start - 1) : start},${lines}`

export const hunkHeader = ({ oldStart, oldLines, newStart, newLines }: DiffHunk): string =>
  `@@ -${rangeText(oldStart, oldLines)} +${rangeText(newStart, newLines)} @@`

const pathIn = (side: "a" | "b", path: string): string => (path.startsWith("/") ? path : `${side}/${path}`)

/** The lines before the hunks. Notes stand there as git writes its own extended headers. */
export const fileHeader = ({ path, oldPath, change, notes = [] }: FileDiff): string =>
  [
    ...notes.map((note) => `${note}\n`),
    `--- ${change === "created" ? "/dev/null" : pathIn("a", oldPath ?? path)}\n`,
    `+++ ${change === "deleted" ? "/dev/null" : pathIn("b", path)}\n`
  ].join("")

const hunkText = (hunk: DiffHunk): string =>
  [hunkHeader(hunk), ...hunk.lines].map((line) => `${line}\n`).join("")

/** The patch of several files. Parts of a file come before those of its hunks. */
export const unifiedSource = (files: ReadonlyArray<FileDiff>): UnifiedSource => {
  const parts: Array<DiffPart> = []
  let source = ""
  for (const file of files) {
    const start = source.length
    const place = parts.length
    source += fileHeader(file)
    for (const hunk of file.hunks) {
      const from = source.length
      source += hunkText(hunk)
      parts.push({ name: "hunk", start: from, end: source.length, label: hunkHeader(hunk) })
    }
    parts.splice(place, 0, { name: "file", start, end: source.length, label: file.path })
  }
  return { source, parts }
}
