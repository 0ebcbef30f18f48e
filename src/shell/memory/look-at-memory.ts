import { join } from "node:path"
import { Effect } from "effect"
import type { Message } from "../../core/domain/message.ts"
import type { MemoryPlace } from "../../core/context/memory/directory.ts"
import type { KnownFile, MemoryLook } from "../../core/context/memory/look.ts"
import { cutIndex, INDEX } from "../../core/context/memory/memory-index.ts"
import { readTopic } from "../../core/context/memory/topic.ts"
import { estimateText } from "../../core/model/tokens/estimate.ts"
import { Memory, type MemoryEntry, type MemoryError, type MemoryStore } from "../../core/ports/Memory.ts"
import type { InstructionPlan } from "../instructions/instruction-place.ts"
import { readInstructions } from "../instructions/read-instructions.ts"
import { knownInstructions } from "./known-instructions.ts"

/** What `/memory` shows: every file that lasts between conversations, and whether this one knows it. */
export interface Looking {
  readonly plan: InstructionPlan
  readonly memory: MemoryPlace
  readonly messages: ReadonlyArray<Message>
}

/** What was said besides the conversation, as one text to look into. */
const heardIn = (messages: ReadonlyArray<Message>): string =>
  messages
    .filter((message) => message.type === "attachment" || (message.type === "user" && message.isMeta === true))
    .map((message) => JSON.stringify(message))
    .join("\n")

const topicFile = (directory: string, { name }: MemoryEntry, store: MemoryStore): Effect.Effect<KnownFile, MemoryError> =>
  Effect.map(store.read(name), (file) => {
    const topic = readTopic(file?.text ?? "")
    return {
      path: join(directory, name),
      group: "memory",
      label: topic.name || name,
      detail: topic.description || name,
      tokens: estimateText(file?.text ?? ""),
      isLoaded: false,
      why: "the agent opens it when it matters",
      name
    }
  })

const indexFile = (directory: string, text: string | undefined, heard: string): KnownFile => {
  const path = join(directory, INDEX)
  const isLoaded = heard.includes(`Contents of ${path}`)
  const tokens = text === undefined ? undefined : estimateText(text)
  const why = text === undefined ? "" : (cutIndex(text).cut ?? (isLoaded ? "" : "the next conversation begins with it"))
  return { path, group: "memory", label: INDEX, detail: "the index", tokens, isLoaded, why, ...(text && { name: INDEX }) }
}

const memoryFiles = Effect.fnUntraced(function* (
  directory: string,
  heard: string
): Effect.fn.Return<ReadonlyArray<KnownFile>, MemoryError, Memory> {
  const store = (yield* Memory).at(directory)
  const entries = yield* store.entries
  const index = yield* store.read(INDEX)
  const topics = entries.filter(({ name }) => name !== INDEX)
  return [
    indexFile(directory, index?.text, heard),
    ...(yield* Effect.forEach(topics, (entry) => topicFile(directory, entry, store)))
  ]
})

export const lookAtMemory = Effect.fnUntraced(function* ({ plan, memory, messages }: Looking) {
  const heard = heardIn(messages)
  const { found } = yield* readInstructions(plan)
  const instructions = knownInstructions(plan, found, (path) => heard.includes(`Contents of ${path}`))
  const kept = memory._tag === "Off" ? [] : yield* memoryFiles(memory.path, heard)
  const look: MemoryLook = { place: memory, files: [...instructions, ...kept] }
  return look
})
