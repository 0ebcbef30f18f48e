import { isText, text } from "../../domain/block.ts"
import type { Uuid } from "../../domain/id.ts"
import type { Message } from "../../domain/message.ts"
import { TEXTS } from "../../domain/program-texts.ts"
import { outputCap } from "../../model/catalog/model.ts"
import { markIn, markConversation } from "../../model/request/cache.ts"
import { replaceMedia } from "../../model/request/clean.ts"
import type { ApiMessage, ModelRequest } from "../../model/request/model-request.ts"
import { normalizeForApi } from "../../model/request/api-history.ts"
import { withInstruction } from "../../model/request/build-request.ts"
import { estimateBlocks, estimateText, estimateTools } from "../../model/tokens/estimate.ts"
import { groupRounds, type RoundGroup } from "./keep.ts"
import { leftOutNote, roundsBeyond } from "./leave-out.ts"
import instructions from "./summary.md"

/**
 * The request for a summary: the conversation's own request up to where the summary ends, byte for byte, and one
 * instruction. So the endpoint reads nearly all of it from what it has kept.
 */
export interface SummaryRequestInput {
  /** What the summary is to be made of. */
  readonly read: ReadonlyArray<Message>
  /** The request the conversation would make now. */
  readonly request: ModelRequest
  readonly strippedMedia?: Readonly<Record<Uuid, ReadonlyArray<string>>>
  /** Tokens the model's window holds; what does not fit is left out of the request. Absent: all of it is sent. */
  readonly windowTokens?: number
  /** Rounds to leave out at least, because the endpoint found the request too long. */
  readonly leaveOut?: number
  /** The endpoint refused the conversation as it is, so images and documents are not sent again. */
  readonly withoutMedia?: boolean
  readonly instruction: string
}

export interface SummaryRequest {
  /** Made when it is first read. */
  readonly request: ModelRequest
  /** Rounds that the request holds, and how many older ones it leaves out. */
  readonly rounds: ReadonlyArray<RoundGroup>
  readonly leftOut: number
}

const SUMMARY_OUTPUT_TOKENS = 20_000
const MEDIA_TYPES = ["image", "document"]

export interface InstructionInput {
  readonly focus: string
  /** What hooks want the summary to care about. */
  readonly fromHooks: string
  /** The summary is of the end of a conversation whose beginning stays. */
  readonly isOfTheEnd?: boolean
}

const section = (title: string, words: string): ReadonlyArray<string> =>
  words.trim() === "" ? [] : [`${title}\n${words.trim()}`]

export const summaryInstruction = ({ focus, fromHooks, isOfTheEnd }: InstructionInput): string =>
  [
    instructions.trim(),
    ...section("Additional instructions of the user's hooks:", fromHooks),
    ...section("The user asks the summary to pay attention to this:", focus),
    ...(isOfTheEnd === true ? ["The beginning of the conversation stays as it is: summarise only its newer part."] : [])
  ].join("\n\n")

export const summaryRequest = (input: SummaryRequestInput): SummaryRequest => {
  const all = groupRounds(input.read)
  const beyond = input.windowTokens === undefined ? 0 : roundsBeyond(all, roomFor(input, input.windowTokens))
  const leftOut = Math.min(Math.max(beyond, input.leaveOut ?? 0), Math.max(0, all.length - 1))
  const rounds = all.slice(leftOut)
  let request: ModelRequest | undefined
  return {
    get request() {
      return (request ??= requestOf(input, leftOut === 0 ? input.read : [leftOutNote(leftOut), ...rounds.flat()]))
    },
    rounds,
    leftOut
  }
}

/** A thinking budget is part of what the endpoint keeps, so it stays, and with it the limit above it. */
const outputTokensOf = ({ model, max_tokens, thinking }: ModelRequest): number =>
  thinking?.type === "enabled" ? max_tokens : Math.min(SUMMARY_OUTPUT_TOKENS, outputCap(model))

/** Tokens for the older part: the window without the answer and everything that stands around the conversation. */
const roomFor = ({ request, instruction }: SummaryRequestInput, windowTokens: number): number => {
  const fixed = estimateTools(request.tools) + estimateBlocks(request.system) + estimateText(instruction)
  return windowTokens - Math.min(outputTokensOf(request), Math.floor(windowTokens / 4)) - fixed
}

/** The parent with other messages. Field by field: a spread would have the parent's own messages made for nothing. */
const requestOf = (input: SummaryRequestInput, shown: ReadonlyArray<Message>): ModelRequest => {
  const { model, tools, system, thinking, effort, temperature, userId, betas } = input.request
  return {
    source: "compact",
    model,
    max_tokens: outputTokensOf(input.request),
    tools,
    system,
    messages: withInstruction(sharedMessages(input, shown), text(input.instruction)),
    ...(thinking === undefined ? {} : { thinking }),
    ...(effort === undefined ? {} : { effort }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(userId === undefined ? {} : { userId }),
    ...(betas === undefined ? {} : { betas })
  }
}

/** The conversation in the parent's own bytes, its mark on the last shared message. */
const sharedMessages = (input: SummaryRequestInput, shown: ReadonlyArray<Message>): ReadonlyArray<ApiMessage> => {
  const { request, strippedMedia } = input
  const toolNames = request.tools.map((tool) => tool.name)
  const options = { model: request.model, toolNames, ...(strippedMedia === undefined ? {} : { strippedMedia }) }
  const made = withoutFiller(normalizeForApi(shown, options))
  const whole = input.withoutMedia === true ? made.map(withoutMedia) : made
  const mark = markIn(request)
  return mark === undefined ? whole : markConversation(whole, mark)
}

const withoutMedia = (message: ApiMessage): ApiMessage => ({
  ...message,
  content: message.content.map((block) => replaceMedia(block, MEDIA_TYPES))
})

/** What a response is followed by where nobody said anything; here the instruction follows it. */
const withoutFiller = (messages: ReadonlyArray<ApiMessage>): ReadonlyArray<ApiMessage> => {
  const [only, ...more] = messages.at(-1)?.content ?? []
  const isFiller = only !== undefined && isText(only) && only.text === TEXTS.continueTurn && more.length === 0
  return isFiller ? messages.slice(0, -1) : messages
}
