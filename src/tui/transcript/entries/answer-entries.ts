/** Blocks of the model's answer: while they stream in, and when they have arrived. Both give the same entry. */
import { isText, isThinking, isToolUse, type ContentBlock } from "../../../core/domain/block.ts"
import { SYNTHETIC_MODEL, type AssistantMessage } from "../../../core/domain/message.ts"
import { isProgramText } from "../../../core/domain/program-texts.ts"
import type { Block, Entry, ErrorBlock, Header, TextBlock, ThinkingBlock } from "../block.ts"
import { millisOf, minuteOf } from "../timestamp.ts"
import { nextStepFor } from "./message-entries.ts"
import { append, nextBlockId, placeOf, replace, type Transcript } from "../state.ts"
import { changeCall, newCall } from "../blocks/tool-block.ts"
import * as Vector from "../vector.ts"

export const textBlock = (id: string, source: string, streaming: boolean): TextBlock => ({
  id,
  kind: "text",
  revision: 1,
  source,
  streaming,
  lineage: {}
})

export const thinkingBlock = (id: string, source: string, streaming: boolean): ThinkingBlock => ({
  id,
  kind: "thinking",
  revision: 1,
  source,
  streaming,
  redacted: false
})

/** What stands above the text when its author or the minute is another one than before. */
export const withHeader = (
  transcript: Transcript,
  author: { readonly model: string; readonly time: number | undefined }
): readonly [Header | undefined, Transcript] => {
  const minute = author.time === undefined ? transcript.author.minute : minuteOf(author.time)
  const { model } = author
  const other = model !== transcript.author.model && model !== ""
  if (!other && minute === transcript.author.minute) return [undefined, transcript]
  const isFirst = transcript.author.model === undefined
  const header: Header = {
    model,
    isOther: other && !isFirst,
    ...(author.time === undefined ? {} : { time: author.time })
  }
  return [header, { ...transcript, author: { model: other ? model : transcript.author.model, minute } }]
}

const REDACTED = "Thinking that the provider keeps encrypted."

const errorBlock = (id: string, source: string, message: AssistantMessage): ErrorBlock => {
  const nextStep = nextStepFor(message.error)
  return {
    id,
    kind: "error",
    revision: 1,
    source,
    ...(message.error === undefined ? {} : { errorClass: message.error }),
    ...(nextStep === undefined ? {} : { nextStep })
  }
}

/** A finished block, without knowing whether it was on screen before. */
const finished = (id: string, block: ContentBlock, message: AssistantMessage): Block | undefined => {
  if (isText(block)) {
    if (message.isApiErrorMessage === true) return errorBlock(id, block.text, message)
    const isFiller = message.message.model === SYNTHETIC_MODEL && isProgramText(block.text)
    return isFiller || block.text.trim() === "" ? undefined : textBlock(id, block.text, false)
  }
  if (!isThinking(block)) return undefined
  if (block.type === "redacted_thinking") return { ...thinkingBlock(id, REDACTED, false), redacted: true }
  return block.thinking.trim() === "" ? undefined : thinkingBlock(id, block.thinking, false)
}

/** The finished block in place of the streamed one: the same block as far as anybody can see. */
const settled = (streamed: Block, done: Block, now: number | undefined): Block => {
  const gap = streamed.gap === true ? { gap: true as const } : {}
  const base = { ...done, id: streamed.id, revision: streamed.revision + 1, ...gap }
  if (streamed.kind === "text" && base.kind === "text") {
    return streamed.header === undefined ? base : { ...base, header: streamed.header }
  }
  if (streamed.kind !== "thinking" || base.kind !== "thinking") return base
  const endedAt = streamed.endedAt ?? now
  return {
    ...base,
    ...(streamed.startedAt === undefined ? {} : { startedAt: streamed.startedAt }),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(streamed.tokens === undefined ? {} : { tokens: streamed.tokens })
  }
}

/** Where the finished block has been shown while it arrived. */
const arrivedPlace = (transcript: Transcript, block: ContentBlock, messageId: string): number => {
  const { arriving } = transcript
  const kind = isText(block) ? "text" : "thinking"
  if (arriving?.messageId !== messageId || arriving.kind !== kind) return -1
  return placeOf(transcript, ({ id }) => id === arriving.entryId)
}

interface Arrival {
  readonly message: AssistantMessage
  readonly time: number | undefined
  readonly now: number | undefined
}

/** Written out, so that every entry is one object with room for all of its fields. */
const withTime = ({ id, kind, blocks, time: former }: Entry, { message: { uuid }, time = former }: Arrival): Entry =>
  time === undefined ? { id, kind, blocks, uuid } : { id, kind, blocks, uuid, time }

const addWords = (transcript: Transcript, block: ContentBlock, arrival: Arrival): Transcript => {
  const { message, now, time } = arrival
  const messageId = message.message.id || message.uuid
  const place = arrivedPlace(transcript, block, messageId)
  const streamed = Vector.get(transcript.entries, place)
  if (streamed !== undefined) {
    const done = finished(streamed.id, block, message)
    const before = streamed.blocks[0]
    if (done === undefined || before === undefined) return transcript
    const entry = withTime({ ...streamed, blocks: [settled(before, done, now)] }, arrival)
    return { ...replace(transcript, place, entry), arriving: undefined }
  }
  const [id, named] = nextBlockId(transcript, messageId)
  const done = finished(id, block, message)
  if (done === undefined) return named
  if (done.kind !== "text") return append(named, withTime({ id, kind: "assistant", blocks: [done] }, arrival))
  const [header, authored] = withHeader(named, { model: message.message.model, time })
  const blocks = [header === undefined ? done : { ...done, header }]
  return append(authored, withTime({ id, kind: "assistant", blocks }, arrival))
}

const addCall = (transcript: Transcript, block: ContentBlock, arrival: Arrival): Transcript => {
  if (!isToolUse(block)) return transcript
  const { message } = arrival
  const call = { callId: block.id, tool: block.name, input: block.input, partial: false }
  const place = transcript.openCalls.get(block.id) ?? -1
  const known = Vector.get(transcript.entries, place)
  const before = known?.blocks[0]
  if (known !== undefined && before?.kind === "tool") {
    const tool = before.partial ? block.name : before.tool
    const after = changeCall(before, { tool, input: block.input, partial: false })
    const arriving = transcript.arriving?.entryId === block.id ? undefined : transcript.arriving
    return { ...replace(transcript, place, withTime({ ...known, blocks: [after] }, arrival)), arriving }
  }
  const [, named] = nextBlockId(transcript, message.message.id || message.uuid)
  return append(named, withTime({ id: block.id, kind: "tool", blocks: [newCall(call)] }, arrival))
}

/** An answer's record: usually one block, in old files several. */
export const addAnswer = (transcript: Transcript, message: AssistantMessage, now: number | undefined): Transcript => {
  const arrival: Arrival = { message, now, time: millisOf(message.timestamp) }
  return message.message.content.reduce(
    (next, block) => (isToolUse(block) ? addCall(next, block, arrival) : addWords(next, block, arrival)),
    transcript
  )
}
