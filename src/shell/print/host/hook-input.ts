import { promptText } from "../../../core/loop/turn/queue.ts"
import { blocksOf } from "../../../core/domain/message.ts"
import { isText } from "../../../core/domain/block.ts"
import * as Log from "../../../core/domain/append-list.ts"
import type { AgentState } from "../../../core/loop/machine/state.ts"
import type { SessionHandle } from "../../session/session-handle.ts"
import type { HostHookEvent } from "./hook-calls.ts"
import { turnOf } from "../../../core/loop/machine/transition.ts"

type Input = Readonly<Record<string, unknown>>

/** The words of the prompt that opened the turn. */
const promptOf = (state: AgentState): string => {
  const opening = turnOf(state)?.promptUuid
  const index = Log.findLastIndex(state.conversation.messages, (message) => message.uuid === opening)
  const message = Log.get(state.conversation.messages, index)
  return message?.type === "user" ? promptText(message.message.content) : ""
}

/** What the failed call said about its failure. */
const errorOf = (state: AgentState, callId: unknown): string => {
  const call = turnOf(state)?.calls.find(({ id }) => id === callId)
  return blocksOf(call !== undefined && "result" in call ? call.result.content : "")
    .filter(isText)
    .map((block) => block.text)
    .join("\n")
}

const wasInterrupted = (response: unknown): boolean =>
  typeof response === "object" && response !== null && "interrupted" in response && response.interrupted === true

const fieldsOf = (event: HostHookEvent, input: Input, state: AgentState): Input => {
  switch (event) {
    case "UserPromptSubmit":
      return { prompt: promptOf(state) }
    case "PostToolUseFailure": {
      const { tool_response: response, ...call } = input
      return { ...call, error: errorOf(state, input["tool_use_id"]), is_interrupt: wasInterrupted(response) }
    }
    case "Stop":
      return { ...input, last_assistant_message: turnOf(state)?.lastText ?? "" }
    case "PreToolUse":
    case "PostToolUse":
    case "PermissionRequest":
    case "PreCompact":
    case "PostCompact":
      return input
  }
}

/** The input a hook of the host receives: what every event has, then what belongs to this one. */
export const hookInput = (event: HostHookEvent, input: Input, session: SessionHandle): Input => {
  const state = session.state()
  const { effort } = state.config.choice
  const turn = turnOf(state)
  return {
    session_id: session.facts.sessionId,
    transcript_path: session.facts.transcriptPath,
    cwd: state.cwd,
    ...(turn === undefined ? {} : { prompt_id: turn.promptUuid }),
    permission_mode: state.permission.mode,
    ...(effort === undefined ? {} : { effort: { level: effort } }),
    hook_event_name: event,
    ...fieldsOf(event, input, state)
  }
}
