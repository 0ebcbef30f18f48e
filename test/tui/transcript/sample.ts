import type { ArrivingBlock } from "../../../src/tui/transcript/entries/arriving.ts"
/** Emissions and records as the loop makes them, short to write. */
import type { ContentBlock } from "../../../src/core/domain/block.ts"
import type { AssistantMessage, Message, SystemMessage, UserMessage } from "../../../src/core/domain/message.ts"
import { zeroUsage } from "../../../src/core/domain/usage.ts"
import type { Emission, TurnResult } from "../../../src/core/loop/machine/emission.ts"
import { DEFAULT_OPTIONS, type Block, type LayoutOptions } from "../../../src/tui/transcript/block.ts"
import { layoutBlock } from "../../../src/tui/transcript/blocks/block-layout.ts"
import { applyEmission } from "../../../src/tui/transcript/entries/project.ts"
import { emptyTranscript, type Transcript } from "../../../src/tui/transcript/state.ts"
import * as Vector from "../../../src/tui/transcript/vector.ts"
import type { Row } from "../../../src/tui/screen/style/row.ts"

const TIMESTAMP = "2026-03-02T09:00:01.000Z"

export const said = (uuid: string, text: string): UserMessage => ({
  type: "user",
  uuid,
  timestamp: TIMESTAMP,
  message: { role: "user", content: text }
})

export const answered = (uuid: string, block: ContentBlock, messageId = "msg_1"): AssistantMessage => ({
  type: "assistant",
  uuid,
  timestamp: TIMESTAMP,
  message: {
    id: messageId,
    type: "message",
    role: "assistant",
    model: "claude-opus-4-8",
    content: [block],
    stop_reason: null,
    stop_sequence: null,
    usage: zeroUsage
  }
})

export const wrote = (uuid: string, text: string, messageId?: string): AssistantMessage =>
  answered(uuid, { type: "text", text }, messageId)

export const called = (callId: string, name: string, input: unknown, messageId?: string): AssistantMessage =>
  answered(`u-${callId}`, { type: "tool_use", id: callId, name, input }, messageId)

export interface Returned {
  readonly content: string | ReadonlyArray<ContentBlock>
  readonly data?: unknown
  readonly isError?: true
  readonly denial?: string
}

export const returned = (callId: string, { content, data, isError, denial }: Returned): UserMessage => ({
  type: "user",
  uuid: `r-${callId}`,
  timestamp: TIMESTAMP,
  message: {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: callId, content, ...(isError === true ? { is_error: true } : {}) }]
  },
  sourceToolAssistantUUID: `u-${callId}`,
  ...(data === undefined ? {} : { toolUseResult: data }),
  ...(denial === undefined ? {} : { toolDenialKind: denial })
})

export const system = (uuid: string, fields: Omit<SystemMessage, "type" | "uuid" | "timestamp">): SystemMessage => {
  const { subtype, ...rest } = fields
  return { ...rest, type: "system", uuid, timestamp: TIMESTAMP, subtype: String(subtype) }
}

export const added = (message: Message): Emission => ({ _tag: "MessageAdded", message })

export const started = (callId: string, tool: string): Emission => ({
  _tag: "CallStarted",
  callId,
  tool,
  summary: "",
  why: "a rule allows it"
})

export const finished = (fields: Partial<TurnResult> = {}): Emission => ({
  _tag: "TurnFinished",
  result: {
    uuid: "turn-1",
    subtype: "success",
    terminalReason: "completed",
    isError: false,
    durationMs: 42_000,
    durationApiMs: 0,
    numTurns: 1,
    text: "",
    errors: [],
    stopReason: "end_turn",
    totalCostUsd: 0.0412,
    usage: { ...zeroUsage, input_tokens: 1_100, cache_read_input_tokens: 11_200, output_tokens: 1_800 },
    models: {},
    denials: [],
    promptUuid: "p",
    ...fields
  }
})

/** One emission per second. */
export const played = (emissions: ReadonlyArray<Emission>, from: Transcript = emptyTranscript): Transcript =>
  emissions.reduce((transcript, emission, index) => applyEmission(transcript, emission, index * 1_000), from)

/** A call and its result, half a second apart. */
export const settledCall = (tool: string, input: unknown, outcome: Returned): Transcript => {
  const begun = played([added(called("c1", tool, input)), started("c1", tool)])
  return applyEmission(begun, added(returned("c1", outcome)), 1_500)
}

export const options = (fields: Partial<LayoutOptions> = {}): LayoutOptions => ({
  ...DEFAULT_OPTIONS,
  cwd: "/home/ada/orchard",
  ...fields
})

export const textOf = (row: Row): string => row.spans.map((span) => span.text).join("")

export const blocksOf = (transcript: Transcript): ReadonlyArray<Block> =>
  Vector.toArray(transcript.entries).flatMap((entry) => entry.blocks)

export const drawnRows = (transcript: Transcript, fields: Partial<LayoutOptions> = {}): ReadonlyArray<Row> =>
  blocksOf(transcript).flatMap((block) => layoutBlock(block, options(fields)))

/** What the transcript looks like as plain text. */
export const drawn = (transcript: Transcript, fields: Partial<LayoutOptions> = {}): string =>
  drawnRows(transcript, fields)
    .map((row) => textOf(row).trimEnd())
    .join("\n")

/** A block of an answer that is arriving. */
export const arriving = (patch: Partial<ArrivingBlock>): ArrivingBlock => ({
  messageId: "msg_1",
  model: "claude-opus-4-8",
  index: 0,
  kind: patch.call === undefined ? "text" : "tool",
  text: "",
  call: undefined,
  isComplete: false,
  ...patch
})
