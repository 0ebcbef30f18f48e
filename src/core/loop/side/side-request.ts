import type { SideKind, SideOrder } from "../../context/side/side-task.ts"
import { text } from "../../domain/block.ts"
import { withInstruction } from "../../model/request/build-request.ts"
import type { ModelRequest } from "../../model/request/model-request.ts"
import type { SideWork } from "../machine/command.ts"
import type { AgentState } from "../machine/state.ts"
import { isRunning } from "../machine/transition.ts"
import { requestFor } from "../turn/send-request.ts"
import { openTurn } from "../turn/start-turn.ts"

/** The conversation's own request byte for byte, which its endpoint has read already, and one more instruction. */
const forked = (state: AgentState, source: SideKind, instruction: string): ModelRequest => {
  const { run } = isRunning(state) ? state : openTurn(state, "")
  const shared = requestFor(state, run.turn)
  const { model, max_tokens, tools, system, thinking, effort, temperature, userId, betas } = shared
  return {
    source,
    model,
    max_tokens,
    tools,
    system,
    get messages() {
      return withInstruction(shared.messages, text(instruction))
    },
    ...(thinking === undefined ? {} : { thinking }),
    ...(effort === undefined ? {} : { effort }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(userId === undefined ? {} : { userId }),
    ...(betas === undefined ? {} : { betas })
  }
}

/** What has to be done for a task: one request, or an agent of its own. */
export const sideWork = (state: AgentState, kind: SideKind, order: SideOrder): SideWork => {
  const { sight } = order
  if (order.grant !== undefined) return { _tag: "Act", order }
  if (sight._tag === "Fork") return { _tag: "Ask", request: forked(state, kind, sight.instruction) }
  const request: ModelRequest = {
    source: kind,
    model: state.config.side.smallModel,
    max_tokens: order.maxOutputTokens,
    tools: [],
    system: [text(sight.system)],
    messages: [{ role: "user", content: [text(sight.content)] }]
  }
  return { _tag: "Ask", request }
}
