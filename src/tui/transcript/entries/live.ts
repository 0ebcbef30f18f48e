/** The answer while it streams: text, thoughts and call inputs grow in place until their finished block arrives. */
import type { ModelDelta, ModelEvent } from "../../../core/model/stream/model-event.ts"
import * as PartialJson from "../../../core/model/stream/partial-json.ts"
import { headed, textBlock, thinkingBlock } from "./answer-entries.ts"
import type { Block, Entry } from "../block.ts"
import { append, nextBlockId, placeOf, remove, replace, type LiveResponse, type Transcript } from "../state.ts"
import { changeCall, newCall } from "../blocks/tool-block.ts"
import * as Vector from "../vector.ts"

/** Takes back what was streamed and has no finished block. */
export const discardPartial = (transcript: Transcript): Transcript => {
  const { live } = transcript
  if (live === undefined || live.unsettled.size === 0) return transcript
  const places = [...live.unsettled.values()].map((id) => placeOf(transcript, (entry) => entry.id === id))
  const kept: LiveResponse = { ...live, unsettled: new Map(), inputs: new Map() }
  return { ...remove(transcript, new Set(places.filter((place) => place >= 0))), live: kept }
}

interface Opening {
  readonly index: number
  readonly now: number
}

const opened = (
  transcript: Transcript,
  live: LiveResponse,
  { index, id }: { readonly index: number; readonly id: string }
): Transcript => ({
  ...transcript,
  live: { ...live, unsettled: new Map(live.unsettled).set(index, id) }
})

const openText = (transcript: Transcript, live: LiveResponse, { index, now }: Opening): Transcript => {
  const [id, named] = nextBlockId(transcript, live.messageId)
  const [header, authored] = headed(named, { model: live.model, time: now })
  const block: Block = { ...textBlock(id, "", true), ...(header === undefined ? {} : { header }) }
  return opened(append(authored, { id, kind: "assistant", blocks: [block], time: now }), live, { index, id })
}

const openThinking = (transcript: Transcript, live: LiveResponse, { index, now }: Opening): Transcript => {
  const [id, named] = nextBlockId(transcript, live.messageId)
  const block: Block = { ...thinkingBlock(id, "", true), startedAt: now }
  return opened(append(named, { id, kind: "assistant", blocks: [block], time: now }), live, { index, id })
}

const openCall = (
  transcript: Transcript,
  live: LiveResponse,
  call: { readonly index: number; readonly id: string; readonly name: string }
): Transcript => {
  const [, named] = nextBlockId(transcript, live.messageId)
  const block = newCall({ callId: call.id, tool: call.name, input: {}, partial: true })
  const shown = append(named, { id: call.id, kind: "tool", blocks: [block] })
  return opened(shown, { ...live, inputs: new Map(live.inputs).set(call.index, PartialJson.start()) }, call)
}

type BlockStart = Extract<ModelEvent, { type: "content_block_start" }>

const open = (transcript: Transcript, event: BlockStart, now: number): Transcript => {
  const { live } = transcript
  if (live === undefined) return transcript
  const { type, id, name } = event.content_block
  if (type === "text") return openText(transcript, live, { index: event.index, now })
  if (type === "thinking") return openThinking(transcript, live, { index: event.index, now })
  if (type !== "tool_use" || typeof id !== "string" || id === "" || typeof name !== "string") return transcript
  return openCall(transcript, live, { index: event.index, id, name })
}

const grown = (block: Block, delta: ModelDelta): Block => {
  if (delta.type === "text_delta" && block.kind === "text") {
    return { ...block, source: block.source + delta.text, revision: block.revision + 1 }
  }
  if (delta.type === "thinking_delta" && block.kind === "thinking") {
    return { ...block, source: block.source + delta.thinking, revision: block.revision + 1 }
  }
  return block
}

const growInput = (transcript: Transcript, index: number, text: string): readonly [Transcript, unknown] => {
  const { live } = transcript
  const reader = PartialJson.push(live?.inputs.get(index) ?? PartialJson.start(), text)
  if (live === undefined) return [transcript, undefined]
  const inputs = new Map(live.inputs).set(index, reader)
  return [{ ...transcript, live: { ...live, inputs } }, PartialJson.value(reader)]
}

const openEntry = (transcript: Transcript, index: number): readonly [Entry, Block, number] | undefined => {
  const id = transcript.live?.unsettled.get(index)
  if (id === undefined) return undefined
  const place = placeOf(transcript, (entry) => entry.id === id)
  const entry = Vector.get(transcript.entries, place)
  const block = entry?.blocks[0]
  return entry === undefined || block === undefined ? undefined : [entry, block, place]
}

const grow = (transcript: Transcript, index: number, delta: ModelDelta): Transcript => {
  const found = openEntry(transcript, index)
  if (found === undefined) return transcript
  const [entry, block, place] = found
  if (delta.type === "input_json_delta" && block.kind === "tool") {
    const [read, input] = growInput(transcript, index, delta.partial_json)
    return replace(read, place, { ...entry, blocks: [changeCall(block, { input: input ?? {} })] })
  }
  const next = grown(block, delta)
  return next === block ? transcript : replace(transcript, place, { ...entry, blocks: [next] })
}

/** A thought is over when its block ends, though its record may come a little later. */
const close = (transcript: Transcript, index: number, now: number): Transcript => {
  const found = openEntry(transcript, index)
  if (found === undefined) return transcript
  const [entry, block, place] = found
  if (block.kind !== "thinking") return transcript
  const ended: Block = { ...block, streaming: false, endedAt: now, revision: block.revision + 1 }
  return replace(transcript, place, { ...entry, blocks: [ended] })
}

export const applyModelEvent = (transcript: Transcript, event: ModelEvent, now: number): Transcript => {
  switch (event.type) {
    case "message_start": {
      const { id, model } = event.message
      const live: LiveResponse = { messageId: id, model, unsettled: new Map(), inputs: new Map() }
      return { ...discardPartial(transcript), live, retry: undefined }
    }
    case "content_block_start":
      return open(transcript, event, now)
    case "content_block_delta":
      return grow(transcript, event.index, event.delta)
    case "content_block_stop":
      return close(transcript, event.index, now)
    default:
      return transcript
  }
}
