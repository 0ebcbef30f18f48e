import { Result } from "effect"
import { setAsideNotice } from "../permission/rules/set-aside.ts"
import type { PermissionContext } from "../permission/context.ts"
import { changeMode } from "../permission/mode.ts"
import { applyUpdates, type PermissionUpdate } from "../permission/configuration/update.ts"
import type { PermissionMode } from "../permission/verdict.ts"
import { type AppliedSettings, applySettings } from "../permission/configuration/apply-settings.ts"
import { isSaved } from "../permission/configuration/save-updates.ts"
import { endRun } from "./turn/finish.ts"
import { patchConversation, patchState } from "./machine/patch-state.ts"
import type { ToolEntry } from "../tools/tool-entry.ts"
import { withTools } from "../tools/toolbox.ts"
import { withConfig } from "./machine/config.ts"
import type { ConfigEvent } from "./machine/event.ts"
import type { AgentState, Run, RunningState } from "./machine/state.ts"
import { emit, freshUuid, notice, type Step, stay } from "./machine/transition.ts"

/** New rules and a new mode count at once; a new mode is reported, and with it the rules that it sets aside. */
const setPermission = <R extends Run>(state: AgentState<R>, permission: PermissionContext): Step<R> => {
  // What the classifier said about hosts was said under the rules before.
  const { hosts } = state.pending
  const pending = hosts.judged.length === 0 ? state.pending : { ...state.pending, hosts: { ...hosts, judged: [] } }
  const aside = setAsideNotice(state.permission, permission)
  const notices = aside === undefined ? [] : [notice("info", aside)]
  if (permission.mode === state.permission.mode) return [patchState(state, { permission, pending }), notices]
  const [uuid, drawn] = freshUuid(state)
  const reported = emit({ _tag: "ModeReported", uuid, mode: permission.mode })
  return [patchState(drawn, { permission, pending }), [reported, ...notices]]
}

export const onModeChanged = (state: AgentState, mode: PermissionMode): Step => {
  if (state.permission.mode === mode) return stay(state)
  const changed = changeMode(state.permission, mode)
  return Result.isFailure(changed) ? [state, [notice("warning", changed.failure)]] : setPermission(state, changed.success)
}

/** Updates hold at once; those for a file are also written. */
export const onPermissionsUpdated = <R extends Run>(
  state: AgentState<R>,
  updates: ReadonlyArray<PermissionUpdate>
): Step<R> => {
  if (updates.length === 0) return stay(state)
  const [next, commands] = setPermission(state, applyUpdates(state.permission, updates))
  const saved = updates.filter(isSaved)
  return saved.length === 0 ? [next, commands] : [next, [...commands, { _tag: "SavePermissions", updates: saved }]]
}

/** A mode that the settings no longer offer ends at once. */
export const onSettingsApplied = (state: AgentState, settings: AppliedSettings): Step => {
  const { mode } = state.permission
  const permission = applySettings(state.permission, settings)
  const [next, commands] = setPermission(state, permission)
  if (permission.mode === mode) return [next, commands]
  return [next, [...commands, notice("warning", `${mode} is no longer available; the mode is ${permission.mode} now`)]]
}

/** New options count from the next request on. */
export const onConfigEvent = (state: AgentState, event: ConfigEvent): Step =>
  stay(patchState(state, { config: withConfig(state.config, event) }))

/** Calls under way keep what was read of them; the next request offers the new tools. */
export const onToolsChanged = (state: AgentState, tools: ReadonlyArray<ToolEntry>): Step => {
  const toolbox = withTools(state.toolbox, tools)
  return stay(toolbox === state.toolbox ? state : patchState(state, { toolbox }))
}

/** The program ends: nothing more is announced; what is on disk resumes later, queued prompts included. */
export const onShutDown = (state: RunningState): Step => {
  const { compaction } = state.conversation
  const ended = endRun(state, "aborted_streaming")
  return stay(patchConversation(ended, { compaction: { ...compaction, wanted: [] } }))
}
