import { statSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import type { Message } from "../../core/domain/message.ts"
import type { MemoryPlace } from "../../core/context/memory/directory.ts"
import type { KnownFile, MemoryLook } from "../../core/context/memory/look.ts"
import { cutIndex, INDEX } from "../../core/context/memory/memory-index.ts"
import { readTopic } from "../../core/context/memory/topic.ts"
import { estimateText } from "../../core/model/tokens/estimate.ts"
import { Memory, type MemoryEntry, type MemoryError, type MemoryStore } from "../../core/ports/Memory.ts"
import { readIfThere } from "../system/private-file.ts"

/** What `/memory` shows: every file that lasts between conversations, and whether this one knows it. */
export interface Looking {
  readonly cwd: string
  readonly configHome: string
  readonly memory: MemoryPlace
  readonly messages: ReadonlyArray<Message>
}

/** What was said besides the conversation, as one text to look into. */
const heardIn = (messages: ReadonlyArray<Message>): string =>
  messages
    .filter((message) => message.type === "attachment" || (message.type === "user" && message.isMeta === true))
    .map((message) => JSON.stringify(message))
    .join("\n")

const tokensOf = (path: string): number | undefined => {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined
  try {
    return estimateText(readIfThere(path) ?? "")
  } catch {
    return undefined
  }
}

const instructionFile = (path: string, label: string, detail: string, heard: string): KnownFile => {
  const tokens = tokensOf(path)
  const isLoaded = heard.includes(`Contents of ${path}`)
  const why = tokens === undefined || isLoaded ? "" : "it was not there, or did not count, when the conversation began"
  return { path, group: "instructions", label, detail, tokens, isLoaded, why }
}

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

export const lookAtMemory = (looking: Looking): Effect.Effect<MemoryLook, MemoryError, Memory> => {
  const { cwd, configHome, memory, messages } = looking
  const heard = heardIn(messages)
  const instructions = [
    instructionFile(join(configHome, "CLAUDE.md"), "CLAUDE.md", "yours, for all projects", heard),
    instructionFile(join(cwd, "CLAUDE.md"), "CLAUDE.md", "this project's, shared", heard),
    ...[instructionFile(join(cwd, "AGENTS.md"), "AGENTS.md", "this project's, shared", heard)].filter(
      ({ tokens }) => tokens !== undefined
    ),
    instructionFile(join(cwd, "CLAUDE.local.md"), "CLAUDE.local.md", "this project's, only yours", heard)
  ]
  if (memory._tag === "Off") return Effect.succeed({ place: memory, files: instructions })
  return Effect.map(memoryFiles(memory.path, heard), (files) => ({ place: memory, files: [...instructions, ...files] }))
}
