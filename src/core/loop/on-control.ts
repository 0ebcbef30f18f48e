import { Result } from "effect"
import { changeMode } from "../permission/mode.ts"
import { applyUpdates, type PermissionUpdate } from "../permission/update.ts"
import type { PermissionMode } from "../permission/verdict.ts"
import type { AgentState, LoopConfig } from "./state.ts"
import { emit, freshUuid, notice, setPhase, type Step, stay } from "./transition.ts"

export const onModeChanged = (state: AgentState, mode: PermissionMode): Step => {
  if (state.permission.mode === mode) return stay(state)
  const changed = changeMode(state.permission, mode)
  if (Result.isFailure(changed)) return [state, [notice("warning", changed.failure)]]
  const [uuid, drawn] = freshUuid(state)
  return [{ ...drawn, permission: changed.success }, [emit({ _tag: "ModeReported", uuid, mode })]]
}

export const onPermissionsUpdated = (state: AgentState, updates: ReadonlyArray<PermissionUpdate>): Step =>
  stay({ ...state, permission: applyUpdates(state.permission, updates) })

/** New options count from the next request on. */
export const onConfigChanged = (state: AgentState, config: Partial<LoopConfig>): Step =>
  stay({ ...state, config: { ...state.config, ...config } })

/** The program ends: nothing more is announced, what is on disk resumes later. */
export const onShutDown = (state: AgentState): Step =>
  state.phase._tag === "Idle" || state.phase._tag === "Done"
    ? stay(state)
    : stay({ ...setPhase(state, { _tag: "Done", reason: "aborted_streaming" }), turn: undefined, queue: [] })
