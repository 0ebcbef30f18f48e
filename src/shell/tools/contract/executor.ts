import type { Effect } from "effect"
import { Data } from "effect"
import type { ContentBlock } from "../../../core/domain/block.ts"
import type { CallId, SessionId } from "../../../core/domain/id.ts"
import type { ResponseUsage } from "../../../core/loop/turn/accounting.ts"
import type { SearchSettings } from "../../../core/tools/web/search-provider.ts"
import type { EnvironmentScrub } from "../../../core/domain/env.ts"
import type { PathFact } from "../../../core/domain/path/path-components.ts"

/** A call that did not do what was asked: becomes an error result. Begins with its kind, says the next sensible step. */
export class ToolRefusal extends Data.TaggedError("ToolRefusal")<{
  readonly message: string
  /** Structured output of a call that ran and failed (a shell command's record); absent when nothing ran. */
  readonly data?: unknown
}> {}

/** What a call may know about the run it belongs to. Values, not services: services come through Effect's context. */
export interface ToolContext {
  readonly callId: CallId
  readonly sessionId: SessionId
  /** Current directory of the session's shell; calls that ran alone may change it (see ToolOutput.cwd). */
  readonly cwd: string
  /** Directory the session was started in. */
  readonly projectDir: string
  readonly additionalDirs: ReadonlyArray<string>
  /** Directory for spilled results and files of this session; created on first use, mode 0700. */
  readonly sessionDir: string
  readonly nonInteractive: boolean
  /** Where memory is kept, if it is. */
  readonly memoryDir?: string | undefined
  /** Model the conversation uses. */
  readonly model: string
  /** The only models that may be asked, where the settings limit them. */
  readonly availableModels?: ReadonlyArray<string> | undefined
  /** Who searches the web; the model's endpoint if nothing is said. */
  readonly webSearch?: SearchSettings
  /** Tells the conversation what requests beside it cost. */
  readonly spent: (responses: ReadonlyArray<ResponseUsage>) => void
  /** Effort the model is asked for, told to commands. */
  readonly effort?: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where the call's paths led when permission was decided; another place is refused. */
  readonly pathFacts?: ReadonlyArray<PathFact>
  /** What of the environment commands do not see; the default is everything that sounds like a secret. */
  readonly scrub?: EnvironmentScrub
  /** A command that needed no approval because it only reads: nothing around it may make it do more. */
  readonly onlyReads?: boolean
  /** A user let this one command run outside of the sandbox that cannot start. */
  readonly outside?: boolean
  /** Live progress for the screen; throttled by the caller. */
  readonly progress: (data: ToolProgress) => Effect.Effect<void>
}

/** The part that is the same for every call of a session. */
export type SessionContext = Omit<
  ToolContext,
  "callId" | "cwd" | "model" | "effort" | "pathFacts" | "onlyReads" | "outside" | "progress" | "spent"
>

export type ToolProgress =
  | {
      readonly type: "bash_progress"
      readonly output: string
      readonly totalLines: number
      readonly totalBytes: number
      readonly elapsedMs: number
    }
  | { readonly type: "tool_progress"; readonly message: string }

export interface ToolOutput {
  /** Structured output, stored as toolUseResult and shown to hosts. */
  readonly data: unknown
  /** What the model sees. */
  readonly content: string | ReadonlyArray<ContentBlock>
  /** Ran and failed in a way that is an answer (a failing command). Shell failures cancel siblings. */
  readonly isError?: boolean
  /** New current directory after an exclusive call. */
  readonly cwd?: string
}

/** The acting half of a tool. `R` are the ports it uses. */
export interface ToolExecutor<Input, R> {
  /** Checks that read the world but change nothing; runs before permission is decided. */
  readonly prepare?: (input: Input, context: ToolContext) => Effect.Effect<void, ToolRefusal, R>
  readonly run: (input: Input, context: ToolContext) => Effect.Effect<ToolOutput, ToolRefusal, R>
}
