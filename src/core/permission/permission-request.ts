import type { ShellAnalysis } from "./bash/shell-analysis.ts"
import type { PermissionContext } from "./context.ts"
import type { CallFacts } from "./facts.ts"
import type { Need } from "./need.ts"

/** One call to be decided. */
export interface PermissionRequest {
  readonly context: PermissionContext
  readonly tool: DecidedTool
  readonly needs: ReadonlyArray<Need>
  readonly facts: CallFacts
  /** The input as the model wrote it, for rules about single fields. */
  readonly input: unknown
  /** Current directory of the session's shell; absent: where the session was started. */
  readonly cwd?: string
  /** What was already made of commands from the same facts, to save doing it again. */
  readonly analysed?: ReadonlyMap<string, ShellAnalysis>
  /** What PreToolUse hooks said. */
  readonly hook?: HookVerdict | undefined
}

export interface HookVerdict {
  readonly verdict: "allow" | "ask" | "deny"
  readonly reason: string
  /** The hook brought the answers to a question for the user. */
  readonly answers?: boolean
}

export interface DecidedTool {
  readonly name: string
  readonly aliases: ReadonlyArray<string>
  readonly readOnly?: boolean
}
