import { Result } from "effect"
import type { PermissionContext } from "../permission/context.ts"
import { changeMode } from "../permission/mode.ts"
import { applyUpdates, type PermissionUpdate } from "../permission/update.ts"
import type { PermissionMode } from "../permission/verdict.ts"
import type { AgentState, LoopConfig } from "./state.ts"
import { emit, freshUuid, notice, setPhase, type Step, stay } from "./transition.ts"

/** New rules and a new mode count at once; a new mode is reported. */
const setPermission = (state: AgentState, permission: PermissionContext): Step => {
  if (permission.mode === state.permission.mode) return stay({ ...state, permission })
  const [uuid, drawn] = freshUuid(state)
  return [{ ...drawn, permission }, [emit({ _tag: "ModeReported", uuid, mode: permission.mode })]]
}

export const onModeChanged = (state: AgentState, mode: PermissionMode): Step => {
  if (state.permission.mode === mode) return stay(state)
  const changed = changeMode(state.permission, mode)
  return Result.isFailure(changed)
    ? [state, [notice("warning", changed.failure)]]
    : setPermission(state, changed.success)
}

export const onPermissionsUpdated = (state: AgentState, updates: ReadonlyArray<PermissionUpdate>): Step =>
  updates.length === 0 ? stay(state) : setPermission(state, applyUpdates(state.permission, updates))

/** New options count from the next request on. */
export const onConfigChanged = (state: AgentState, config: Partial<LoopConfig>): Step =>
  stay({ ...state, config: { ...state.config, ...config } })

/** The program ends: nothing more is announced; what is on disk resumes later, queued prompts included. */
export const onShutDown = (state: AgentState): Step =>
  state.turn === undefined
    ? stay(state)
    : stay({ ...setPhase(state, { _tag: "Done", reason: "aborted_streaming" }), turn: undefined })
