/**
 * What a model says while it answers. The shape is the Messages API's own stream event, because stream-json hands
 * these events to hosts unchanged; adapters of other providers translate into it.
 */
export type ModelEvent =
  | {
      readonly type: "message_start"
      readonly message: {
        readonly id: string
        readonly model: string
        readonly usage?: unknown
        readonly [field: string]: unknown
      }
    }
  | {
      readonly type: "content_block_start"
      readonly index: number
      readonly content_block: { readonly type: string; readonly [field: string]: unknown }
    }
  | { readonly type: "content_block_delta"; readonly index: number; readonly delta: ModelDelta }
  | { readonly type: "content_block_stop"; readonly index: number }
  | {
      readonly type: "message_delta"
      readonly delta: { readonly stop_reason?: string | null; readonly stop_sequence?: string | null }
      readonly usage?: unknown
    }
  | { readonly type: "message_stop" }
  | { readonly type: "ping" }

export type ModelDelta =
  | { readonly type: "text_delta"; readonly text: string }
  | { readonly type: "input_json_delta"; readonly partial_json: string }
  | { readonly type: "thinking_delta"; readonly thinking: string }
  | { readonly type: "signature_delta"; readonly signature: string }
  | { readonly type: "citations_delta"; readonly citation: unknown }
