import { holds } from "../../core/hooks/condition.ts"
import { permissionRequest } from "../../core/loop/calls/call-lifecycle.ts"
import { findCall } from "../../core/loop/calls/call-stage.ts"
import { isRunning } from "../../core/loop/machine/transition.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import { NO_FACTS } from "../../core/permission/facts.ts"
import { toolFor } from "../../core/tools/toolbox.ts"

/** Whether a condition speaks of the call with this id; where there is none, no condition holds. */
export const aboutCall = (state: AgentState, callId: unknown): ((condition: string) => boolean) => {
  const call = isRunning(state) && typeof callId === "string" ? findCall(state, callId) : undefined
  const tool = call?.tool === undefined ? undefined : toolFor(state.toolbox, call.tool)
  if (call?.reading === undefined || tool === undefined) return () => false
  const facts = "facts" in call ? call.facts : NO_FACTS
  const request = { ...permissionRequest(state, tool, call.reading), facts }
  return (condition) => holds(condition, request)
}
