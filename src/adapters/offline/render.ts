/** From an entry to the stream events of the Messages API. */
import type { ModelRequest } from "../../core/model/request/model-request.ts"
import type { Usage } from "../../core/domain/usage.ts"
import type { ModelDelta, ModelEvent } from "../../core/model/stream/model-event.ts"
import { chunks } from "./chunks.ts"
import type { Entry } from "./entry.ts"
import { digest } from "./hash.ts"
import { callId, type CallKind } from "./ids.ts"
import { usageOf } from "./usage.ts"

interface Rendering {
  readonly request: ModelRequest
  readonly entry: Entry
  /** Digest that all ids of the response come from. */
  readonly seed: string
  readonly index: number
  readonly kind: CallKind
}

/** A response in parts, so that faults can cut between and inside them. */
export interface Rendered {
  readonly start: ModelEvent
  readonly blocks: ReadonlyArray<{ readonly type: string; readonly events: ReadonlyArray<ModelEvent> }>
  readonly end: ReadonlyArray<ModelEvent>
}

interface BlockParts {
  readonly block: { readonly type: string; readonly [field: string]: unknown }
  readonly deltas: ReadonlyArray<ModelDelta>
}

const thinkingBlock = (think: string, seed: string): BlockParts => ({
  block: { type: "thinking", thinking: "", signature: "" },
  deltas: [
    ...chunks(think).map((thinking): ModelDelta => ({ type: "thinking_delta", thinking })),
    { type: "signature_delta", signature: `offline-${digest(seed, think)}` }
  ]
})

const textBlock = (said: string): BlockParts => ({
  block: { type: "text", text: "" },
  deltas: chunks(said).map((text): ModelDelta => ({ type: "text_delta", text }))
})

/** A proper beginning of a JSON object is never JSON itself. */
const halved = (json: string): string => json.slice(0, Math.max(1, Math.floor(json.length / 2)))

const callBlocks = ({ entry, index, kind, seed }: Rendering): ReadonlyArray<BlockParts> =>
  (entry.tools ?? []).map((call, position) => {
    const json = JSON.stringify(call.input) ?? "{}"
    const derived = callId({ index, kind }, digest(seed, String(position)))
    const id = kind === "malformed" ? derived : (call.id ?? derived)
    return {
      block: { type: "tool_use", id, name: call.name, input: {} },
      deltas: chunks(kind === "malformed" ? halved(json) : json).map((partial_json): ModelDelta => ({
        type: "input_json_delta",
        partial_json
      }))
    }
  })

const startEvent = ({ request, seed }: Rendering, usage: Usage): ModelEvent => ({
  type: "message_start",
  message: {
    id: `msg_off_${seed}`,
    type: "message",
    role: "assistant",
    model: request.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 0 }
  }
})

export const render = (rendering: Rendering): Rendered => {
  const { entry, request, seed } = rendering
  const usage = usageOf(request, entry)
  const parts: ReadonlyArray<BlockParts> = [
    ...(entry.think === undefined || entry.think === "" ? [] : [thinkingBlock(entry.think, seed)]),
    ...(entry.text === undefined || entry.text === "" ? [] : [textBlock(entry.text)]),
    ...callBlocks(rendering)
  ]
  const stopReason = entry.stop ?? ((entry.tools ?? []).length > 0 ? "tool_use" : "end_turn")
  return {
    start: startEvent(rendering, usage),
    blocks: parts.map(({ block, deltas }, index) => ({
      type: block.type,
      events: [
        { type: "content_block_start", index, content_block: block },
        ...deltas.map((delta): ModelEvent => ({ type: "content_block_delta", index, delta })),
        { type: "content_block_stop", index }
      ]
    })),
    end: [
      { type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage },
      { type: "message_stop" }
    ]
  }
}

export const completeResponse = ({ start, blocks, end }: Rendered): ReadonlyArray<ModelEvent> => [
  start,
  ...blocks.flatMap((block) => block.events),
  ...end
]

/** The beginning of a block: its start and half of its deltas. */
const opened = (events: ReadonlyArray<ModelEvent>): ReadonlyArray<ModelEvent> =>
  events.slice(0, 1 + Math.ceil((events.length - 2) / 2))

const through = ({ start, blocks }: Rendered, count: number): ReadonlyArray<ModelEvent> => [
  start,
  ...blocks.slice(0, count).flatMap((block) => block.events),
  ...opened(blocks[count]?.events ?? [])
]

const complete = ({ start, blocks }: Rendered, count: number): ReadonlyArray<ModelEvent> => [
  start,
  ...blocks.slice(0, count).flatMap((block) => block.events)
]

/**
 * What arrives before the connection breaks: the completed thought; half of the text; the first call complete and the
 * block after it begun. A response without the named part arrives complete but for its end.
 */
export const cutAt = (rendered: Rendered, part: "thinking" | "text" | "tool"): ReadonlyArray<ModelEvent> => {
  const at = rendered.blocks.findIndex((block) => block.type === (part === "tool" ? "tool_use" : part))
  if (at < 0) return complete(rendered, rendered.blocks.length)
  if (part === "thinking") return complete(rendered, at + 1)
  return through(rendered, part === "text" ? at : at + 1)
}

/** What arrives before silence: the first words. */
export const stalledAfter = (rendered: Rendered): ReadonlyArray<ModelEvent> => [
  rendered.start,
  ...(rendered.blocks[0]?.events.slice(0, 2) ?? [])
]
