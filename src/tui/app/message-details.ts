import { findLastIndex, get } from "../../core/domain/log.ts"
import type { Block, Entry } from "../transcript/block.ts"
import { secondsText } from "../transcript/figures.ts"
import type { SessionModel } from "./session-model.ts"

/** What `K` tells about a message: ids, times, tokens, and why a call was denied. */

/** A message and the block of it that is meant. */
export interface Here {
  readonly entry: Entry
  readonly block: Block
}

/** Tokens of the answer that an entry was made from, as the API counted them. */
const usageLines = ({ state }: SessionModel, { uuid }: Entry): ReadonlyArray<string> => {
  const message = get(
    state.messages,
    findLastIndex(state.messages, (each) => each.type === "assistant" && each.uuid === uuid)
  )
  if (uuid === undefined || message?.type !== "assistant") return []
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = message.message.usage
  return [
    `model: ${message.message.model}`,
    `tokens: ${input_tokens} in, ${cache_read_input_tokens} from the cache, ` +
      `${cache_creation_input_tokens} into it, ${output_tokens} out`
  ]
}

export const detailLines = (session: SessionModel, { entry, block }: Here): ReadonlyArray<string> => [
  `entry: ${entry.id}`,
  ...(entry.uuid === undefined ? [] : [`record: ${entry.uuid}`]),
  ...(entry.time === undefined
    ? []
    : [`time: ${new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" }).format(entry.time)}`]),
  `kind: ${block.kind}`,
  ...(block.tool === undefined ? [] : [`tool: ${block.tool}`, `state: ${block.state ?? ""}`]),
  ...usageLines(session, entry),
  ...(block.kind === "tool" && block.denial !== undefined ? [`denied: ${block.denial}`] : []),
  ...(block.kind === "tool" && block.startedAt !== undefined
    ? [`took: ${secondsText((block.endedAt ?? block.startedAt) - block.startedAt)}`]
    : []),
  ...(block.kind === "thinking" && block.tokens !== undefined ? [`tokens: ${block.tokens}`] : []),
  `source: ${block.source.length} characters`
]
