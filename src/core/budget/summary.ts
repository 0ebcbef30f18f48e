import { Result } from "effect"
import { text, type CacheControl, type ContentBlock } from "../domain/block.ts"
import type { Uuid } from "../domain/id.ts"
import { PROGRAM_OPENINGS } from "../domain/texts.ts"
import type { Message, SystemMessage, UserMessage } from "../domain/message.ts"
import { outputCap } from "../domain/model.ts"
import { markLastMessage, messageMark, withoutMarks } from "../context/cache.ts"
import { replaceMedia } from "../context/clean.ts"
import type { ApiMessage, ModelRequest } from "../context/model-request.ts"
import { normalizeForApi } from "../context/normalize.ts"
import instructions from "../context/prompts/compact.md"
import { cutForCompaction, TAIL_LIMITS, type TailLimits } from "./cut.ts"
import { factsOf, factsText, type CompactionFacts } from "./facts.ts"

/** Compaction: the request for a summary, and what takes the place of the summarised messages. */
export interface CompactionInput {
  /** Everything the model still sees: the messages after the last boundary. */
  readonly messages: ReadonlyArray<Message>
  /** The request the conversation would make now; the summary request shares its bytes as far as it goes. */
  readonly request: ModelRequest
  /** What the user wants the summary to care about. */
  readonly focus?: string
  /** How much of the end stays word for word; NO_TAIL keeps nothing. */
  readonly tail?: TailLimits
}

export interface CompactionPlan {
  readonly request: ModelRequest
  readonly keptTail: ReadonlyArray<Message>
  readonly facts: CompactionFacts
  readonly messagesSummarized: number
}

const SUMMARY_OUTPUT_TOKENS = 20_000
const MEDIA_TYPES = ["image", "document"]

export const compactInstructions = (focus?: string): string =>
  focus === undefined || focus.trim() === ""
    ? instructions.trim()
    : `${instructions.trim()}\n\nThe user asks the summary to pay attention to this:\n${focus.trim()}`

/** Nothing when there is no earlier response to summarise. */
export const planCompaction = (input: CompactionInput): CompactionPlan | undefined => {
  const cut = cutForCompaction(input.messages, input.tail ?? TAIL_LIMITS)
  if (cut === undefined) return undefined
  return {
    request: summaryRequest(input, cut.older),
    keptTail: cut.kept,
    facts: factsOf(input.messages),
    messagesSummarized: cut.older.length
  }
}

const summaryRequest = (input: CompactionInput, older: ReadonlyArray<Message>): ModelRequest => {
  const parent = input.request
  const maxTokens = Math.min(SUMMARY_OUTPUT_TOKENS, outputCap(parent.model))
  const shared = sharedMessages(input, older)
  return {
    ...parent,
    source: "compact",
    max_tokens: maxTokens,
    messages: withInstruction(shared, text(compactInstructions(input.focus))),
    ...(parent.thinking?.type === "enabled"
      ? { thinking: { ...parent.thinking, budget_tokens: Math.min(parent.thinking.budget_tokens, maxTokens / 2) } }
      : {})
  }
}

/** The older part in the parent's own bytes, its mark on the last shared message. */
const sharedMessages = (input: CompactionInput, older: ReadonlyArray<Message>): ReadonlyArray<ApiMessage> => {
  const { request } = input
  const options = { model: request.model, toolNames: request.tools.map((tool) => tool.name) }
  const rendered = normalizeForApi(older, options).map(withoutMedia)
  const lead = contextBlocks(request, normalizeForApi(input.messages, options))
  const [first, ...rest] = rendered
  const whole = first === undefined ? [] : [{ ...first, content: [...lead, ...first.content] }, ...rest]
  const mark: CacheControl | undefined = messageMark(request.messages)
  return mark === undefined ? whole : markLastMessage(whole, mark)
}

/** What the request put before the conversation's own first words. */
const contextBlocks = (request: ModelRequest, plain: ReadonlyArray<ApiMessage>): ReadonlyArray<ContentBlock> => {
  const first = withoutMarks(request.messages)[0]?.content ?? []
  return first.slice(0, Math.max(0, first.length - (plain[0]?.content.length ?? 0)))
}

const withoutMedia = (message: ApiMessage): ApiMessage => ({
  ...message,
  content: message.content.map((block) => replaceMedia(block, MEDIA_TYPES))
})

const withInstruction = (messages: ReadonlyArray<ApiMessage>, instruction: ContentBlock): ReadonlyArray<ApiMessage> => {
  const last = messages.at(-1)
  if (last === undefined) return [{ role: "user", content: [instruction] }]
  return [...messages.slice(0, -1), { ...last, content: [...last.content, instruction] }]
}

const ANALYSIS = /<analysis>[\s\S]*?<\/analysis>/i
const SUMMARY = /<summary>([\s\S]*?)(?:<\/summary>|$)/i

/** The summary out of the model's answer. Formatting it again changes nothing. */
export const formatSummary = (answer: string): Result.Result<string, string> => {
  const rest = answer.replace(ANALYSIS, "").trim()
  const tagged = SUMMARY.exec(rest)?.[1]?.trim()
  if (tagged === "" || rest === "") return Result.fail("The model gave an empty summary")
  return Result.succeed(tagged === undefined ? rest : `Summary:\n${tagged}`)
}

export interface SummaryInput {
  readonly summary: string
  readonly boundaryUuid: Uuid
  readonly summaryUuid: Uuid
  readonly timestamp: string
  readonly trigger: "manual" | "auto"
  readonly preTokens: number
  /** Newest message before the boundary. */
  readonly previousTip: Uuid | null
  readonly keptTail: ReadonlyArray<Message>
  readonly facts?: CompactionFacts
  readonly postTokens?: number
  readonly messagesSummarized?: number
  readonly focus?: string
}

const preserved = (input: SummaryInput): Readonly<Record<string, unknown>> => {
  const uuids = input.keptTail.map((message) => message.uuid)
  const [headUuid] = uuids
  if (headUuid === undefined) return {}
  const anchorUuid = input.summaryUuid
  return {
    preservedSegment: { anchorUuid, headUuid, tailUuid: uuids.at(-1) ?? headUuid },
    preservedMessages: { anchorUuid, uuids }
  }
}

const boundaryMessage = (input: SummaryInput): SystemMessage => ({
  type: "system",
  subtype: "compact_boundary",
  uuid: input.boundaryUuid,
  timestamp: input.timestamp,
  logicalParentUuid: input.previousTip,
  content: "Conversation compacted",
  level: "info",
  compactMetadata: {
    trigger: input.trigger,
    preTokens: input.preTokens,
    ...(input.postTokens === undefined ? {} : { postTokens: input.postTokens }),
    ...(input.messagesSummarized === undefined ? {} : { messagesSummarized: input.messagesSummarized }),
    ...(input.focus === undefined ? {} : { userContext: input.focus }),
    ...preserved(input)
  }
})

const summaryText = (input: SummaryInput): string =>
  [
    `${PROGRAM_OPENINGS.compacted} This stands in for its older part.`,
    Result.getOrElse(formatSummary(input.summary), () => input.summary),
    ...(input.facts === undefined ? [] : [factsText(input.facts)]),
    "Go on with the current work from here. Do not greet, recap or ask whether to continue."
  ]
    .filter((section) => section.trim() !== "")
    .join("\n\n")

export const summaryMessages = (
  input: SummaryInput
): { readonly boundary: SystemMessage; readonly summary: UserMessage } => ({
  boundary: boundaryMessage(input),
  summary: {
    type: "user",
    uuid: input.summaryUuid,
    timestamp: input.timestamp,
    isCompactSummary: true,
    isVisibleInTranscriptOnly: true,
    message: { role: "user", content: summaryText(input) }
  }
})
