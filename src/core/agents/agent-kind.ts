import { NO_SIDE_TASKS } from "../context/side/side-task.ts"
import type { TextBlock } from "../domain/block.ts"
import type { Occurrence } from "../loop/machine/event.ts"
import type { AgentState, LoopConfig } from "../loop/machine/state.ts"
import type { PermissionContext } from "../permission/context.ts"
import type { PermissionMode } from "../permission/verdict.ts"
import type { ToolEntry } from "../tools/tool-entry.ts"
import type { Toolbox } from "../tools/toolbox.ts"

/** What an agent may be and do that another agent starts. */
export interface AgentKind {
  readonly name: string
  /** Of the tools of whoever starts it; all of them if absent. */
  readonly tools?: ReadonlyArray<string>
  /** It never works in a looser one. */
  readonly mode?: PermissionMode
  /** The prompt of whoever starts it if absent. */
  readonly system?: ReadonlyArray<TextBlock>
  readonly maxTurns?: number
}

/** The first lets the least happen. */
const FROM_STRICT: ReadonlyArray<PermissionMode> = ["plan", "dontAsk", "default", "acceptEdits", "auto", "bypassPermissions"]

export const stricterMode = (left: PermissionMode, right: PermissionMode): PermissionMode =>
  FROM_STRICT.indexOf(left) <= FROM_STRICT.indexOf(right) ? left : right

/** The rules of the parent in the stricter mode of the two: nothing that it starts may do more than itself. */
export const childPermission = (parent: PermissionContext, { mode }: AgentKind): PermissionContext =>
  mode === undefined ? parent : { ...parent, mode: stricterMode(parent.mode, mode) }

/** What holds for the whole session, as far as it may hold for an agent of this kind. */
export const occurrenceFor = ({ mode }: AgentKind, occurrence: Occurrence): Occurrence => {
  if (mode === undefined || occurrence._tag !== "PermissionsUpdated") return occurrence
  const updates = occurrence.updates.map((update) =>
    update.type === "setMode" ? { ...update, mode: stricterMode(update.mode, mode) } : update
  )
  return { ...occurrence, updates }
}

/** What the kind may use of its parent's tools; it never promises the parent's output. */
export const childTools = ({ entries }: Toolbox, { tools }: AgentKind): ReadonlyArray<ToolEntry> =>
  entries.filter(
    ({ definition: { name }, source }) => source._tag !== "Schema" && (tools === undefined || tools.includes(name))
  )

const leftOf = (maxBudgetUsd: number | undefined, spentUsd: number): number | undefined =>
  maxBudgetUsd === undefined ? undefined : Math.max(0, maxBudgetUsd - spentUsd)

/** The options of the parent with the kind's own prompt and limits, and what is left of the budget. */
export const childConfig = ({ config, totals }: AgentState, { system, maxTurns }: AgentKind): LoopConfig => ({
  ...config,
  prompt: { ...config.prompt, system: system ?? config.prompt.system },
  limits: { ...config.limits, maxTurns, maxBudgetUsd: leftOf(config.limits.maxBudgetUsd, totals.costUsd) },
  side: NO_SIDE_TASKS,
  jsonSchema: undefined
})
