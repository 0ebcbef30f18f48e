import type { WorkingFile } from "../../model/msg.ts"
import type { ChangesSource, SessionModel } from "../../model/session-model.ts"
import { shortPath } from "../../text/short-path.ts"
import type { FileChange } from "../../transcript/changes.ts"
import { plural } from "../../transcript/number-format.ts"
import { type ChangedFile, changedFiles, turnsOf } from "../../transcript/entries/select.ts"
import { isSplit } from "../../text/diff/split-diff.ts"
import { type DiffHunk, type FileDiff, fileDiff } from "../../text/diff/diff-source.ts"
import { applyHunks } from "./apply-hunks.ts"
import { changedFileItems, type ChangedView, type ChangeOptions, isSameDrawing, placeOfId } from "./change-items.ts"
import type { Item } from "../../model/list-state.ts"
import type { PaneScene } from "../../model/windows/pane-context.ts"

/** Changed files with their diffs, from the working tree, the session or one turn. */

const NOTHING_FOLDED: ReadonlySet<string> = new Set()
const UNSEEN = { binary: "binary file", large: "too large to show" } as const

const notesOf = ({ modes, unseen }: WorkingFile): ReadonlyArray<string> => [
  ...(modes === undefined ? [] : [`mode ${modes.before} -> ${modes.after}`]),
  ...(unseen === undefined ? [] : [UNSEEN[unseen]])
]

const CHANGE: Partial<Readonly<Record<WorkingFile["state"], FileDiff["change"]>>> = {
  A: "created",
  "?": "created",
  D: "deleted"
}

const viewOfWorking = (file: WorkingFile, cwd: string): ChangedView => {
  const { path, oldPath, state, before, after, modes, unseen } = file
  const change = CHANGE[state]
  const notes = notesOf(file)
  const diff: FileDiff = {
    ...fileDiff(shortPath(path, cwd), before ?? "", after ?? ""),
    ...(oldPath === undefined ? {} : { oldPath: shortPath(oldPath, cwd) }),
    ...(change === undefined ? {} : { change }),
    ...(modes === undefined ? {} : { modes }),
    ...(notes.length === 0 ? {} : { notes })
  }
  return { state, diff, ...(unseen === undefined ? {} : { unseen }) }
}

/** A file is compared once for as long as it stays as it is. */
const onceFor = <File extends object>(
  look: (file: File, cwd: string) => ChangedView
): ((file: File, cwd: string) => ChangedView) => {
  const seen = new WeakMap<File, { readonly cwd: string; readonly view: ChangedView }>()
  return (file, cwd) => {
    const kept = seen.get(file)
    if (kept?.cwd === cwd) return kept.view
    const view = look(file, cwd)
    seen.set(file, { cwd, view })
    return view
  }
}

const workingView = onceFor(viewOfWorking)

export const viewsOfTree = (files: ReadonlyArray<WorkingFile>, cwd: string): ReadonlyArray<ChangedView> =>
  files.map((file) => workingView(file, cwd))

/** What a file holds that was written here and then edited, as far as every step is known. */
const contentAfter = (changes: ReadonlyArray<Pick<FileChange, "content" | "hunks">>): string | undefined =>
  changes.reduce<string | undefined>(
    (text, { content, hunks }) => content ?? (text === undefined ? undefined : applyHunks(text, hunks)),
    undefined
  )

const viewOf = ({ path, kind, changes }: ChangedFile, cwd: string): ChangedView => {
  const short = shortPath(path, cwd)
  const made = changes.map(({ change }) => change)
  const content = kind === "created" ? contentAfter(made) : undefined
  const diff: FileDiff =
    content === undefined
      ? { path: short, hunks: made.flatMap(({ hunks }) => hunks) }
      : { ...fileDiff(short, "", content), change: "created" }
  return { state: kind === "created" ? "A" : "M", diff }
}

const knownView = onceFor(viewOf)

const fromCalls = (
  { transcript, cwd }: SessionModel,
  source: Exclude<ChangesSource, { _tag: "Tree" }>
): ReadonlyArray<ChangedView> => {
  const turns = source._tag === "Turn" ? turnsOf(transcript) : []
  const within = source._tag === "Turn" ? turns[turns.length - 1 - source.back] : undefined
  if (source._tag === "Turn" && within === undefined) return []
  return changedFiles(transcript, within).map((file) => knownView(file, cwd))
}

/** A list of the same files as one before is that list. */
const knownLists = new WeakMap<ChangedView, ReadonlyArray<ChangedView>>()

const knownList = (views: ReadonlyArray<ChangedView>): ReadonlyArray<ChangedView> => {
  const [first] = views
  const kept = first === undefined ? undefined : knownLists.get(first)
  if (kept?.length === views.length && kept.every((view, index) => view === views[index])) return kept
  if (first !== undefined) knownLists.set(first, views)
  return views
}

/** What is shown of a whole working tree or transcript is made once for as long as nothing changes. */
const known = new WeakMap<object, { readonly source: ChangesSource; readonly views: ReadonlyArray<ChangedView> }>()

export const changedViews = (session: SessionModel): ReadonlyArray<ChangedView> => {
  const source = session.changesOf
  const key = source._tag === "Tree" ? session.workingFiles : session.transcript
  const kept = known.get(key)
  if (kept !== undefined && kept.source === source) return kept.views
  const views =
    source._tag === "Tree" ? viewsOfTree(session.workingFiles, session.cwd) : knownList(fromCalls(session, source))
  known.set(key, { source, views })
  return views
}

/** What an item stands for: a file, or a line of one of its hunks. */
export interface ChangedPlace {
  readonly view: ChangedView
  readonly hunk: DiffHunk | undefined
  readonly line: number
}

export const changedPlace = (session: SessionModel, id: string): ChangedPlace | undefined => {
  const { path, hunk, line } = placeOfId(id)
  const view = changedViews(session).find(({ diff }) => diff.path === path)
  return view === undefined ? undefined : { view, hunk: hunk === undefined ? undefined : view.diff.hunks[hunk], line }
}

interface KnownItems {
  readonly folded: ReadonlySet<string>
  readonly drawing: ChangeOptions
  readonly items: ReadonlyArray<Item>
}

/** The list of many files is put together once, not with every frame. */
const knownItems = new WeakMap<ReadonlyArray<ChangedView>, KnownItems>()

/** The head of a file is followed by its notes and the lines of its hunks, unless it is folded. */
export const changeItems = ({ session, options, width }: PaneScene): ReadonlyArray<Item> => {
  const folded = session.lists.changes?.folded ?? NOTHING_FOLDED
  const { glyphs, highlight, tabWidth, codeWrap } = options
  const split = isSplit(options.diff, width)
  const drawing: ChangeOptions = {
    width,
    glyphs,
    highlight,
    tabWidth,
    codeWrap,
    split,
    scroll: session.lists.changes?.sideways ?? 0,
    marks: session.review.marks
  }
  const views = changedViews(session)
  const kept = knownItems.get(views)
  if (kept !== undefined && kept.folded === folded && isSameDrawing(kept.drawing, drawing)) return kept.items
  const items = views.flatMap((view) => changedFileItems(view, folded, drawing))
  knownItems.set(views, { folded, drawing, items })
  return items
}

const SOURCES: Readonly<Record<ChangesSource["_tag"], string>> = {
  Tree: "working tree",
  Session: "this session",
  Turn: "turn"
}

const sourceTitle = ({ changesOf }: SessionModel): string =>
  changesOf._tag === "Turn"
    ? `changes: ${changesOf.back === 0 ? "last turn" : `${plural(changesOf.back, "turn")} back`}`
    : `changes: ${SOURCES[changesOf._tag]}`

export const changesTitle = (session: SessionModel): string => {
  const { length } = session.review.comments
  return length === 0 ? sourceTitle(session) : `${sourceTitle(session)} · ${plural(length, "comment")}`
}
