import { SYNTHETIC_MODEL, type AssistantMessage } from "../../domain/message.ts"
import { zeroUsage } from "../../domain/usage.ts"
import type { AgentState, Run } from "../machine/state.ts"
import { freshUuid, timestamp } from "../machine/transition.ts"

/** Words of the program in the assistant's place. */
export const syntheticAnswer = <R extends Run>(
  state: AgentState<R>,
  text: string
): readonly [AssistantMessage, AgentState<R>] => {
  const [uuid, named] = freshUuid(state)
  const [id, drawn] = freshUuid(named)
  return [
    {
      type: "assistant",
      uuid,
      timestamp: timestamp(state),
      message: {
        id,
        type: "message",
        role: "assistant",
        model: SYNTHETIC_MODEL,
        content: [{ type: "text", text }],
        stop_reason: "stop_sequence",
        stop_sequence: "",
        usage: zeroUsage
      }
    },
    drawn
  ]
}
