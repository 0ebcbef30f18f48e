import type { ContentBlock, TextBlock } from "../../domain/block.ts"
import { withoutWindowSuffix } from "../catalog/model.ts"
import { markConversation, cacheControlOf, markSystem, markTools, type Caching } from "./cache.ts"
import type { ApiMessage, ModelRequest, QuerySource, Thinking, ToolDefinition } from "./model-request.ts"

/**
 * Everything a request is made of. The order is that of the cache prefix, and what changes from turn to turn only ever
 * stands at the end: equal input gives equal bytes, and a longer conversation begins with the shorter one's bytes.
 */
export interface RequestInput {
  readonly source: QuerySource
  readonly model: string
  readonly maxTokens: number
  /** In pool order: our own, then those of servers. */
  readonly tools: ReadonlyArray<ToolDefinition>
  /** From `systemPrompt`; a block with a cache mark ends the part that all sessions share. */
  readonly system: ReadonlyArray<TextBlock>
  /** From `render`. Not looked at before the request's own messages are; a getter can put the rendering off. */
  readonly messages: ReadonlyArray<ApiMessage>
  readonly caching: Caching
  /** A fork marks the last message it shares with its parent, not its own last one. */
  readonly sharedMessages?: number
  readonly thinking?: Thinking
  readonly effort?: string
  /** Only the user's own wish, and only sent when the model does not think. */
  readonly temperature?: number
  readonly userId?: string
  readonly betas?: ReadonlyArray<string>
}

const markShared = (messages: ReadonlyArray<ApiMessage>, input: RequestInput): ReadonlyArray<ApiMessage> => {
  const { sharedMessages: shared } = input
  const mark = cacheControlOf(input.caching)
  if (shared === undefined) return markConversation(messages, mark)
  return [...markConversation(messages.slice(0, shared), mark), ...messages.slice(shared)]
}

const messagesOf = (input: RequestInput): ReadonlyArray<ApiMessage> =>
  input.caching.enabled ? markShared(input.messages, input) : input.messages

/** The messages with something more to be done at their end. */
export const withInstruction = (
  messages: ReadonlyArray<ApiMessage>,
  instruction: ContentBlock
): ReadonlyArray<ApiMessage> => {
  const last = messages.at(-1)
  if (last?.role !== "user") return [...messages, { role: "user", content: [instruction] }]
  return [...messages.slice(0, -1), { ...last, content: [...last.content, instruction] }]
}

/**
 * A request as a value. Its messages are as many as the conversation's, so they are made when somebody first reads
 * them, which is whoever sends the request: asking for one costs the same in a long conversation as in a short one.
 */
export const buildRequest = (input: RequestInput): ModelRequest => {
  const mark = input.caching.enabled ? cacheControlOf(input.caching) : undefined
  const system = markSystem(input.system, mark)
  let messages: ReadonlyArray<ApiMessage> | undefined
  const thinks = input.thinking !== undefined && input.thinking.type !== "disabled"
  return {
    source: input.source,
    model: withoutWindowSuffix(input.model),
    max_tokens: input.maxTokens,
    tools: markTools(input.tools, system, mark),
    system,
    get messages() {
      return (messages ??= messagesOf(input))
    },
    ...(input.thinking === undefined ? {} : { thinking: input.thinking }),
    ...(input.effort === undefined ? {} : { effort: input.effort }),
    ...(input.temperature === undefined || thinks ? {} : { temperature: input.temperature }),
    ...(input.userId === undefined ? {} : { userId: input.userId }),
    ...(input.betas === undefined || input.betas.length === 0 ? {} : { betas: input.betas })
  }
}
