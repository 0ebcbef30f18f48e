import type { TextBlock } from "../../core/domain/block.ts"
import type {
  ApiMessage,
  ModelRequest,
  ServerTool,
  Thinking,
  ToolDefinition
} from "../../core/model/request/model-request.ts"

/**
 * Lowers a model request to the body of POST /v1/messages. Pure, and the keys always come in the same order: equal
 * requests give equal bytes, and the parts of the cache prefix stand in the order the endpoint hashes them.
 */
export interface MessagesBody {
  readonly model: string
  readonly max_tokens: number
  readonly stream: true
  readonly thinking?: Thinking
  readonly temperature?: number
  readonly output_config?: { readonly effort: string }
  readonly metadata?: { readonly user_id: string }
  readonly tools?: ReadonlyArray<ToolDefinition | ServerTool>
  readonly system?: ReadonlyArray<TextBlock>
  readonly messages: ReadonlyArray<ApiMessage>
}

const lowerTool = (tool: ToolDefinition): ToolDefinition => ({
  name: tool.name,
  description: tool.description,
  input_schema: tool.input_schema,
  ...(tool.cache_control === undefined ? {} : { cache_control: tool.cache_control })
})

const lowerTools = ({ tools, serverTools = [] }: ModelRequest): Pick<MessagesBody, "tools"> =>
  tools.length + serverTools.length === 0 ? {} : { tools: [...tools.map(lowerTool), ...serverTools] }

const lowerMessage = (message: ApiMessage): ApiMessage => ({ role: message.role, content: message.content })

/** The endpoint refuses a temperature beside thinking. */
const takesTemperature = (thinking: Thinking | undefined): boolean => thinking === undefined || thinking.type === "disabled"

export const lowerRequest = (request: ModelRequest): MessagesBody => ({
  model: request.model,
  max_tokens: request.max_tokens,
  stream: true,
  ...(request.thinking === undefined ? {} : { thinking: request.thinking }),
  ...(request.temperature !== undefined && takesTemperature(request.thinking) ? { temperature: request.temperature } : {}),
  ...(request.effort === undefined ? {} : { output_config: { effort: request.effort } }),
  ...(request.userId === undefined ? {} : { metadata: { user_id: request.userId } }),
  ...lowerTools(request),
  ...(request.system.length === 0 ? {} : { system: request.system }),
  messages: request.messages.map(lowerMessage)
})

/** What the endpoint counts: the body without what shapes the answer. */
export const lowerCount = (
  request: ModelRequest
): Pick<MessagesBody, "model" | "thinking" | "tools" | "system" | "messages"> => {
  const { model, thinking, tools, system, messages } = lowerRequest(request)
  return {
    model,
    ...(thinking === undefined ? {} : { thinking }),
    ...(tools === undefined ? {} : { tools }),
    ...(system === undefined ? {} : { system }),
    messages
  }
}

/** The `anthropic-beta` header, or undefined when no beta is asked for; the first mention decides the order. */
export const betaHeader = (configured: ReadonlyArray<string>, requested: ReadonlyArray<string> = []): string | undefined => {
  const names = new Set([...configured, ...requested])
  return names.size === 0 ? undefined : [...names].join(",")
}
