import { type Grant, NO_SIDE_TASKS, type SideKind } from "../context/side/side-task.ts"
import type { TextBlock } from "../domain/block.ts"
import type { Occurrence } from "../loop/machine/event.ts"
import type { AgentState, LoopConfig, ModelChoice } from "../loop/machine/state.ts"
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
  /** It works for the program and not for its parent's task: unseen, unasked, and it writes in one place only. */
  readonly side?: {
    readonly kind: SideKind
    readonly grant: Grant
    /** It goes on with its parent's conversation and model; otherwise the small model sees nothing but the prompt. */
    readonly isFork: boolean
  }
}

/** The first lets the least happen. */
const FROM_STRICT: ReadonlyArray<PermissionMode> = ["plan", "dontAsk", "default", "acceptEdits", "auto", "bypassPermissions"]

export const stricterMode = (left: PermissionMode, right: PermissionMode): PermissionMode =>
  FROM_STRICT.indexOf(left) <= FROM_STRICT.indexOf(right) ? left : right

/**
 * The rules of the parent in the stricter mode of the two: nothing that it starts may do more than itself. Whoever
 * works on a side task is held to its grant besides, in any mode.
 */
export const childPermission = (parent: PermissionContext, { mode, side }: AgentKind): PermissionContext => {
  if (side !== undefined) {
    const { grant } = side
    return { ...parent, mode: "dontAsk", canPrompt: false, grant, editablePaths: [grant.path] }
  }
  return mode === undefined ? parent : { ...parent, mode: stricterMode(parent.mode, mode) }
}

/** What holds for the whole session, as far as it may hold for an agent of this kind. */
export const occurrenceFor = ({ mode: own, side }: AgentKind, occurrence: Occurrence): Occurrence => {
  const mode = side === undefined ? own : "dontAsk"
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

/** What only a conversation that talks to somebody has is left out. */
const sideConfig = (config: LoopConfig, { kind, isFork }: NonNullable<AgentKind["side"]>): LoopConfig => ({
  ...config,
  prompt: { ...config.prompt, sources: [] },
  place: { ...config.place, source: kind },
  choice: isFork ? config.choice : smallChoice(config),
  compaction: { ...config.compaction, isAutomatic: false, isDisabled: true },
  hookEvents: [],
  canAsk: false
})

const smallChoice = ({ choice, side }: LoopConfig): ModelChoice => ({
  ...choice,
  model: side.smallModel,
  fallbackModels: [],
  thinking: undefined,
  effort: undefined,
  windowTokens: undefined
})

/** Hooks of these hear of the conversation with the user alone. */
const OF_THE_SESSION: ReadonlySet<string> = new Set(["SessionStart", "UserPromptSubmit", "Stop"])

/** The options of the parent with the kind's own prompt and limits, and what is left of the budget. */
export const childConfig = ({ config, totals }: AgentState, { system, maxTurns, side }: AgentKind): LoopConfig => {
  const own = side === undefined ? config : sideConfig(config, side)
  return {
    ...own,
    prompt: { ...own.prompt, system: system ?? own.prompt.system },
    hookEvents: own.hookEvents.filter((event) => !OF_THE_SESSION.has(event)),
    limits: { ...own.limits, maxTurns, maxBudgetUsd: leftOf(own.limits.maxBudgetUsd, totals.costUsd) },
    side: NO_SIDE_TASKS,
    jsonSchema: undefined
  }
}
