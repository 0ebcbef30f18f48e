import type { TouchedFile } from "../../context/sources/source.ts"
import { toolFor } from "../../tools/toolbox.ts"
import { patchConversation } from "../machine/patch-state.ts"
import type { AgentState, Call, RunningState } from "../machine/state.ts"

/** Files that the calls of a response read or changed: what is known about their folders may matter now. */

const touchedBy = (state: AgentState, call: Call): ReadonlyArray<TouchedFile> => {
  if (call.stage !== "completed" || call.result.isError || call.reading === undefined) return []
  const tool = call.tool === undefined ? undefined : toolFor(state.toolbox, call.tool)
  if (tool === undefined) return []
  return tool
    .needs(call.reading.input, state.cwd)
    .flatMap((need) => (need.kind === "read" || need.kind === "edit" ? [{ path: need.path, tool: tool.name }] : []))
}

export const noteTouched = (state: RunningState): RunningState => {
  if (state.config.prompt.sources.length === 0) return state
  const touched = state.run.turn.calls.flatMap((call) => touchedBy(state, call))
  if (touched.length === 0) return state
  const { context } = state.conversation
  return patchConversation(state, { context: { ...context, touched: [...context.touched, ...touched] } })
}
