import type { ChangesSource, SessionModel } from "../app/session-model.ts"
import { shortPath } from "../app/short-path.ts"
import type { FileChange } from "../transcript/changes.ts"
import { changedFiles, turnsOf } from "../transcript/select.ts"
import { diffRows } from "../text/diff-rows.ts"
import { type FileDiff, fileDiff, unifiedSource } from "../text/diff-source.ts"
import type { Look, Row } from "../text/row.ts"
import { sanitize } from "../text/sanitize.ts"
import { lineRow } from "../overlays/option-rows.ts"
import { applyHunks } from "./apply-hunks.ts"
import type { Item } from "./list-state.ts"
import type { PaneScene } from "./scene.ts"

/** Changed files with their diffs (UI-6), one item per file head and per hunk, so that keys go from hunk to hunk. */

const PATH: Look = { role: "text", bold: true }
const ADDED: Look = { role: "success" }
const REMOVED: Look = { role: "error" }
const STATE: Look = { role: "warning" }

export interface ChangedView {
  readonly state: string
  readonly diff: FileDiff
}

const fromTree = ({ workingFiles, cwd }: SessionModel): ReadonlyArray<ChangedView> =>
  workingFiles.map(({ path, state, before, after }) => ({ state, diff: fileDiff(shortPath(path, cwd), before ?? "", after ?? "") }))

const fromCalls = ({ transcript, cwd }: SessionModel, source: Exclude<ChangesSource, { _tag: "Tree" }>): ReadonlyArray<ChangedView> => {
  const turns = source._tag === "Turn" ? turnsOf(transcript) : []
  const within = source._tag === "Turn" ? turns[turns.length - 1 - source.back] : undefined
  if (source._tag === "Turn" && within === undefined) return []
  return changedFiles(transcript, within).map(({ path, kind, changes }) => {
    const short = shortPath(path, cwd)
    const made = changes.map(({ change }) => change)
    const content = kind === "created" ? contentAfter(made) : undefined
    const diff = content === undefined ? { path: short, hunks: made.flatMap(({ hunks }) => hunks) } : fileDiff(short, "", content)
    return { state: kind === "created" ? "A" : "M", diff }
  })
}

/** What a file holds that was written here and then edited, as far as every step is known. */
const contentAfter = (changes: ReadonlyArray<Pick<FileChange, "content" | "hunks">>): string | undefined =>
  changes.reduce<string | undefined>((text, { content, hunks }) => content ?? (text === undefined ? undefined : applyHunks(text, hunks)), undefined)

/** Diffs of a whole working tree are made once for as long as nothing changes. */
const known = new WeakMap<object, { readonly source: ChangesSource; readonly views: ReadonlyArray<ChangedView> }>()

export const changedViews = (session: SessionModel): ReadonlyArray<ChangedView> => {
  const source = session.changesOf
  const key = source._tag === "Tree" ? session.workingFiles : session.transcript
  const kept = known.get(key)
  if (kept !== undefined && kept.source === source) return kept.views
  const views = source._tag === "Tree" ? fromTree(session) : fromCalls(session, source)
  known.set(key, { source, views })
  return views
}

const count = ({ hunks }: FileDiff, sign: string): number =>
  hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0)

const headRow = ({ state, diff }: ChangedView, at: { readonly width: number; readonly isFolded: boolean; readonly glyphs: "unicode" | "ascii" }): Row =>
  lineRow(
    [
      { text: `${foldMark(at.isFolded, at.glyphs)} ${state} `, look: STATE },
      ...sanitize(diff.path, "command", { look: PATH }),
      { text: `  +${count(diff, "+")}`, look: ADDED },
      { text: ` −${count(diff, "-")}`, look: REMOVED }
    ],
    at.width
  )

const foldMark = (isFolded: boolean, glyphs: "unicode" | "ascii"): string =>
  glyphs === "ascii" ? (isFolded ? "+" : "-") : isFolded ? "▸" : "▾"

const hunkId = (path: string, index: number): string => `hunk:${path}:${index}`
const fileId = (path: string): string => `file:${path}`

/** What an item stands for: a file, or one of its hunks. */
export interface ChangedPlace {
  readonly view: ChangedView
  readonly hunk: number | undefined
}

export const changedPlace = (session: SessionModel, id: string): ChangedPlace | undefined => {
  for (const view of changedViews(session)) {
    if (id === fileId(view.diff.path)) return { view, hunk: undefined }
    const hunk = view.diff.hunks.findIndex((_, index) => id === hunkId(view.diff.path, index))
    if (hunk >= 0) return { view, hunk }
  }
  return undefined
}

export const isHunk = ({ id }: Item): boolean => id.startsWith("hunk:")

/** Where the change begins in the file as it is now: the first line that was touched. */
export const lineOfHunk = ({ newStart, lines }: FileDiff["hunks"][number]): number => {
  const before = lines.findIndex((line) => !line.startsWith(" "))
  return Math.max(1, newStart + Math.max(0, before))
}

/** The head of a file is followed by one item for each of its hunks, unless it is folded. */
export const changeItems = ({ session, options, width }: PaneScene): ReadonlyArray<Item> => {
  const folded = session.lists.changes?.folded
  return changedViews(session).flatMap((view) => {
    const { diff } = view
    const fold = fileId(diff.path)
    const isFolded = folded?.has(fold) === true
    const head = { id: fold, fold, rows: [headRow(view, { width, isFolded, glyphs: options.glyphs })], source: unifiedSource([diff]).source }
    if (isFolded) return [head]
    const hunks = diff.hunks.map((hunk, index) => {
      const only: FileDiff = { ...diff, hunks: [hunk] }
      const rows = diffRows(only, { width, glyphs: options.glyphs, highlight: options.highlight, tabWidth: options.tabWidth, codeWrap: options.codeWrap, scroll: 0 })
      return { id: hunkId(diff.path, index), fold, rows: rows.slice(1), source: unifiedSource([only]).source }
    })
    return [head, ...hunks]
  })
}

const SOURCES: Readonly<Record<ChangesSource["_tag"], string>> = { Tree: "working tree", Session: "this session", Turn: "turn" }

export const changesTitle = ({ changesOf }: SessionModel): string =>
  changesOf._tag === "Turn" ? `changes: ${changesOf.back === 0 ? "last turn" : `${changesOf.back} turns back`}` : `changes: ${SOURCES[changesOf._tag]}`
