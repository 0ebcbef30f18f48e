/**
 * What is folded. There are three levels, turns, messages and blocks; a level opens everything above it, and single
 * folds differ from it where the user said so. A search or a jump opens what hides its target only until the cursor
 * leaves again.
 */
import type { Block, Entry, View } from "../../block.ts"
import { defaultFold } from "../../rows/fold.ts"

/** 0: turns are closed. 1: messages are closed. 2: long blocks are closed. 3: everything is open. */
export type FoldLevel = 0 | 1 | 2 | 3

export type FoldState = "open" | "closed"

/** Names a fold: the letter of its level and the id of the entry that begins it, or of the block. */
export type FoldId = `t:${string}` | `m:${string}` | `b:${string}`

export interface Folds {
  readonly level: FoldLevel
  /** Folds that the user opened or closed himself. */
  readonly touched: ReadonlyMap<FoldId, FoldState>
  /** Folds that are open only while the cursor is at what they hide. */
  readonly revealed: ReadonlySet<FoldId>
  /** Whether any turn or message may be closed: as long as none is, nobody has to ask which turn a block belongs to. */
  readonly hasGroups: boolean
}

export const DEFAULT_FOLDS: Folds = { level: 2, touched: new Map(), revealed: new Set(), hasGroups: false }

export const turnFold = (start: Entry): FoldId => `t:${start.id}`
export const messageFold = (entry: Entry): FoldId => `m:${entry.id}`
export const blockFold = (block: { readonly id: string }): FoldId => `b:${block.id}`

const isBlockFold = (fold: FoldId): boolean => fold.startsWith("b:")

const said = (folds: Folds, fold: FoldId): FoldState | undefined =>
  folds.revealed.has(fold) ? "open" : folds.touched.get(fold)

/** State of a turn or a message. */
export const groupState = (folds: Folds, fold: FoldId): FoldState =>
  said(folds, fold) ?? (folds.level <= (fold.startsWith("t:") ? 0 : 1) ? "closed" : "open")

/** State of a block. Closed means cut to its limit, so short ones look the same either way. */
export const blockState = (folds: Folds, block: Block, view: View): FoldState =>
  said(folds, blockFold(block)) ?? (folds.level === 3 ? "open" : defaultFold(block, view))

/** The user sets folds; what was only revealed is his from now on. */
export const setFolds = (folds: Folds, ids: ReadonlyArray<FoldId>, state: FoldState): Folds => {
  const touched = new Map(folds.touched)
  const revealed = new Set(folds.revealed)
  for (const id of ids) {
    touched.set(id, state)
    revealed.delete(id)
  }
  const closesGroup = state === "closed" && ids.some((id) => !isBlockFold(id))
  return { ...folds, touched, revealed, hasGroups: folds.hasGroups || closesGroup }
}

/** Everything to one level: what was said of single folds no longer counts. */
export const setLevel = (level: number): Folds => {
  const bounded = Math.max(0, Math.min(3, level))
  return {
    ...DEFAULT_FOLDS,
    level: bounded === 0 || bounded === 1 || bounded === 2 ? bounded : 3,
    hasGroups: bounded < 2
  }
}

/** Opens closed folds until the cursor leaves them. */
export const reveal = (folds: Folds, closed: ReadonlyArray<FoldId>): Folds =>
  closed.length === 0 ? folds : { ...folds, revealed: new Set([...folds.revealed, ...closed]) }

/** The cursor stands in these folds now: all others that were only revealed close again. */
export const settleFolds = (folds: Folds, around: ReadonlyArray<FoldId>): Folds => {
  if (folds.revealed.size === 0) return folds
  const revealed = new Set(around.filter((id) => folds.revealed.has(id)))
  return revealed.size === folds.revealed.size ? folds : { ...folds, revealed }
}
