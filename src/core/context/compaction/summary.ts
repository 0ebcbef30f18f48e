import { Result } from "effect"
import { text, type ContentBlock } from "../../domain/block.ts"
import type { Uuid } from "../../domain/id.ts"
import { PROGRAM_OPENINGS } from "../../domain/program-texts.ts"
import type { Message, SystemMessage, UserMessage } from "../../domain/message.ts"
import { outputCap } from "../../model/catalog/model.ts"
import { markIn, markLastMessage } from "../../model/request/cache.ts"
import { replaceMedia } from "../../model/request/clean.ts"
import type { ApiMessage, ModelRequest, Thinking } from "../../model/request/model-request.ts"
import { normalizeForApi } from "../../model/request/api-history.ts"
import { withContext } from "../../model/request/build-request.ts"
import instructions from "./summary.md"
import { cutForCompaction, groupRounds, type RoundGroup, TAIL_LIMITS, type TailLimits } from "./cut.ts"
import { estimateBlocks, estimateText, estimateTools } from "../../model/tokens/estimate.ts"
import { factsOf, factsText, type CompactionFacts } from "./facts.ts"
import { leftOutNote, roundsBeyond } from "./leave-out.ts"

/** Compaction: the request for a summary, and what takes the place of the summarised messages. */
export interface CompactionInput {
  /** Everything the model still sees: the messages after the last boundary. */
  readonly messages: ReadonlyArray<Message>
  /** The request the conversation would make now; the summary request shares its bytes as far as it goes. */
  readonly request: ModelRequest
  /** What stands before the conversation's first words. */
  readonly userContext?: string | undefined
  /** Tokens the model's window holds; what does not fit is left out of the request. Absent: all of it is sent. */
  readonly windowTokens?: number
  /** Rounds to leave out at least, because the endpoint found the request too long. */
  readonly leaveOut?: number
  /** What the user wants the summary to care about. */
  readonly focus?: string
  /** How much of the end stays word for word; NO_TAIL keeps nothing. */
  readonly tail?: TailLimits
}

export interface CompactionPlan {
  /** Made when it is first read. */
  readonly request: ModelRequest
  /** Rounds that the request holds, and how many older ones it leaves out. */
  readonly rounds: ReadonlyArray<RoundGroup>
  readonly leftOut: number
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
  const all = groupRounds(cut.older)
  const beyond = input.windowTokens === undefined ? 0 : roundsBeyond(all, roomFor(input, input.windowTokens))
  const leftOut = Math.min(Math.max(beyond, input.leaveOut ?? 0), all.length - 1)
  const rounds = all.slice(leftOut)
  let request: ModelRequest | undefined
  return {
    get request() {
      return (request ??= summaryRequest(input, leftOut === 0 ? cut.older : [leftOutNote(leftOut), ...rounds.flat()]))
    },
    rounds,
    leftOut,
    keptTail: cut.kept,
    get facts() {
      return factsOf(input.messages)
    },
    messagesSummarized: cut.older.length
  }
}

const outputTokensOf = ({ model }: ModelRequest): number => Math.min(SUMMARY_OUTPUT_TOKENS, outputCap(model))

/** Tokens for the older part: the window without the answer and everything that stands around the conversation. */
const roomFor = ({ request, userContext, focus }: CompactionInput, windowTokens: number): number => {
  const around = estimateText(userContext ?? "") + estimateText(compactInstructions(focus))
  const fixed = estimateTools(request.tools) + estimateBlocks(request.system) + around
  return windowTokens - Math.min(outputTokensOf(request), Math.floor(windowTokens / 4)) - fixed
}

/** Thinking stays below the smaller output limit. */
const thinkingWithin = (thinking: Thinking, maxTokens: number): Thinking =>
  thinking.type === "enabled" ? { ...thinking, budget_tokens: Math.min(thinking.budget_tokens, maxTokens / 2) } : thinking

/** The parent with other messages. Field by field: a spread would have the parent's own messages made for nothing. */
const summaryRequest = (input: CompactionInput, older: ReadonlyArray<Message>): ModelRequest => {
  const { model, tools, system, thinking, effort, temperature, userId, betas } = input.request
  const maxTokens = outputTokensOf(input.request)
  return {
    source: "compact",
    model,
    max_tokens: maxTokens,
    tools,
    system,
    messages: withInstruction(sharedMessages(input, older), text(compactInstructions(input.focus))),
    ...(thinking === undefined ? {} : { thinking: thinkingWithin(thinking, maxTokens) }),
    ...(effort === undefined ? {} : { effort }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(userId === undefined ? {} : { userId }),
    ...(betas === undefined ? {} : { betas })
  }
}

/** The older part in the parent's own bytes, its mark on the last shared message. */
const sharedMessages = (input: CompactionInput, older: ReadonlyArray<Message>): ReadonlyArray<ApiMessage> => {
  const { request } = input
  const options = { model: request.model, toolNames: request.tools.map((tool) => tool.name) }
  const whole = withContext(normalizeForApi(older, options).map(withoutMedia), input.userContext)
  const mark = markIn(request)
  return mark === undefined ? whole : markLastMessage(whole, mark)
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
