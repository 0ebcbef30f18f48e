import type { CallId } from "../../domain/id.ts"
import { countText } from "../../domain/text/count-text.ts"
import { sizeAdvice } from "../instructions/size-advice.ts"
import type { ContextUsage, UsageCategory } from "./context-usage.ts"
import { type UsageItem, pathOf } from "./item.ts"
import { serverOf } from "./items.ts"

/** Something about a window that a user may want to change. */
export interface Finding {
  readonly code: FindingCode
  readonly text: string
  readonly freesTokens?: number
  /** Results that could be cleared. */
  readonly calls?: ReadonlyArray<CallId>
}

export type FindingCode =
  | "over_window"
  | "uncounted"
  | "scaled"
  | "instruction_size"
  | "server_unused"
  | "tool_results"
  | "file_twice"
  | "thinking"

const SERVER_SHARE = 0.05
const RESULTS_SHARE = 0.2
const THINKING_SHARE = 0.2
const SCALE_TOLERANCE = 0.15
const LARGEST = 3
/** The share of the window below which a result is not worth a word. */
const WORTH_NAMING = 0.01

const percent = (share: number): string => `${Math.round(share * 100)}%`

const itemsIn = ({ categories }: ContextUsage, id: UsageCategory["id"]): ReadonlyArray<UsageItem> =>
  categories.find((category) => category.id === id)?.items ?? []

const sumOf = (items: ReadonlyArray<UsageItem>): number => items.reduce((sum, { tokens }) => sum + tokens, 0)

type Check = (usage: ContextUsage) => ReadonlyArray<Finding>

const overWindow: Check = ({ status: { usedTokens, windowTokens } }) =>
  usedTokens <= windowTokens
    ? []
    : [
        {
          code: "over_window",
          text: `Context exceeds the ${windowTokens}-token limit by ${usedTokens - windowTokens} tokens · /compact frees space`
        }
      ]

const uncounted: Check = ({ status }) =>
  status.isEstimated
    ? [
        {
          code: "uncounted",
          text: "The endpoint has not counted this conversation yet. These are estimates; it may be a third more."
        }
      ]
    : []

const scaled: Check = ({ scale, status }) =>
  status.isEstimated || Math.abs(scale - 1) <= SCALE_TOLERANCE
    ? []
    : [
        {
          code: "scaled",
          text: `Items are estimated and multiplied by ${scale.toFixed(2)}, so that they add up to what the endpoint counted.`
        }
      ]

const largeInstructions: Check = (usage) =>
  [...itemsIn(usage, "instructions"), ...itemsIn(usage, "memory")].flatMap(({ file }) => {
    const advice = file === undefined ? undefined : sizeAdvice(file)
    return advice === undefined ? [] : [{ code: "instruction_size", text: `${file?.path ?? ""} ${advice}.` }]
  })

const unusedServers: Check = (usage) => {
  const called = new Set(itemsIn(usage, "tool_calls").map(({ label }) => serverOf(label.split(" ", 1)[0] ?? "")))
  const tools = itemsIn(usage, "mcp_tools")
  const servers = new Set(tools.map(({ label }) => serverOf(label)))
  return [...servers].flatMap((server) => {
    const tokens = sumOf(tools.filter(({ label }) => serverOf(label) === server))
    const share = tokens / usage.status.windowTokens
    if (server === undefined || called.has(server) || share <= SERVER_SHARE) return []
    const text = `The tools of ${server} take ${percent(share)} of the window and were not used here.`
    return [{ code: "server_unused", text, freesTokens: tokens }]
  })
}

/** Results that may be cleared, the largest first. */
const clearable = (usage: ContextUsage): ReadonlyArray<UsageItem & { readonly call: CallId }> =>
  itemsIn(usage, "tool_results")
    .flatMap((item) => (item.call === undefined || item.pinned ? [] : [{ ...item, call: item.call }]))
    .toSorted((left, right) => right.tokens - left.tokens)

const largeResults: Check = (usage) => {
  const share = sumOf(itemsIn(usage, "tool_results")) / usage.status.windowTokens
  const { windowTokens } = usage.status
  const largest = clearable(usage)
    .slice(0, LARGEST)
    .filter(({ tokens }, index) => index === 0 || tokens >= windowTokens * WORTH_NAMING)
  if (share <= RESULTS_SHARE || largest.length === 0) return []
  const names = largest.map(({ label, tokens }) => `${label} (${countText(tokens)})`).join(", ")
  return [
    {
      code: "tool_results",
      text: `Tool results take ${percent(share)} of the window. Largest: ${names}.`,
      freesTokens: sumOf(largest),
      calls: largest.map(({ call }) => call)
    }
  ]
}

/** A file that is shown again makes the earlier copies superfluous. */
const filesTwice: Check = (usage) => {
  const reads = clearable(usage).filter(({ label }) => label.startsWith("Read "))
  const paths = new Set(reads.map(pathOf))
  return [...paths].flatMap((path) => {
    const found = reads.filter((item) => pathOf(item) === path)
    const [largest] = found
    // A short one only says that the file is as it was: then the earlier copy is the one that counts.
    const copies = found
      .filter(({ tokens }) => tokens * 2 >= (largest?.tokens ?? 0))
      .toSorted((left, right) => (left.turn ?? 0) - (right.turn ?? 0))
    const older = copies.slice(0, -1)
    if (path === undefined || older.length === 0) return []
    return [
      {
        code: "file_twice",
        text: `${path} is here ${copies.length} times.`,
        freesTokens: sumOf(older),
        calls: older.map(({ call }) => call)
      }
    ]
  })
}

const muchThinking: Check = (usage) => {
  const tokens = sumOf(itemsIn(usage, "thinking"))
  const share = tokens / Math.max(1, usage.status.usedTokens)
  return share <= THINKING_SHARE
    ? []
    : [{ code: "thinking", text: `Thinking is ${percent(share)} of what is used (${countText(tokens)} tokens).` }]
}

const CHECKS: ReadonlyArray<Check> = [
  overWindow,
  uncounted,
  scaled,
  largeInstructions,
  unusedServers,
  largeResults,
  filesTwice,
  muchThinking
]

/** What is worth a word, the gravest first. */
export const findingsOf = (usage: ContextUsage): ReadonlyArray<Finding> => CHECKS.flatMap((check) => check(usage))
