import { isText, isToolResult, isToolUse } from "../../domain/block.ts"
import type { Uuid } from "../../domain/id.ts"
import * as Log from "../../domain/append-list.ts"
import { blocksOf, type Message } from "../../domain/message.ts"
import { estimateText } from "../../model/tokens/estimate.ts"
import { patchConversation } from "../machine/patch-state.ts"
import { statusOf } from "../turn/send-request.ts"
import type { AgentState, Pin } from "../machine/state.ts"
import { emit, notice, type Step, stay } from "../machine/transition.ts"

/** Messages that stay word for word in every summary. The text is kept: a compaction lets the message go. */

/** The share of the window that pins may take. */
const MOST_OF_WINDOW = 0.2

const textOfContent = (content: unknown): string => {
  if (typeof content === "string") return content
  return Array.isArray(content)
    ? content
        .flatMap((block: { readonly text?: unknown }) => (typeof block.text === "string" ? [block.text] : []))
        .join("\n")
    : ""
}

/** What can be read of a message, as it was. */
const textOf = (message: Message): string => {
  if (message.type !== "user" && message.type !== "assistant") return ""
  return blocksOf(message.message.content)
    .map((block) => {
      if (isText(block)) return block.text
      if (isToolResult(block)) return textOfContent(block.content)
      return isToolUse(block) ? `${block.name} ${JSON.stringify(block.input)}` : ""
    })
    .filter((text) => text !== "")
    .join("\n")
}

export const pinnedTokens = (pins: ReadonlyArray<Pin>): number => pins.reduce((sum, { text }) => sum + estimateText(text), 0)

const withPins = (
  state: AgentState,
  pins: ReadonlyArray<Pin>,
  change: { readonly pin: Pin; readonly pinned: boolean }
): Step => [
  patchConversation(state, { pins }),
  [
    {
      _tag: "Note",
      record: {
        type: "nacre-pin",
        target: change.pin.uuid,
        pinned: change.pinned,
        text: change.pinned ? change.pin.text : ""
      }
    },
    emit({ _tag: "PinsChanged", pinned: change.pinned, tokens: pinnedTokens(pins) })
  ]
]

const refuse = (state: AgentState, words: string): Step => [state, [notice("warning", words)]]

const pin = (state: AgentState, uuid: Uuid): Step => {
  const { messages, pins: known } = state.conversation
  const message = Log.get(
    messages,
    Log.findLastIndex(messages, (each) => each.uuid === uuid)
  )
  const text = message === undefined ? "" : textOf(message)
  if (text.trim() === "") return refuse(state, "This message has no words in the conversation that could be pinned.")
  const pins = [...known, { uuid, text }]
  const most = Math.floor(statusOf(state).effectiveTokens * MOST_OF_WINDOW)
  const wanted = pinnedTokens(pins)
  if (wanted > most) {
    return refuse(
      state,
      `Pins may take ${most} tokens; ${pinnedTokens(known)} are taken and this message has ${estimateText(text)}. Fix: unpin another one`
    )
  }
  return withPins(state, pins, { pin: { uuid, text }, pinned: true })
}

export const onPinChanged = (
  state: AgentState,
  { uuid, pinned }: { readonly uuid: Uuid; readonly pinned: boolean }
): Step => {
  const { pins } = state.conversation
  const known = pins.find((each) => each.uuid === uuid)
  if (pinned) return known === undefined ? pin(state, uuid) : stay(state)
  return known === undefined
    ? stay(state)
    : withPins(
        state,
        pins.filter((each) => each !== known),
        { pin: known, pinned: false }
      )
}
