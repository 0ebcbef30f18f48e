/** Commands that are neither motions nor operators. */
import type { Invocation } from "../state/invocation.ts"
import type { Turn } from "../engine/running-command.ts"

export interface Action {
  readonly run: (turn: Turn, invocation: Invocation) => Turn
  readonly takes?: "char"
  /** `.` does it again; "always" even when it failed. */
  readonly repeats?: true | "always"
}

export type ActionTable = Readonly<Record<string, Action>>
