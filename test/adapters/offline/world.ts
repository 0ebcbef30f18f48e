/** A stand-in for the loop: builds requests, folds events back into messages and answers calls. */
import type { ApiMessage, ModelRequest, QuerySource, ToolDefinition } from "../../../src/core/model/request/model-request.ts"
import type { ContentBlock, ToolUseBlock } from "../../../src/core/domain/block.ts"
import type { ModelEvent } from "../../../src/core/model/stream/model-event.ts"
import type { OfflineOptions, Outcome } from "../../../src/adapters/offline/respond.ts"
import { respond } from "../../../src/adapters/offline/respond.ts"

export const CWD = "/home/ann/project"

export const tool = (name: string, ...fields: ReadonlyArray<string>): ToolDefinition => ({
  name,
  description: `${name} for tests`,
  input_schema: { type: "object", properties: Object.fromEntries(fields.map((field) => [field, { type: "string" }])) }
})

export const TOOLS: ReadonlyArray<ToolDefinition> = [
  tool("Agent", "description", "prompt", "run_in_background"),
  tool("AskUserQuestion"),
  tool("Bash", "command", "run_in_background"),
  tool("Edit"),
  tool("EnterPlanMode"),
  tool("ExitPlanMode", "plan"),
  tool("Glob"),
  tool("Grep"),
  tool("Read"),
  tool("Skill"),
  tool("TodoWrite"),
  tool("WebFetch"),
  tool("WebSearch"),
  tool("Write")
]

export const text = (value: string): ContentBlock => ({ type: "text", text: value })
export const user = (...content: ReadonlyArray<ContentBlock>): ApiMessage => ({ role: "user", content })
export const assistant = (...content: ReadonlyArray<ContentBlock>): ApiMessage => ({ role: "assistant", content })
export const result = (id: string, content: string, isError = false): ContentBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  ...(isError ? { is_error: true } : {})
})

export interface RequestParts {
  readonly source?: QuerySource
  readonly model?: string
  readonly tools?: ReadonlyArray<ToolDefinition>
  readonly system?: string
  readonly maxTokens?: number
}

export const request = (messages: ReadonlyArray<ApiMessage>, parts: RequestParts = {}): ModelRequest => ({
  source: parts.source ?? "main",
  model: parts.model ?? "offline",
  max_tokens: parts.maxTokens ?? 32_000,
  tools: parts.tools ?? TOOLS,
  system: [{ type: "text", text: parts.system ?? `You are Nacre.\nWorking directory: ${CWD}\n` }],
  messages
})

export const OPTIONS: OfflineOptions = { delayMs: 0, windowTokens: 200_000 }

export const asking = (prompt: string, parts: RequestParts = {}): ModelRequest => request([user(text(prompt))], parts)

export interface Said {
  readonly think: string
  readonly text: string
  readonly calls: ReadonlyArray<ToolUseBlock>
  /** Input texts of the calls as they streamed in. */
  readonly json: ReadonlyArray<string>
  readonly stop: string | null | undefined
}

/** What the events say, with call inputs parsed (`{}` for JSON that is cut). */
export const saidIn = (events: ReadonlyArray<ModelEvent>): Said => {
  const calls: Array<{ id: string; name: string; json: string }> = []
  let think = ""
  let said = ""
  let stop: string | null | undefined
  for (const event of events) {
    if (event.type === "content_block_start" && event.content_block.type === "tool_use") {
      calls.push({ id: String(event.content_block["id"]), name: String(event.content_block["name"]), json: "" })
    }
    if (event.type === "content_block_delta") {
      const open = calls.at(-1)
      if (event.delta.type === "text_delta") said += event.delta.text
      if (event.delta.type === "thinking_delta") think += event.delta.thinking
      if (event.delta.type === "input_json_delta" && open !== undefined) open.json += event.delta.partial_json
    }
    if (event.type === "message_delta") stop = event.delta.stop_reason
  }
  const parsed = (json: string): unknown => {
    try {
      return JSON.parse(json)
    } catch {
      return {}
    }
  }
  return {
    think,
    text: said,
    calls: calls.map(({ id, name, json }) => ({ type: "tool_use", id, name, input: parsed(json) })),
    json: calls.map((call) => call.json),
    stop
  }
}

export const say = (asked: ModelRequest, options: OfflineOptions & { readonly attempt?: number } = OPTIONS): Said =>
  saidIn(respond(asked, options).events)

export const asMessage = (said: Said): ApiMessage => assistant(...(said.text === "" ? [] : [text(said.text)]), ...said.calls)

/** Answers a call: a text, or a refusal. */
export type World = (call: ToolUseBlock) => { readonly content: string; readonly isError?: boolean }

export const willing: World = (call) => ({ content: `${call.name} done` })

export interface Conversation {
  readonly responses: ReadonlyArray<Said>
  readonly calls: ReadonlyArray<ToolUseBlock>
  readonly final: string
  readonly messages: ReadonlyArray<ApiMessage>
}

/** Runs a prompt to its end, as the loop would. */
export const converse = (
  prompt: string,
  world: World = willing,
  parts: RequestParts & { readonly options?: OfflineOptions; readonly before?: ReadonlyArray<ApiMessage> } = {}
): Conversation => {
  let messages: ReadonlyArray<ApiMessage> = [...(parts.before ?? []), user(text(prompt))]
  const responses: Array<Said> = []
  for (let round = 0; round < 40; round++) {
    const outcome: Outcome = respond(request(messages, parts), parts.options ?? OPTIONS)
    const said = saidIn(outcome.events)
    responses.push(said)
    if (said.calls.length === 0) break
    const results = said.calls.map((call) => {
      const answer = world(call)
      return result(call.id, answer.content, answer.isError ?? false)
    })
    messages = [...messages, asMessage(said), user(...results)]
  }
  return {
    responses,
    calls: responses.flatMap((said) => said.calls),
    final: responses.at(-1)?.text ?? "",
    messages
  }
}
