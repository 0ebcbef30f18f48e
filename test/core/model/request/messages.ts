import * as fc from "fast-check"
import type { ContentBlock } from "../../../../src/core/domain/block.ts"
import {
  SYNTHETIC_MODEL,
  type AssistantMessage,
  type AttachmentMessage,
  type Message,
  type SystemMessage,
  type UserMessage
} from "../../../../src/core/domain/message.ts"
import { zeroUsage } from "../../../../src/core/domain/usage.ts"

/** Messages for tests, with ids drawn from small pools so that collisions of every kind come up. */
export const MODEL = "claude-opus-4-6"
const timestamp = "2026-01-01T00:00:00.000Z"

export const user = (content: UserMessage["message"]["content"], extra: Partial<UserMessage> = {}): UserMessage => ({
  type: "user",
  uuid: "u",
  timestamp,
  message: { role: "user", content },
  ...extra
})

export const assistant = (
  id: string,
  content: ReadonlyArray<ContentBlock>,
  extra: Partial<AssistantMessage> & { readonly model?: string } = {}
): AssistantMessage => {
  const { model = MODEL, ...rest } = extra
  return {
    type: "assistant",
    uuid: `a-${id}`,
    timestamp,
    message: {
      id,
      type: "message",
      role: "assistant",
      model,
      content,
      stop_reason: null,
      stop_sequence: null,
      usage: zeroUsage
    },
    ...rest
  }
}

export const system = (subtype: string, content?: string): SystemMessage => ({
  type: "system",
  uuid: "s",
  timestamp,
  subtype,
  ...(content === undefined ? {} : { content })
})

export const attachment = (fields: AttachmentMessage["attachment"]): AttachmentMessage => ({
  type: "attachment",
  uuid: "at",
  timestamp,
  attachment: fields
})

export const textBlock = (text: string): ContentBlock => ({ type: "text", text })
export const call = (id: string, input: unknown = { n: 1 }): ContentBlock => ({
  type: "tool_use",
  id,
  name: "Read",
  input
})
export const result = (id: string, content = `result of ${id}`): ContentBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content
})
export const thinking = (value = "hmm"): ContentBlock => ({ type: "thinking", thinking: value, signature: "sig" })

const callId = fc.constantFrom("t1", "t2", "t3", "t4")
const words = fc.constantFrom("hello", "", "  ", "a <system-reminder>b</system-reminder>", "line\nline", "(no content)")

const userBlock = fc.oneof(
  words.map(textBlock),
  callId.map((id) => result(id)),
  fc.tuple(callId, words).map(([id, value]) => result(id, value)),
  fc.tuple(callId, words).map(([id, value]): ContentBlock => ({
    type: "tool_result",
    tool_use_id: id,
    content: [textBlock(value), { type: "tool_reference", tool_name: "Gone" }]
  })),
  fc.constant<ContentBlock>({ type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }),
  fc.constant<ContentBlock>({ type: "text", text: "marked", cache_control: { type: "ephemeral" } })
)

const assistantBlock = fc.oneof(
  words.map(textBlock),
  callId.map((id) => call(id)),
  fc.constant(call("t5", "not an object")),
  fc.constant(thinking()),
  fc.constant<ContentBlock>({ type: "redacted_thinking", data: "xx" })
)

const anyUser = fc
  .tuple(fc.oneof(words, fc.array(userBlock, { maxLength: 4 })), fc.constantFrom({}, { isMeta: true }, { isVirtual: true }))
  .map(([content, flags]) => user(content, flags))

const anyAssistant = fc
  .tuple(
    fc.constantFrom("m1", "m2", "m3"),
    fc.array(assistantBlock, { maxLength: 3 }),
    fc.constantFrom(MODEL, "claude-sonnet-4-6", SYNTHETIC_MODEL),
    fc.constantFrom({}, {}, {}, { isVirtual: true }, { isApiErrorMessage: true })
  )
  .map(([id, content, model, flags]) => assistant(id, content, { model, ...flags }))

const anyOther = fc.constantFrom<Message>(
  system("informational", "hidden"),
  system("local_command", "<command-name>/x</command-name> <system-reminder>no</system-reminder>"),
  attachment({ type: "queued_command", prompt: "also this" }),
  attachment({ type: "max_turns_reached", maxTurns: 3 }),
  attachment({ type: "date_change", newDate: "2026-02-03" }),
  attachment({ type: "whatever", text: "some ``` text </system-reminder>" })
)

/** Any order of anything: parallel calls, orphans, missing and second results, fragments torn apart. */
export const anyHistory: fc.Arbitrary<ReadonlyArray<Message>> = fc.array(
  fc.oneof({ weight: 4, arbitrary: anyUser }, { weight: 4, arbitrary: anyAssistant }, { weight: 1, arbitrary: anyOther }),
  { maxLength: 14 }
)

/** A conversation as the loop makes it: prompt, then responses whose calls are all answered. */
const loopResponse = (index: number, calls: number): ReadonlyArray<Message> => {
  const ids = Array.from({ length: calls }, (_, n) => `c${index}-${n}`)
  return [
    assistant(`r${index}`, [thinking()], { uuid: `${index}-0` }),
    assistant(`r${index}`, [textBlock(`response ${index}`)], { uuid: `${index}-1` }),
    ...ids.flatMap((id) => [assistant(`r${index}`, [call(id)]), user([result(id)], { toolUseResult: {} })])
  ]
}

export const loopHistory: fc.Arbitrary<ReadonlyArray<Message>> = fc
  .array(fc.tuple(fc.nat(3), fc.boolean()), { minLength: 1, maxLength: 12 })
  .map((steps) => [
    user("start"),
    ...steps.flatMap(([calls, prompt], index) => [
      ...loopResponse(index, calls),
      ...(calls === 0 || prompt ? [user(`prompt ${index}`)] : [])
    ])
  ])
