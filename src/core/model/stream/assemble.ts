import { Result } from "effect"
import type { ContentBlock } from "../../domain/block.ts"
import { observeUsage, type Usage, zeroUsage } from "../../domain/usage.ts"
import type { ModelDelta, ModelEvent } from "./model-event.ts"
import { parseStrict } from "./partial-json.ts"

/** A content block that is still arriving. */
export type OpenBlock =
  | { readonly kind: "text"; readonly text: string; readonly citations: ReadonlyArray<unknown> }
  | { readonly kind: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly kind: "tool"; readonly id: string; readonly name: string; readonly json: string }
  /** Kinds we do not interpret: kept as they began, with streamed input attached at the end. */
  | { readonly kind: "other"; readonly block: { readonly type: string }; readonly json: string }

/** One response as far as it has arrived. Nothing here grows with the conversation. */
export interface Assembly {
  readonly messageId: string
  readonly model: string
  readonly usage: Usage
  readonly openIndex: number
  readonly open: OpenBlock | undefined
  readonly stopReason: string | null
  readonly stopSequence: string | null
  readonly stopped: boolean
}

export interface CompletedBlock {
  readonly block: ContentBlock
  /** Why the tool input was not valid JSON; the input is then empty. */
  readonly malformed?: string
}

export interface Assembled {
  readonly assembly: Assembly
  readonly completed?: CompletedBlock
}

export const emptyAssembly: Assembly = {
  messageId: "",
  model: "",
  usage: zeroUsage,
  openIndex: -1,
  open: undefined,
  stopReason: null,
  stopSequence: null,
  stopped: false
}

type BlockDelta = Extract<ModelEvent, { type: "content_block_delta" }>

const textField = (value: unknown): string => (typeof value === "string" ? value : "")

const openBlock = (start: { readonly type: string; readonly [field: string]: unknown }): OpenBlock => {
  switch (start.type) {
    case "text":
      return { kind: "text", text: textField(start["text"]), citations: [] }
    case "thinking":
      return { kind: "thinking", thinking: textField(start["thinking"]), signature: textField(start["signature"]) }
    case "tool_use":
      return { kind: "tool", id: textField(start["id"]), name: textField(start["name"]), json: "" }
    default:
      return { kind: "other", block: start, json: "" }
  }
}

const grow = (open: OpenBlock, delta: ModelDelta): OpenBlock => {
  switch (delta.type) {
    case "text_delta":
      return open.kind === "text" ? { kind: "text", text: open.text + delta.text, citations: open.citations } : open
    case "thinking_delta":
      return open.kind === "thinking"
        ? { kind: "thinking", thinking: open.thinking + delta.thinking, signature: open.signature }
        : open
    case "signature_delta":
      return open.kind === "thinking" ? { ...open, signature: open.signature + delta.signature } : open
    case "input_json_delta":
      return open.kind === "tool" || open.kind === "other" ? { ...open, json: open.json + delta.partial_json } : open
    case "citations_delta":
      return open.kind === "text" ? { ...open, citations: [...open.citations, delta.citation] } : open
  }
}

const closeTool = (open: Extract<OpenBlock, { kind: "tool" }>): CompletedBlock => {
  const parsed = parseStrict(open.json)
  const block = { type: "tool_use" as const, id: open.id, name: open.name }
  return Result.isSuccess(parsed)
    ? { block: { ...block, input: parsed.success } }
    : { block: { ...block, input: {} }, malformed: `${parsed.failure.message} at position ${parsed.failure.position}` }
}

const closeOther = (open: Extract<OpenBlock, { kind: "other" }>): CompletedBlock => {
  if (open.json === "") return { block: open.block }
  const parsed = parseStrict(open.json)
  return { block: Result.isSuccess(parsed) ? { ...open.block, input: parsed.success } : open.block }
}

const closeBlock = (open: OpenBlock): CompletedBlock => {
  switch (open.kind) {
    case "text":
      return {
        block: {
          type: "text",
          text: open.text,
          ...(open.citations.length === 0 ? {} : { citations: open.citations })
        }
      }
    case "thinking":
      return { block: { type: "thinking", thinking: open.thinking, signature: open.signature } }
    case "tool":
      return closeTool(open)
    case "other":
      return closeOther(open)
  }
}

const onStart = (assembly: Assembly, event: Extract<ModelEvent, { type: "message_start" }>): Assembly =>
  assembly.messageId === ""
    ? {
        ...assembly,
        messageId: event.message.id,
        model: event.message.model,
        usage: observeUsage(assembly.usage, event.message.usage)
      }
    : { ...assembly, usage: observeUsage(assembly.usage, event.message.usage) }

/** A delta of the open block. Fields are written out because nearly all events of a response come through here. */
export const growAssembly = (assembly: Assembly, event: BlockDelta): Assembly => {
  if (assembly.open === undefined || assembly.openIndex !== event.index) return assembly
  const open = grow(assembly.open, event.delta)
  if (open === assembly.open) return assembly
  return {
    messageId: assembly.messageId,
    model: assembly.model,
    usage: assembly.usage,
    openIndex: assembly.openIndex,
    open,
    stopReason: assembly.stopReason,
    stopSequence: assembly.stopSequence,
    stopped: assembly.stopped
  }
}

/**
 * Folds one event in. Events that make no sense where they stand (a delta without its block, a second stop) change
 * nothing: a broken stream may lose text but can never break the conversation.
 */
export const assemble = (assembly: Assembly, event: ModelEvent): Assembled => {
  switch (event.type) {
    case "message_start":
      return { assembly: onStart(assembly, event) }
    case "content_block_start":
      return { assembly: { ...assembly, openIndex: event.index, open: openBlock(event.content_block) } }
    case "content_block_delta":
      return { assembly: growAssembly(assembly, event) }
    case "content_block_stop": {
      if (assembly.open === undefined || assembly.openIndex !== event.index) return { assembly }
      const completed = closeBlock(assembly.open)
      return {
        assembly: { ...assembly, open: undefined },
        completed
      }
    }
    case "message_delta":
      return {
        assembly: {
          ...assembly,
          usage: observeUsage(assembly.usage, event.usage),
          stopReason: event.delta.stop_reason ?? assembly.stopReason,
          stopSequence: event.delta.stop_sequence ?? assembly.stopSequence
        }
      }
    case "message_stop":
      return { assembly: assembly.stopped ? assembly : { ...assembly, stopped: true } }
    case "ping":
      return { assembly }
  }
}
