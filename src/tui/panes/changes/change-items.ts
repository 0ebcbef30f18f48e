import type { WorkingFile } from "../../model/msg.ts"
import { EMPTY_ROW, lineRow } from "../../text/line-rows.ts"
import { type DiffOptions, rowsOfHunk } from "../../text/diff/diff-rows.ts"
import { type SplitLine, splitHunkRows, splitLines } from "../../text/diff/split-diff.ts"
import { type DiffHunk, type FileDiff, hunkHeader, hunkPatch, unifiedSource } from "../../text/diff/diff-source.ts"
import type { Look, Row } from "../../screen/style/row.ts"
import { sanitize } from "../../text/sanitize.ts"
import { hunkName } from "../../text/diff/hunk-name.ts"
import { type Item, rowItem } from "../../model/list-state.ts"
import { shortRow } from "../list/short-row.ts"

/** A changed file as items of a list: its head, what no lines tell, and each line of its hunks. */

export interface ChangedView {
  readonly state: string
  readonly diff: FileDiff
  /** Its content cannot be shown. */
  readonly unseen?: WorkingFile["unseen"]
}

const PATH: Look = { role: "text", bold: true }
const ADDED: Look = { role: "success" }
const REMOVED: Look = { role: "error" }
const STATE: Look = { role: "warning" }
const MARK: Look = { role: "badge", bold: true }
const QUIET: Look = { role: "subtle" }

const FILE = "file:"
const HUNK = "hunk:"
const NOTE = "note:"

const NO_HUNK: DiffHunk = { oldStart: 0, oldLines: 0, newStart: 0, newLines: 0, lines: [] }

/** Colours of a hunk that is longer would hold up the frame in which it is first seen. */
const MOST_COLOURED_LINES = 2_000

const count = ({ hunks }: FileDiff, sign: string): number =>
  hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0)

/** How the pane draws diffs; `split`: in two columns. */
export interface ChangeOptions extends DiffOptions {
  readonly split: boolean
  /** What the user said to hunks, by their names. */
  readonly marks: ReadonlyMap<string, string>
}

const foldMark = (isFolded: boolean, glyphs: DiffOptions["glyphs"]): string =>
  glyphs === "ascii" ? (isFolded ? "+" : "-") : isFolded ? "▸" : "▾"

const headRow = ({ state, diff, unseen }: ChangedView, isFolded: boolean, { width, glyphs }: DiffOptions): Row =>
  shortRow(
    [
      { text: `${foldMark(isFolded, glyphs)} ${state} `, look: STATE },
      ...(diff.oldPath === undefined
        ? []
        : [...sanitize(diff.oldPath, "command", { look: QUIET }), { text: " -> ", look: QUIET }]),
      ...sanitize(diff.path, "command", { look: PATH }),
      ...(unseen === undefined
        ? [
            { text: `  +${count(diff, "+")}`, look: ADDED },
            { text: ` ${glyphs === "ascii" ? "-" : "−"}${count(diff, "-")}`, look: REMOVED }
          ]
        : [])
    ],
    width
  )

/** Made when it is asked for, once. */
const later = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

/** Which line of its hunk a row shows: 0 is the header, 1 the first line. */
const lineOfRow = (hunk: DiffHunk, { start }: Row): number => {
  let end = hunkHeader(hunk).length + 1
  for (const [index, line] of hunk.lines.entries()) {
    if (start < end) return index
    end += line.length + 1
  }
  return hunk.lines.length
}

/** The line that a row of two columns stands for: the new one, for it is still there. */
const lineOfSplit = ({ left, right }: SplitLine): number => (right ?? left ?? 0) + 1

const textOfSplit = ({ lines }: DiffHunk, { left, right }: SplitLine): string =>
  [...new Set([left, right])].flatMap((at) => (at === undefined ? [] : [lines[at] ?? ""])).join(" ")

const markOf = (file: FileDiff, hunk: DiffHunk, { marks }: ChangeOptions): string =>
  marks.size === 0 ? "" : (marks.get(hunkName(file, hunk)) ?? "")

/** What was said to a hunk stands first in its header, where no width cuts it off. */
const markedHead = (rows: ReadonlyArray<Row>, mark: string, width: number): ReadonlyArray<Row> => {
  const [head, ...lines] = rows
  if (mark === "" || head === undefined) return rows
  const { start, end } = head
  return [{ ...lineRow([{ text: `${mark} `, look: MARK }, ...head.spans], width), start, end }, ...lines]
}

const hunkItems = (file: FileDiff, index: number, options: ChangeOptions): ReadonlyArray<Item> => {
  const hunk = file.hunks[index] ?? NO_HUNK
  const highlight = options.highlight && hunk.lines.length <= MOST_COLOURED_LINES
  const layOut = options.split ? splitHunkRows : rowsOfHunk
  const rows = later(() =>
    markedHead(layOut(file, hunk, { ...options, highlight }), markOf(file, hunk, options), options.width)
  )
  const source = later(() => hunkPatch(file, hunk))
  const fold = `${FILE}${file.path}`
  const textOf = (line: number): string => (line === 0 ? hunkHeader(hunk) : (hunk.lines[line - 1] ?? ""))
  const itemOf = (line: number, part: number, row: () => Row, text = textOf(line)): Item =>
    rowItem({ id: `${HUNK}${index}:${line}:${part}:${file.path}`, fold, text }, { row, source })
  if (options.split) {
    const beside = splitLines(hunk).map((each, at) =>
      itemOf(lineOfSplit(each), 0, () => rows()[at + 1] ?? EMPTY_ROW, textOfSplit(hunk, each))
    )
    return [itemOf(0, 0, () => rows()[0] ?? EMPTY_ROW), ...beside]
  }
  if (!options.codeWrap) {
    return Array.from({ length: hunk.lines.length + 1 }, (_, line) => itemOf(line, 0, () => rows()[line] ?? EMPTY_ROW))
  }
  const parts = new Map<number, number>()
  return rows().map((row) => {
    const line = lineOfRow(hunk, row)
    const part = parts.get(line) ?? 0
    parts.set(line, part + 1)
    return itemOf(line, part, () => row)
  })
}

interface FileItems {
  readonly open: ReadonlyArray<Item>
  readonly folded: ReadonlyArray<Item>
}

const itemsOf = (view: ChangedView, options: ChangeOptions): FileItems => {
  const { diff, state } = view
  const id = `${FILE}${diff.path}`
  const source = later(() => unifiedSource([diff]).source)
  const text = `${state} ${diff.oldPath === undefined ? "" : `${diff.oldPath} -> `}${diff.path}`
  const head = (isFolded: boolean): Item =>
    rowItem({ id, fold: id, text }, { row: () => headRow(view, isFolded, options), source })
  const notes = (diff.notes ?? []).map((note, index) =>
    rowItem(
      { id: `${NOTE}${index}:${diff.path}`, fold: id, text: note },
      { row: () => lineRow([{ text: note, look: QUIET }], options.width), source }
    )
  )
  const hunks = diff.hunks.flatMap((_, index) => hunkItems(diff, index, options))
  return { open: [head(false), ...notes, ...hunks], folded: [head(true)] }
}

/** The items of a file are the same values as long as it and the width are. */
const known = new WeakMap<ChangedView, { readonly options: ChangeOptions; readonly items: FileItems }>()

export const isSameDrawing = (left: ChangeOptions, right: ChangeOptions): boolean =>
  left.split === right.split &&
  left.marks === right.marks &&
  left.width === right.width &&
  left.glyphs === right.glyphs &&
  left.highlight === right.highlight &&
  left.tabWidth === right.tabWidth &&
  left.codeWrap === right.codeWrap &&
  left.scroll === right.scroll

export const changedFileItems = (
  view: ChangedView,
  folded: ReadonlySet<string>,
  options: ChangeOptions
): ReadonlyArray<Item> => {
  const kept = known.get(view)
  const items = kept !== undefined && isSameDrawing(kept.options, options) ? kept.items : itemsOf(view, options)
  if (items !== kept?.items) known.set(view, { options, items })
  return folded.has(`${FILE}${view.diff.path}`) ? items.folded : items.open
}

const HUNK_ID = /^hunk:(\d+):(\d+):\d+:(.*)$/s
const FILE_ID = /^(?:file|note:\d+):(.*)$/s

/** What the id of an item says: the file, and the line of a hunk if it is one; 0 is the header of the hunk. */
export const placeOfId = (
  id: string
): { readonly path: string; readonly hunk: number | undefined; readonly line: number } => {
  const [, hunk, line, path] = HUNK_ID.exec(id) ?? []
  return path === undefined
    ? { path: FILE_ID.exec(id)?.[1] ?? "", hunk: undefined, line: 0 }
    : { path, hunk: Number(hunk), line: Number(line) }
}

export const isHunkHead = ({ id }: Item): boolean => /^hunk:\d+:0:0:/.test(id)

/** A line of a hunk in the file as it is now; of the header, the first line that was touched. */
export const lineInFile = ({ newStart, lines }: DiffHunk, line: number): number => {
  const touched = lines.findIndex((each) => !each.startsWith(" "))
  const before = lines.slice(0, line === 0 ? Math.max(0, touched) : line - 1)
  return Math.max(1, newStart + before.filter((each) => each.startsWith(" ") || each.startsWith("+")).length)
}
