/**
 * An edit as a value that knows its own inverse: whole lines are taken out and others put in their place. Lines are the
 * unit because undo, marks and the transcript of changes all speak of lines.
 */
import { type Buffer, bufferOfLines } from "./buffer.ts"

export interface Change {
  readonly line: number
  readonly removed: ReadonlyArray<string>
  readonly inserted: ReadonlyArray<string>
}

export const applyChange = (buffer: Buffer, change: Change): Buffer =>
  bufferOfLines(buffer.lines.toSpliced(change.line, change.removed.length, ...change.inserted))

export const invert = (change: Change): Change => ({
  line: change.line,
  removed: change.inserted,
  inserted: change.removed
})

/** Replaces `count` lines from `line` on. Taking away the last line of a text leaves one empty line. */
export const replaceLines = (
  buffer: Buffer,
  span: { readonly line: number; readonly count: number },
  inserted: ReadonlyArray<string>
): Change => {
  const removed = buffer.lines.slice(span.line, span.line + span.count)
  const emptied = inserted.length === 0 && removed.length === buffer.count
  return { line: span.line, removed, inserted: emptied ? [""] : inserted }
}

/** Two changes of the same lines, one after the other, as one; undefined when they touch different lines. */
export const compose = (first: Change, second: Change): Change | undefined =>
  first.line === second.line && first.inserted.length === second.removed.length
    ? { line: first.line, removed: first.removed, inserted: second.inserted }
    : undefined
