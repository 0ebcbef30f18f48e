/** Changes of files as the text of a patch, with the places of its parts: what is yanked from a diff can be applied. */
import { structuredPatch } from "diff"
import { hunksBetween } from "./line-diff.ts"

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
  /** How git writes the kind and the rights of a file, where they changed. */
  readonly modes?: { readonly before: string; readonly after: string }
  readonly hunks: ReadonlyArray<DiffHunk>
  /** What no lines tell: a binary file, another mode. One row each. */
  readonly notes?: ReadonlyArray<string>
}

const CONTEXT_LINES = 3
/** The smallest difference is worth a moment; beyond so many changes a good one has to do. */
const MOST_EDITS = 200
const MOST_CHARS = 100_000

/** The changes between two texts of a file. A diff for the eye must not hold up a frame. */
export const fileDiff = (path: string, oldText: string, newText: string): FileDiff => {
  if (oldText === newText) return { path, hunks: [] }
  if (oldText.length + newText.length > MOST_CHARS) return { path, hunks: hunksBetween(oldText, newText) }
  const patch = structuredPatch(path, path, oldText, newText, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MOST_EDITS
  })
  return { path, hunks: patch?.hunks ?? hunksBetween(oldText, newText) }
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

const ESCAPES: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\" }

const octal = (character: string): string => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`

/** A name that would end a line of the header or be read as another is quoted as git quotes it. */
const quoted = (name: string): string => {
  const escaped = name.replace(/["\\\u0000-\u001f\u007f]/g, (found) => ESCAPES[found] ?? octal(found))
  return escaped === name ? name : `"${escaped}"`
}

const sidePath = (side: "a" | "b", path: string): string => quoted(path.startsWith("/") ? path : `${side}/${path}`)

/** After a name with a blank a tab says where it ends. */
const pathIn = (side: "a" | "b", path: string): string => {
  const name = sidePath(side, path)
  return name.includes(" ") && !name.startsWith('"') ? `${name}\t` : name
}

/** What git needs to know of a file besides its lines. */
const extendedHeader = ({ path, oldPath = path, change, modes, hunks }: FileDiff): ReadonlyArray<string> => {
  const isMoved = oldPath !== path
  const isEmpty = change !== undefined && hunks.length === 0
  if (!isMoved && !isEmpty && modes === undefined) return []
  return [
    `diff --git ${sidePath("a", oldPath)} ${sidePath("b", path)}`,
    ...(modes === undefined ? [] : [`old mode ${modes.before}`, `new mode ${modes.after}`]),
    ...(isMoved ? [`rename from ${quoted(oldPath)}`, `rename to ${quoted(path)}`] : []),
    ...(isEmpty ? [`${change === "created" ? "new" : "deleted"} file mode 100644`] : [])
  ]
}

/** The lines before the hunks. Notes stand first, where programs that read patches skip them. */
export const fileHeader = (file: FileDiff): string => {
  const { path, oldPath, change, hunks, notes = [] } = file
  const extended = extendedHeader(file)
  const sides = [
    `--- ${change === "created" ? "/dev/null" : pathIn("a", oldPath ?? path)}`,
    `+++ ${change === "deleted" ? "/dev/null" : pathIn("b", path)}`
  ]
  return [...notes, ...extended, ...(extended.length > 0 && hunks.length === 0 ? [] : sides)]
    .map((line) => `${line}\n`)
    .join("")
}

/** One hunk as a patch of its own: the lines alone, where the file is now. */
export const hunkPatch = ({ path, oldPath, change }: FileDiff, hunk: DiffHunk): string =>
  unifiedSource([
    { path, ...(oldPath === undefined ? {} : { oldPath }), ...(change === undefined ? {} : { change }), hunks: [hunk] }
  ]).source

const hunkText = (hunk: DiffHunk): string => [hunkHeader(hunk), ...hunk.lines].map((line) => `${line}\n`).join("")

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
