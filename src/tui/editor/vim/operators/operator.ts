/** What an operator is: a change of the text of a region. The caret stands at the region's start when it begins. */
import type { Invocation } from "../state/invocation.ts"
import type { Region } from "../engine/region.ts"
import type { Turn } from "../engine/running-command.ts"

export interface Operator {
  readonly run: (turn: Turn, region: Region, invocation: Invocation) => Turn
  /** It works on whole lines whatever the motion. */
  readonly byLines?: true
  /** It begins where the caret is, so that undo returns there. */
  readonly staysAtCaret?: true
  /** It changes nothing, so `.` does not repeat it. */
  readonly reads?: true
  /** The key that, doubled behind a two-key operator, means whole lines: `gUU`. */
  readonly double?: string
}
