import { Result } from "effect"
import type { Uuid } from "../../domain/id.ts"
import type { Message, SystemMessage, UserMessage } from "../../domain/message.ts"
import { PROGRAM_OPENINGS } from "../../domain/program-texts.ts"
import { estimateMessages } from "../../model/tokens/estimate.ts"
import { factsText, type CompactionFacts } from "./facts.ts"
import type { Summarise } from "./reduction.ts"

/** What takes the place of the messages that a reduction lets go. */
export interface Material {
  /** What stands in for the older part, as its writer gave it. */
  readonly words: string
  readonly facts: CompactionFacts
  readonly boundaryUuid: Uuid
  readonly summaryUuid: Uuid
  readonly timestamp: string
  readonly trigger: "manual" | "auto"
  readonly preTokens: number
  /** Newest message before the boundary. */
  readonly previousTip: Uuid | null
  readonly focus: string
  /** Messages that an earlier boundary kept; their lines are not where their neighbours are. */
  readonly keptBefore: ReadonlySet<Uuid>
  /** Tokens in the window with other messages in it. */
  readonly windowWith: (messages: ReadonlyArray<Message>) => number
  /** It goes through only if less is in the window than this, and no more messages than there is room for. */
  readonly bounds: { readonly belowTokens: number; readonly roomTokens: number } | undefined
}

export interface Applied {
  readonly boundary: SystemMessage
  readonly summary: UserMessage
  /** What the model sees from now on, in its order. */
  readonly visible: ReadonlyArray<Message>
  readonly freedTokens: number
}

const ANALYSIS = /<analysis>[\s\S]*?<\/analysis>/i
const SUMMARY = /<summary>([\s\S]*?)(?:<\/summary>|$)/i

/** The summary out of the model's answer. Formatting it again changes nothing. */
export const formatSummary = (answer: string): Result.Result<string, string> => {
  const rest = answer.replace(ANALYSIS, "").trim()
  const tagged = SUMMARY.exec(rest)?.[1]?.trim()
  if (tagged === "" || rest === "") return Result.fail("the model gave an empty summary")
  return Result.succeed(tagged === undefined ? rest : `Summary:\n${tagged}`)
}

/** The kept lines are neighbours in the file, so that other programs can link them by their ends. */
const isUnbroken = ({ read, kept }: Summarise, keptBefore: ReadonlySet<Uuid>): boolean =>
  kept.every((message) => !keptBefore.has(message.uuid) && !read.includes(message))

const preserved = (reduction: Summarise, material: Material): Readonly<Record<string, unknown>> => {
  const uuids = reduction.kept.map((message) => message.uuid)
  const [headUuid] = uuids
  if (headUuid === undefined) return {}
  const anchorUuid = reduction.side === "end" ? material.boundaryUuid : material.summaryUuid
  const segment = { anchorUuid, headUuid, tailUuid: uuids.at(-1) ?? headUuid }
  return {
    ...(isUnbroken(reduction, material.keptBefore) ? { preservedSegment: segment } : {}),
    preservedMessages: { anchorUuid, uuids }
  }
}

const boundaryMessage = (reduction: Summarise, material: Material, postTokens: number): SystemMessage => ({
  type: "system",
  subtype: "compact_boundary",
  uuid: material.boundaryUuid,
  timestamp: material.timestamp,
  logicalParentUuid: material.previousTip,
  content: "Conversation compacted",
  level: "info",
  compactMetadata: {
    trigger: material.trigger,
    preTokens: material.preTokens,
    postTokens,
    messagesSummarized: reduction.older.length,
    ...(material.focus === "" ? {} : { userContext: material.focus }),
    ...preserved(reduction, material)
  }
})

const markerText = (rounds: number): string =>
  `${PROGRAM_OPENINGS.compacted} Its oldest rounds were taken out without a summary, as the user wished: ${rounds}.`

const opening = (reduction: Summarise, words: string): string =>
  reduction.source._tag === "Marker"
    ? markerText(reduction.source.rounds)
    : `${PROGRAM_OPENINGS.compacted} This stands in for ${reduction.side === "end" ? "what followed" : "its older part"}.\n\n${words}`

const summaryMessage = (reduction: Summarise, material: Material, words: string): UserMessage => ({
  type: "user",
  uuid: material.summaryUuid,
  timestamp: material.timestamp,
  isCompactSummary: true,
  isVisibleInTranscriptOnly: true,
  message: {
    role: "user",
    content: [
      opening(reduction, words),
      factsText(material.facts),
      "Go on with the current work from here. Do not greet, recap or ask whether to continue."
    ]
      .filter((part) => part.trim() !== "")
      .join("\n\n")
  }
})

const whyNot = ({ bounds }: Material, visible: ReadonlyArray<Message>, after: number): string | undefined => {
  if (bounds === undefined) return undefined
  if (after >= bounds.belowTokens) return "the summary would not be smaller than what it stands for"
  const tokens = estimateMessages(visible)
  return tokens > bounds.roomTokens
    ? `what is left would still take ${tokens} tokens of ${bounds.roomTokens} that there is room for`
    : undefined
}

/**
 * The order of everything after a reduction: boundary, summary, what was kept. It fails, and nothing changes, where the
 * words are empty or the conversation would not be smaller.
 */
export const applyReduction = (reduction: Summarise, material: Material): Result.Result<Applied, string> => {
  const words = reduction.source._tag === "Marker" ? Result.succeed("") : formatSummary(material.words)
  if (Result.isFailure(words)) return Result.fail(words.failure)
  const summary = summaryMessage(reduction, material, words.success)
  const visible = reduction.side === "end" ? [...reduction.kept, summary] : [summary, ...reduction.kept]
  const after = material.windowWith(visible)
  const refusal = whyNot(material, visible, after)
  if (refusal !== undefined) return Result.fail(refusal)
  const boundary = boundaryMessage(reduction, material, Math.min(material.preTokens, after))
  return Result.succeed({ boundary, summary, visible, freedTokens: Math.max(0, material.preTokens - after) })
}
