import type { ContentBlock, TextBlock, CacheControl } from "../../domain/block.ts"

/** One message as it goes over the wire. */
export interface ApiMessage {
  readonly role: "user" | "assistant"
  readonly content: ReadonlyArray<ContentBlock>
}

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly input_schema: JsonSchema
  readonly cache_control?: CacheControl
}

/** A tool that the endpoint itself runs, in its own words. */
export interface ServerTool {
  readonly type: string
  readonly name: string
  readonly [field: string]: unknown
}

export interface JsonSchema {
  readonly [key: string]: unknown
}

export type Thinking =
  | { readonly type: "adaptive"; readonly display?: string }
  | { readonly type: "enabled"; readonly budget_tokens: number }
  | { readonly type: "disabled" }

/** Why a request is made. Side requests never compact, are never shown, and let the offline model answer in kind. */
export type QuerySource =
  | "main"
  | "compact"
  | "title"
  | "web_fetch"
  | "web_search"
  | "classifier"
  | "risk"
  | "memory_extract"
  | "prompt_suggestion"
  | "away_summary"

/** A request in the order of the cache prefix: tools, system, messages. */
export interface ModelRequest {
  readonly source: QuerySource
  readonly model: string
  readonly max_tokens: number
  readonly tools: ReadonlyArray<ToolDefinition>
  readonly serverTools?: ReadonlyArray<ServerTool>
  readonly system: ReadonlyArray<TextBlock>
  readonly messages: ReadonlyArray<ApiMessage>
  readonly thinking?: Thinking
  readonly effort?: string
  readonly temperature?: number
  readonly userId?: string
  readonly betas?: ReadonlyArray<string>
}
