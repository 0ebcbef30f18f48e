import { isContentBlock, isText, type TextBlock } from "../../domain/block.ts"
import type { Message } from "../../domain/message.ts"
import type { ContextSource, CoreFacts, Items } from "./source.ts"

const TYPE = "prompt_snapshot"

/** Equal prompts are one value, so that it is told apart from others once. */
const known = new WeakMap<CoreFacts["system"], Items<"systemPrompt">>()

/** What every request begins with is written down, and a resumed conversation begins with it again. */
export const systemPrompt: ContextSource<"systemPrompt"> = {
  derive: ({ system }) => {
    const items = known.get(system) ?? [{ id: "system", value: { system } }]
    known.set(system, items)
    return items
  },
  isStanding: true,
  say: ([item]) => (item === undefined ? undefined : { type: TYPE, fields: { ...item.value }, words: undefined })
}

const isTextBlock = (value: unknown): value is TextBlock => isContentBlock(value) && isText(value)

/** The prompt that a conversation began with; undefined where nobody wrote it down. */
export const recordedPrompt = (messages: ReadonlyArray<Message>): ReadonlyArray<TextBlock> | undefined => {
  const recorded = messages.findLast((message) => message.type === "attachment" && message.attachment.type === TYPE)
  const system = recorded?.type === "attachment" ? recorded.attachment["system"] : undefined
  return Array.isArray(system) && system.every(isTextBlock) ? system : undefined
}
