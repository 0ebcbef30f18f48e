import { isToolResult, isToolUse, type ToolResultBlock } from "../../domain/block.ts"
import type { CallId } from "../../domain/id.ts"
import { blocksOf, type Message } from "../../domain/message.ts"
import { TEXTS } from "../../domain/program-texts.ts"
import { estimateBlocks, estimateText } from "../../model/tokens/estimate.ts"
import { withOtherHalves } from "./keep.ts"
import type { ClearResults, ReductionView, RungInput, RungName } from "./reduction.ts"

/**
 * Results of tools are the bulk of most conversations, and an old one can be had again by calling the tool again. What
 * was cleared stays in the transcript.
 */
const CLEARABLE: ReadonlySet<string> = new Set([
  "Bash",
  "Edit",
  "Glob",
  "Grep",
  "PowerShell",
  "Read",
  "WebFetch",
  "WebSearch",
  "Write"
])

interface Candidate {
  readonly call: CallId
  readonly freesTokens: number
}

const clearedTokens = estimateText(TEXTS.clearedResult)

const isCleared = ({ content }: ToolResultBlock): boolean => content === TEXTS.clearedResult

const resultsIn = (message: Message): ReadonlyArray<ToolResultBlock> =>
  message.type === "user" ? blocksOf(message.message.content).filter(isToolResult) : []

const namesOf = (messages: ReadonlyArray<Message>): ReadonlyMap<CallId, string> =>
  new Map(
    messages.flatMap((message) =>
      message.type === "assistant"
        ? message.message.content.filter(isToolUse).map(({ id, name }) => [id, name] as const)
        : []
    )
  )

/** Results of these tools that may be cleared, oldest first. */
const candidates = (
  view: Pick<ReductionView, "visible" | "pins">,
  isClearable: (tool: string) => boolean
): ReadonlyArray<Candidate> => {
  const messages = view.visible()
  const names = namesOf(messages)
  const pinned = withOtherHalves(messages, view.pins)
  return messages
    .filter(({ uuid }) => !pinned.has(uuid))
    .flatMap(resultsIn)
    .filter((result) => !isCleared(result) && isClearable(names.get(result.tool_use_id) ?? ""))
    .map((result) => ({ call: result.tool_use_id, freesTokens: estimateBlocks([result]) - clearedTokens }))
}

const sumOf = (found: ReadonlyArray<Candidate>): number => found.reduce((sum, { freesTokens }) => sum + freesTokens, 0)

/** All but the newest, if that frees enough. Results that are smaller than the line in their place stay. */
const clear = (
  input: RungInput,
  rung: RungName,
  { keep, atLeastTokens }: { readonly keep: number; readonly atLeastTokens: number }
): ClearResults | undefined => {
  const all = candidates(input.view, (tool) => CLEARABLE.has(tool))
  const found = all.slice(0, Math.max(0, all.length - keep)).filter(({ freesTokens }) => freesTokens > clearedTokens)
  const freesTokens = sumOf(found)
  if (found.length === 0 || freesTokens < atLeastTokens) return undefined
  return { _tag: "ClearResults", rung, calls: found.map(({ call }) => call), freesTokens }
}

const isAsked = ({ view }: RungInput): boolean => view.ask._tag !== "Nothing"

/** The endpoint has forgotten what it had kept, so that sending less costs nothing. */
export const clearIdle = (input: RungInput): ClearResults | undefined => {
  const { clearing } = input.settings
  if (!clearing.isEnabled || isAsked(input) || input.view.idleMs < clearing.idleMs) return undefined
  return clear(input, "clear-idle", { keep: clearing.keepResults, atLeastTokens: 1 })
}

const PRESSURE_SHARE = 0.8
const PRESSURE = { keep: 10, atLeastTokens: 10_000 }
const PRESSURE_GROWTH_TOKENS = 20_000

/** The window is filling. What the endpoint had kept is lost with this, so it happens seldom and frees much. */
export const clearPressure = (input: RungInput): ClearResults | undefined => {
  const { status, view, settings } = input
  if (!settings.clearing.isEnabled || !settings.isAutomatic || isAsked(input)) return undefined
  if (status.usedTokens < status.autoTokens * PRESSURE_SHARE) return undefined
  const { clearedAtTokens } = view
  if (clearedAtTokens !== undefined && status.usedTokens < clearedAtTokens + PRESSURE_GROWTH_TOKENS) return undefined
  return clear(input, "clear-pressure", PRESSURE)
}

const RESCUE_KEEP = 2

/** The endpoint refused the conversation: if clearing alone makes it fit, nothing has to be summarised. */
export const clearRescue = (input: RungInput): ClearResults | undefined => {
  const { ask } = input.view
  if (ask._tag !== "Rescue" || !input.settings.clearing.isEnabled) return undefined
  return clear(input, "clear-rescue", { keep: RESCUE_KEEP, atLeastTokens: ask.overTokens ?? PRESSURE.atLeastTokens })
}

/** Results that a user wants cleared, of whatever tool. What is pinned stays. */
export const clearThese = (
  view: Pick<ReductionView, "visible" | "pins">,
  calls: ReadonlyArray<CallId>
): ClearResults | undefined => {
  const found = candidates(view, () => true).filter(({ call }) => calls.includes(call))
  if (found.length === 0) return undefined
  const freesTokens = Math.max(0, sumOf(found))
  return { _tag: "ClearResults", rung: "clear-asked", calls: found.map(({ call }) => call), freesTokens }
}
