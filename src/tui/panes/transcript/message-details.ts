import { findLastIndex, get } from "../../../core/domain/append-list.ts"
import type { Block, Entry } from "../../transcript/block.ts"
import { plural, secondsText } from "../../transcript/number-format.ts"
import type { SessionModel } from "../../model/session-model.ts"

/** What `K` shows about a message: what it is, why a call could run or could not, tokens, times, ids. */

/** A message and the block of it that is meant. */
export interface MessageBlock {
  readonly entry: Entry
  readonly block: Block
}

type Fact = readonly [name: string, value: string]

/** Tokens of the answer that an entry was made from, as the API counted them. */
const usageFacts = ({ state }: SessionModel, { uuid }: Entry): ReadonlyArray<Fact> => {
  const message = get(
    state.conversation.messages,
    findLastIndex(state.conversation.messages, (each) => each.type === "assistant" && each.uuid === uuid)
  )
  if (uuid === undefined || message?.type !== "assistant") return []
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = message.message.usage
  return [
    ["model", message.message.model],
    [
      "tokens",
      `${input_tokens} in, ${cache_read_input_tokens} from the cache, ` +
        `${cache_creation_input_tokens} into it, ${output_tokens} out`
    ]
  ]
}

const callFacts = (block: Block): ReadonlyArray<Fact> => {
  if (block.kind !== "tool") return []
  const { tool, state, allowed, denial, startedAt, endedAt } = block
  return [
    ["tool", tool],
    ["state", state],
    ...(allowed === undefined ? [] : [["allowed", allowed] as const]),
    ...(denial === undefined ? [] : [["denied", denial] as const]),
    ...(startedAt === undefined ? [] : [["took", secondsText((endedAt ?? startedAt) - startedAt)] as const])
  ]
}

const factsOf = (session: SessionModel, { entry, block }: MessageBlock): ReadonlyArray<Fact> => [
  ["kind", block.kind],
  ...(session.state.conversation.pins.some(({ uuid }) => uuid === entry.uuid)
    ? [["pinned", "it stays word for word in every summary"] as const]
    : []),
  ...callFacts(block),
  ...usageFacts(session, entry),
  ...(block.kind === "thinking" && block.tokens !== undefined ? [["tokens", String(block.tokens)] as const] : []),
  ...(entry.time === undefined
    ? []
    : [["time", new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" }).format(entry.time)] as const]),
  ["source", plural(block.source.length, "character")],
  ["entry", entry.id],
  ...(entry.uuid === undefined ? [] : [["record", entry.uuid] as const])
]

export const detailLines = (session: SessionModel, here: MessageBlock): ReadonlyArray<string> => {
  const facts = factsOf(session, here)
  const width = Math.max(...facts.map(([name]) => name.length))
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`)
}
