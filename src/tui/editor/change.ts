/**
 * An edit as a value that knows its own inverse: whole lines are taken out and others put in their place. Lines are the
 * unit because undo, marks and the transcript of changes all speak of lines.
 */
import { type Buffer, sliceLines } from "./buffer.ts"

export interface Change {
  readonly line: number
  readonly removed: ReadonlyArray<string>
  readonly inserted: ReadonlyArray<string>
}

export const applyChange = (buffer: Buffer, change: Change): Buffer =>
  buffer.spliced(change.line, change.removed.length, change.inserted)

const isOfOneLine = ({ removed, inserted }: Change): boolean => removed.length === 1 && inserted.length === 1

/** Changes in their order. Those that only give lines another text are done together. */
export const applyChanges = (buffer: Buffer, changes: ReadonlyArray<Change>): Buffer => {
  let at = buffer
  for (let from = 0; from < changes.length;) {
    let end = from
    const texts: Array<readonly [number, string]> = []
    for (let change = changes[end]; change !== undefined && isOfOneLine(change); change = changes[++end]) {
      texts.push([change.line, change.inserted[0] ?? ""])
    }
    const other = changes[end]
    if (texts.length > 0) at = at.withLines(texts)
    if (other !== undefined) at = applyChange(at, other)
    from = end + 1
  }
  return at
}

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
  const removed = sliceLines(buffer, span.line, span.line + span.count)
  const emptied = inserted.length === 0 && removed.length === buffer.count
  return { line: span.line, removed, inserted: emptied ? [""] : inserted }
}

/** Two changes of the same lines, one after the other, as one; undefined when they touch different lines. */
export const compose = (first: Change, second: Change): Change | undefined =>
  first.line === second.line && first.inserted.length === second.removed.length
    ? { line: first.line, removed: first.removed, inserted: second.inserted }
    : undefined

/** Changes in the order they were made, newest at hand: one more costs the same however many there are. */
export interface ChangeChain {
  readonly last: Change
  readonly before: ChangeChain | undefined
}

/** One more change; it is a part of the last one when it is of the same lines. */
export const withChange = (chain: ChangeChain | undefined, change: Change): ChangeChain => {
  const joined = chain === undefined ? undefined : compose(chain.last, change)
  return joined === undefined ? { last: change, before: chain } : { last: joined, before: chain?.before }
}

export const changesIn = (chain: ChangeChain | undefined): ReadonlyArray<Change> => {
  const changes: Array<Change> = []
  for (let at = chain; at !== undefined; at = at.before) changes.push(at.last)
  return changes.toReversed()
}
