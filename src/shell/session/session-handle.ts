import type { Effect, Scope } from "effect"
import type { SessionView } from "../../core/loop/machine/session-view.ts"
import type { MemoryPlace } from "../../core/context/memory/directory.ts"
import type { JsonSchema } from "../../core/model/request/model-request.ts"
import type { ContentBlock } from "../../core/domain/block.ts"
import type { CallId } from "../../core/domain/id.ts"
import type { Message } from "../../core/domain/message.ts"
import type { Occurrence, PermissionAnswer } from "../../core/loop/machine/event.ts"
import type { CallbackHandler } from "../../core/hooks/handler.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import type { Audience } from "../runtime/audience.ts"
import type { Wants } from "../runtime/publications.ts"
import type { Supervisor } from "../tools/services/supervisor.ts"
import type { ToolProvider } from "../tools/toolbox.ts"
import type { TaskView } from "../tools/services/background-tasks.ts"

export interface PromptOptions {
  readonly uuid?: string | undefined
  readonly priority?: "now" | "next" | "later"
  readonly appendOnly?: boolean
  /** What the program answers in the model's place. */
  readonly answer?: string
}

/** What the `system/init` line and headers say about a session. */
export interface SessionFacts {
  readonly sessionId: string
  readonly cwd: string
  readonly transcriptPath: string
  /** Git branch of the directory when the session was opened. */
  readonly branch: string | undefined
  /** What the session is called, when it was continued and has a name. */
  readonly title: string | undefined
  /** Where memory is kept, or why there is none. */
  readonly memory: MemoryPlace
  readonly apiKeySource: string
  readonly version: string
}

/** What a host may set after the start, with `initialize`. */
export interface HostSetup {
  readonly systemPrompt?: string
  readonly appendSystemPrompt?: string
  readonly jsonSchema?: JsonSchema
  readonly hooks: ReadonlyArray<CallbackHandler>
}

/** The background commands of the session, for hosts that list and stop them. */
export interface TaskControl {
  readonly list: Effect.Effect<ReadonlyArray<TaskView>>
  /** Sends a command of the foreground to the background; false when the call runs none. */
  readonly moveToBackground: (callId: CallId) => Effect.Effect<boolean>
  readonly stop: (taskId: string) => Effect.Effect<boolean>
  readonly output: (taskId: string) => Effect.Effect<{ readonly text: string; readonly totalBytes: number } | undefined>
}

/** The messages of a page, and its number. */
export interface EarlierPage {
  readonly page: number
  readonly messages: ReadonlyArray<Message>
}

/** What was said before the part that the model knows; page 0 is the beginning. */
export interface EarlierParts {
  readonly pages: number
  readonly read: (page: number) => Effect.Effect<ReadonlyArray<Message>, string>
  /** All that was said until now can be read again: there is a file, and nothing waits to be written to it. */
  readonly isStored: () => boolean
  /** Counts the pages again, to the one that ends before this record, and reads that one. */
  readonly readBefore: (uuid: string) => Effect.Effect<EarlierPage, string>
}

/** A running conversation as its audience sees it. */
export interface SessionHandle {
  readonly facts: SessionFacts
  readonly state: () => AgentState
  readonly view: () => SessionView
  /** From now on the session is heard, until the scope closes; what was before is in the view. */
  readonly attach: (wants: Wants) => Effect.Effect<SessionView, never, Scope.Scope>
  readonly agents: Supervisor["Service"]
  readonly offer: (occurrence: Occurrence) => void
  /** Answers an open question of any agent. A question that is not open any more has its answer already. */
  readonly answer: (callId: CallId, answer: PermissionAnswer) => void
  readonly submit: (content: string | ReadonlyArray<ContentBlock>, options?: PromptOptions) => void
  /** With `takeBack` the prompt of a turn in which nothing was answered yet is given back as `PromptTakenBack`. */
  readonly interrupt: (options?: { readonly takeBack: boolean }) => void
  readonly setUp: (setup: HostSetup) => void
  readonly setModel: (model: string | undefined) => void
  readonly rename: (title: string) => void
  /** Empty takes the tag away. */
  readonly tag: (tag: string) => void
  readonly tasks: TaskControl
  /** Until the session closes, its conversation may use these tools too. */
  readonly addTools: (provider: ToolProvider) => Effect.Effect<void>
  /** What providers changed counts now, not only when the conversation hears of it. */
  readonly refreshTools: () => void
  readonly earlier: EarlierParts
  /** Code of the failure that keeps lines of the transcript from the disk, if one does. */
  readonly unsaved: () => string | undefined
  /** Ends everything that still runs (background commands after a grace time), flushes the transcript. Bounded. */
  readonly close: (graceMs: number) => Effect.Effect<void>
}

/** How a front end opens its session once its audience exists. A text says why it cannot. */
export type OpenSession = (audience: Audience) => Effect.Effect<SessionHandle, string>
