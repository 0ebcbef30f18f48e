/** The block of the answer that is still arriving: the loop's state holds it, an entry shows as much of it as is due. */
import { isText, isThinking, isToolUse } from "../../../core/domain/block.ts"
import type { AgentState, PhaseOf } from "../../../core/loop/machine/state.ts"
import * as PartialJson from "../../../core/model/stream/partial-json.ts"
import type { Block, Entry, ToolBlock } from "../block.ts"
import { changeCall, newCall } from "../blocks/tool-block.ts"
import { append, type ArrivingEntry, nextBlockId, placeOf, remove, replace, type Transcript } from "../state.ts"
import * as Vector from "../vector.ts"
import { withHeader, textBlock, thinkingBlock } from "./answer-entries.ts"
import { phaseOf } from "../../../core/loop/machine/transition.ts"

export interface ArrivingBlock {
  readonly messageId: string
  readonly model: string
  readonly index: number
  readonly kind: "text" | "thinking" | "tool"
  /** Words, or the input of a call as JSON text. */
  readonly text: string
  /** Of a call. */
  readonly call: { readonly id: string; readonly name: string } | undefined
  /** Nothing will be added; its record comes next. */
  readonly isComplete: boolean
}

type Content = Pick<ArrivingBlock, "kind" | "text" | "call">

type Streaming = PhaseOf<"Streaming">

const openContent = ({ assembly: { open } }: Streaming): Content | undefined => {
  switch (open?.kind) {
    case "text":
      return { kind: "text", text: open.text, call: undefined }
    case "thinking":
      return { kind: "thinking", text: open.thinking, call: undefined }
    case "tool":
      return open.id === "" ? undefined : { kind: "tool", text: open.json, call: { id: open.id, name: open.name } }
    default:
      return undefined
  }
}

/** A finished block waits a moment for the last counts of its response. A call's input has been read by then. */
const heldContent = ({ held }: Streaming): Content | undefined => {
  const block = held?.completed.block
  if (block === undefined) return undefined
  if (isText(block)) return { kind: "text", text: block.text, call: undefined }
  if (isToolUse(block)) return block.id === "" ? undefined : { kind: "tool", text: "", call: block }
  return isThinking(block) && block.type === "thinking"
    ? { kind: "thinking", text: block.thinking, call: undefined }
    : undefined
}

export const arrivingBlock = (state: AgentState): ArrivingBlock | undefined => {
  const phase = phaseOf(state)
  if (phase._tag !== "Streaming" || phase.assembly.messageId === "") return undefined
  const { messageId, model, openIndex } = phase.assembly
  const held = heldContent(phase)
  const content = held ?? openContent(phase)
  return content === undefined
    ? undefined
    : { ...content, messageId, model, index: openIndex, isComplete: held !== undefined }
}

const isOf = ({ messageId, index, kind }: ArrivingEntry, block: ArrivingBlock | undefined): boolean =>
  block?.messageId === messageId && block.index === index && block.kind === kind

/** How many characters of the block are on screen. */
export const shownLength = ({ arriving }: Transcript, block: ArrivingBlock): number =>
  arriving !== undefined && isOf(arriving, block) ? arriving.shown : 0

/** Without what was streamed and will have no record. */
export const discardArriving = (transcript: Transcript): Transcript => {
  const { arriving } = transcript
  if (arriving === undefined) return transcript
  const place = placeOf(transcript, ({ id }) => id === arriving.entryId)
  return { ...remove(transcript, new Set(place < 0 ? [] : [place])), arriving: undefined }
}

/** Takes away an entry whose block the loop no longer holds: its attempt was given up. */
export const discardStale = (transcript: Transcript, block: ArrivingBlock | undefined): Transcript =>
  transcript.arriving === undefined || isOf(transcript.arriving, block) ? transcript : discardArriving(transcript)

const entryFor = (transcript: Transcript, block: ArrivingBlock, now: number): readonly [Entry, Transcript] => {
  const [id, named] = nextBlockId(transcript, block.messageId)
  if (block.call !== undefined) {
    const call = newCall({ callId: block.call.id, tool: block.call.name, input: {}, partial: true })
    return [{ id: block.call.id, kind: "tool", blocks: [call] }, named]
  }
  if (block.kind === "thinking") {
    return [{ id, kind: "assistant", blocks: [{ ...thinkingBlock(id, "", true), startedAt: now }], time: now }, named]
  }
  const [header, authored] = withHeader(named, { model: block.model, time: now })
  const shown: Block = { ...textBlock(id, "", true), ...(header === undefined ? {} : { header }) }
  return [{ id, kind: "assistant", blocks: [shown], time: now }, authored]
}

const open = (transcript: Transcript, block: ArrivingBlock, now: number): Transcript => {
  const [entry, named] = entryFor({ ...transcript, retry: undefined }, block, now)
  const { messageId, index, kind } = block
  const reader = kind === "tool" ? PartialJson.start() : undefined
  return { ...append(named, entry), arriving: { messageId, index, kind, entryId: entry.id, shown: 0, reader } }
}

export interface Reveal {
  /** Characters of the block that are shown from now on. */
  readonly upTo: number
  readonly now: number
}

const grownCall = (call: ToolBlock, arriving: ArrivingEntry, json: string): readonly [Block, ArrivingEntry] => {
  const reader = PartialJson.push(arriving.reader ?? PartialJson.start(), json.slice(arriving.shown))
  return [changeCall(call, { input: PartialJson.value(reader) ?? {} }), { ...arriving, reader, shown: json.length }]
}

/** A thought is over when its block ends, though its record may come a little later. */
const grownWords = (words: Block, { text, isComplete }: ArrivingBlock, { upTo, now }: Reveal): Block => {
  const next = { ...words, source: text.slice(0, upTo), revision: words.revision + 1 }
  const isOver = next.kind === "thinking" && isComplete && upTo >= text.length
  return isOver ? { ...next, streaming: false, endedAt: now } : next
}

const isShown = (words: Block, { isComplete }: ArrivingBlock): boolean =>
  !isComplete || words.kind !== "thinking" || !words.streaming

const grow = (transcript: Transcript, block: ArrivingBlock, reveal: Reveal): Transcript => {
  const { arriving } = transcript
  if (arriving === undefined) return transcript
  const place = placeOf(transcript, ({ id }) => id === arriving.entryId)
  const entry = Vector.get(transcript.entries, place)
  const before = entry?.blocks[0]
  if (entry === undefined || before === undefined) return transcript
  if (before.kind === "tool") {
    if (block.text.length <= arriving.shown) return transcript
    const [call, read] = grownCall(before, arriving, block.text)
    return { ...replace(transcript, place, { ...entry, blocks: [call] }), arriving: read }
  }
  if (arriving.shown === reveal.upTo && isShown(before, block)) return transcript
  const words = grownWords(before, block, reveal)
  return { ...replace(transcript, place, { ...entry, blocks: [words] }), arriving: { ...arriving, shown: reveal.upTo } }
}

/** Shows what is due of the block that is arriving; without one, nothing of an answer that was given up is left. */
export const showArriving = (
  transcript: Transcript,
  block: ArrivingBlock | undefined,
  { upTo, now }: Reveal
): Transcript => {
  const current = discardStale(transcript, block)
  if (block === undefined) return current
  const opened = current.arriving === undefined ? open(current, block, now) : current
  return grow(opened, block, { upTo: Math.min(upTo, block.text.length), now })
}
