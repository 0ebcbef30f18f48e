/**
 * Undo as a tree. A step leads from the text of its parent to its own text; undoing and then editing starts a new
 * branch, and no state is forgotten until the depth limit drops the oldest.
 */
import { type Change, compose, invert } from "./change.ts"
import type { Position } from "./lines.ts"

const DEPTH = 1000
/** Steps that hold more than this together are too much, however few they are. */
const MOST_CHARS = 16_000_000

/** A caret with its byte in the line, where that counts: it is carried over to another text of the line. */
export interface Before extends Position {
  readonly byte?: number
}

export interface UndoStep {
  /** Order of making, from 1. */
  readonly id: number
  /** The step it was made upon; 0 is the text at the beginning. */
  readonly parent: number
  readonly changes: ReadonlyArray<Change>
  /** How much text the changes hold. */
  readonly chars: number
  /** Where the caret stood when the first change was made. */
  readonly before: Before
  readonly after: Position
  readonly time: number
}

export interface History {
  readonly steps: ReadonlyMap<number, UndoStep>
  /** The step whose text is shown. */
  readonly current: number
  /** What `g-` and `g+` count from; it differs from `current` after undoing on a side branch. */
  readonly clock: number
  readonly newest: number
  /** Which child redo goes to, per step. */
  readonly forward: ReadonlyMap<number, number>
}

export const NO_HISTORY: History = { steps: new Map(), current: 0, clock: 0, newest: 0, forward: new Map() }

/** One move through the tree: the changes to apply now, in order, and the step they belong to. */
export interface Travel {
  readonly step: UndoStep
  readonly direction: "undo" | "redo"
  readonly changes: ReadonlyArray<Change>
}

export interface Edit {
  readonly changes: ReadonlyArray<Change>
  readonly before: Before
  readonly after: Position
  readonly time: number
}

const mergeChanges = (changes: ReadonlyArray<Change>): ReadonlyArray<Change> => {
  const merged: Array<Change> = []
  for (const change of changes) {
    const last = merged.at(-1)
    const joined = last === undefined ? undefined : compose(last, change)
    if (joined === undefined) merged.push(change)
    else merged[merged.length - 1] = joined
  }
  return merged
}

const lengthOf = (lines: ReadonlyArray<string>): number => lines.reduce((sum, line) => sum + line.length + 1, 0)

const charsOf = (changes: ReadonlyArray<Change>): number =>
  changes.reduce((sum, { removed, inserted }) => sum + lengthOf(removed) + lengthOf(inserted), 0)

/** Adds a step after the current one; `join` puts the edit into the current step, so that one undo takes both. */
export const record = (history: History, edit: Edit, join = false): History => {
  const open = history.steps.get(history.current)
  if (join && open !== undefined && history.current === history.newest) {
    const changes = mergeChanges([...open.changes, ...edit.changes])
    const step = { ...open, changes, chars: charsOf(changes), after: edit.after, time: edit.time }
    return { ...history, steps: new Map(history.steps).set(step.id, step) }
  }
  const id = history.newest + 1
  const changes = mergeChanges(edit.changes)
  const step: UndoStep = { id, parent: history.current, ...edit, changes, chars: charsOf(changes) }
  return prune({
    steps: new Map(history.steps).set(id, step),
    current: id,
    clock: id,
    newest: id,
    forward: new Map(history.forward).set(history.current, id)
  })
}

const pathTo = (history: History, id: number): ReadonlyArray<number> => {
  const path: Array<number> = []
  for (let at: number | undefined = id; at !== undefined && history.steps.has(at); at = history.steps.get(at)?.parent) {
    path.push(at)
  }
  return path.toReversed()
}

const isTooMuch = ({ steps }: History): boolean => {
  if (steps.size > DEPTH) return true
  let chars = 0
  for (const step of steps.values()) chars += step.chars
  return chars > MOST_CHARS
}

/** A step and all that was made upon it. */
const branchOf = ({ steps }: History, root: number): ReadonlySet<number> => {
  const branch = new Set([root])
  for (const [id, { parent }] of steps) if (branch.has(parent)) branch.add(id)
  return branch
}

/**
 * Without the oldest step of the shown path, and without every branch that hung on what came before. Where only one
 * step leads to the text that is shown, the oldest other branch goes.
 */
const withoutOldest = (history: History): History => {
  const [root = 0, ...rest] = pathTo(history, history.current)
  const branch = branchOf(history, rest.length > 0 ? root : ([...history.steps.keys()].find((id) => id !== root) ?? root))
  const stays = (id: number): boolean => (rest.length > 0 ? id !== root && branch.has(id) : !branch.has(id))
  const steps = new Map([...history.steps].filter(([id]) => stays(id)))
  return { ...history, steps, forward: new Map([...history.forward].filter(([, to]) => steps.has(to))) }
}

/** The step that was just made always stays. */
const prune = (history: History): History => {
  let pruned = history
  while (pruned.steps.size > 1 && isTooMuch(pruned)) pruned = withoutOldest(pruned)
  return pruned
}

export const undo = (history: History): { history: History; travel: Travel } | undefined => {
  const step = history.steps.get(history.current)
  if (step === undefined) return undefined
  return {
    history: {
      ...history,
      current: step.parent,
      clock: step.parent,
      forward: new Map(history.forward).set(step.parent, step.id)
    },
    travel: { step, direction: "undo", changes: step.changes.toReversed().map(invert) }
  }
}

export const redo = (history: History): { history: History; travel: Travel } | undefined => {
  const step = history.steps.get(history.forward.get(history.current) ?? -1)
  if (step === undefined) return undefined
  return {
    history: { ...history, current: step.id, clock: step.id },
    travel: { step, direction: "redo", changes: step.changes }
  }
}

/** The way to another state: up to where both meet, then down. Undefined when that state is no longer kept. */
export const travelTo = (
  history: History,
  target: number
): { history: History; travels: ReadonlyArray<Travel> } | undefined => {
  if (target !== 0 && !history.steps.has(target)) return undefined
  const wanted = pathTo(history, target)
  const travels: Array<Travel> = []
  let at = history
  while (at.current !== 0 && !wanted.includes(at.current)) {
    const back = undo(at)
    if (back === undefined) break
    travels.push(back.travel)
    at = back.history
  }
  for (const id of wanted.slice(wanted.indexOf(at.current) + 1)) {
    const ahead = redo({ ...at, forward: new Map(at.forward).set(at.current, id) })
    if (ahead === undefined) return undefined
    travels.push(ahead.travel)
    at = { ...ahead.history, forward: new Map(at.forward).set(at.current, id) }
  }
  return { history: { ...at, clock: target }, travels }
}

/** The ends of all branches, oldest first, with the number of changes that lead to each. */
export const historyLeaves = (history: History): ReadonlyArray<{ step: UndoStep; depth: number }> => {
  const parents = new Set([...history.steps.values()].map((step) => step.parent))
  return [...history.steps.values()]
    .filter((step) => !parents.has(step.id))
    .map((step) => ({ step, depth: pathTo(history, step.id).length }))
}
