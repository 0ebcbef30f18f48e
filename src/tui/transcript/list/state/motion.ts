/** What a motion of the pane is: from where the user is to a place, with how an operator takes the way there. */
import type { ActionId } from "../../../keymap/actions/action-tables.ts"
import type { Find } from "../../../editor/vim/state/state.ts"
import type { Extent } from "../../../editor/vim/motions/motion.ts"
import type { Place } from "../index/entries.ts"
import type { TranscriptList } from "./transcript-list.ts"
import type { ListContext } from "../view/list-context.ts"

export interface MotionRequest {
  readonly count: number | undefined
  /** The character that `f`, `m` or a quote was given. */
  readonly argument: string
}

export interface Landing {
  readonly place: Place
  readonly extent: Extent
  readonly keepsGoal?: true
  /** Goal column for the vertical motions that follow, when it is not that of the place. */
  readonly goal?: number
  /** The place it left goes into the jump list. */
  readonly jump?: true
  /** It may go to what a fold hides, and opens it. */
  readonly reveals?: true
  readonly find?: Find
}

export type ListMotion = (list: TranscriptList, request: MotionRequest, context: ListContext) => Landing | undefined

export type ListMotions = Readonly<Partial<Record<ActionId, ListMotion>>>

export const timesOf = ({ count }: MotionRequest): number => Math.max(1, count ?? 1)

/** An action that is no motion. */
export type Command = (list: TranscriptList, request: MotionRequest, context: ListContext) => TranscriptList

export type ListCommands = Readonly<Partial<Record<ActionId, Command>>>
