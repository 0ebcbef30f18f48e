import { type Log, toArray } from "../../domain/append-list.ts"
import type { AgentId, CallId } from "../../domain/id.ts"
import type { Message } from "../../domain/message.ts"
import type { OpenBlock } from "../../model/stream/assemble.ts"
import type { PermissionMode } from "../../permission/verdict.ts"
import type { PermissionQuestion } from "./command.ts"
import { openQuestions } from "./open-questions.ts"
import type { TerminalReason } from "./reasons.ts"
import type { AgentState, Call, CallStage, QueuedPrompt, Run, Totals } from "./state.ts"

/**
 * A session as anybody may see it who has not watched from its beginning. A view is made of references, so making one
 * walks nothing; `encodeView` turns it into plain JSON.
 */
export interface SessionView {
  readonly version: 1
  /** What was published up to this number is in it. */
  readonly seq: number
  readonly agents: ReadonlyArray<AgentView>
}

export interface AgentView {
  readonly agent: AgentId
  /** Who started it; null for the one that talks to the user. */
  readonly parent: AgentId | null
  readonly run: RunView
  readonly messages: Log<Message>
  /** What waits for an answer. Whoever answers first is heard. */
  readonly questions: ReadonlyArray<PermissionQuestion>
  readonly queue: ReadonlyArray<QueuedPrompt>
  readonly totals: Totals
  readonly model: string
  readonly mode: PermissionMode
  readonly cwd: string
}

export type RunView =
  | { readonly _tag: "Idle" }
  | {
      readonly _tag: "Running"
      readonly phase: string
      readonly startedAt: number
      readonly calls: ReadonlyArray<CallView>
      /** The block that grows. */
      readonly open: OpenBlock | null
    }
  | { readonly _tag: "Done"; readonly reason: TerminalReason }

export interface CallView {
  readonly id: CallId
  readonly tool: string
  readonly summary: string
  readonly stage: CallStage
}

const callView = ({ id, tool, name, reading, stage }: Call): CallView => ({
  id,
  tool: tool ?? name,
  summary: reading?.summary ?? name,
  stage
})

const runView = (run: Run): RunView => {
  if (run._tag !== "Running") return run
  const { turn, phase } = run
  return {
    _tag: "Running",
    phase: phase._tag,
    startedAt: turn.startedAt,
    calls: turn.calls.map(callView),
    open: phase._tag === "Streaming" ? (phase.assembly.open ?? null) : null
  }
}

export const agentView = (agent: AgentId, parent: AgentId | null, state: AgentState): AgentView => ({
  agent,
  parent,
  run: runView(state.run),
  messages: state.conversation.messages,
  questions: openQuestions(state),
  queue: state.queue,
  totals: state.totals,
  model: state.config.choice.model,
  mode: state.permission.mode,
  cwd: state.cwd
})

export type EncodedView = Omit<SessionView, "agents"> & {
  readonly agents: ReadonlyArray<Omit<AgentView, "messages"> & { readonly messages: ReadonlyArray<Message> }>
}

export const encodeView = (view: SessionView): EncodedView => ({
  ...view,
  agents: view.agents.map((one) => ({ ...one, messages: toArray(one.messages) }))
})
