import type * as DiffLibrary from "diff"
import { Effect } from "effect"
import { linesOf } from "../../../core/domain/text/line-ending.ts"
import type { ChangeWindow } from "../../../core/tools/files/change-windows.ts"

/** Diffs in the form that transcripts hold. */
export interface Hunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: ReadonlyArray<string>
}

const CONTEXT_LINES = 3
const TIMEOUT_MS = 500
const MAX_EDIT_LENGTH = 5_000
/** Larger changes are written all the same, but not shown as a diff. */
const MAX_CHARS = 4 * 1024 * 1024

/** Surroundings that a window must bring along so that its hunks have full context. */
export const WINDOW_CONTEXT_LINES = CONTEXT_LINES + 1

/** Without looking for common lines: everything goes, everything comes. */
const wholesale = (window: ChangeWindow): Hunk => {
  const removed = linesOf(window.oldText)
  const added = linesOf(window.newText)
  return {
    oldStart: window.oldStartLine,
    oldLines: removed.length,
    newStart: window.newStartLine,
    newLines: added.length,
    lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)]
  }
}

const hunksOfWindow = ({ structuredPatch }: typeof DiffLibrary, window: ChangeWindow): ReadonlyArray<Hunk> => {
  const patch = structuredPatch("", "", window.oldText, window.newText, undefined, undefined, {
    context: CONTEXT_LINES,
    timeout: TIMEOUT_MS,
    maxEditLength: MAX_EDIT_LENGTH
  })
  if (patch === undefined) return [wholesale(window)]
  return patch.hunks.map((hunk) => ({
    oldStart: hunk.oldStart + window.oldStartLine - 1,
    oldLines: hunk.oldLines,
    newStart: hunk.newStart + window.newStartLine - 1,
    newLines: hunk.newLines,
    lines: hunk.lines
  }))
}

/** The hunks of changed places; none when they are too large to be shown. */
export const hunksOf = Effect.fnUntraced(function* (windows: ReadonlyArray<ChangeWindow>) {
  const chars = windows.reduce((sum, window) => sum + window.oldText.length + window.newText.length, 0)
  if (chars > MAX_CHARS) return []
  const library = yield* Effect.promise(() => import("diff"))
  return windows.flatMap((window) => hunksOfWindow(library, window))
})
