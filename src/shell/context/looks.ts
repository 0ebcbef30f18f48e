import { join } from "node:path"
import { Clock, Effect } from "effect"
import { INDEX, indexText } from "../../core/context/memory/memory-index.ts"
import type { MemoryPlace } from "../../core/context/memory/directory.ts"
import type { InstructionValue, Item, Items, SourceKind, Want } from "../../core/context/sources/source.ts"
import { Files } from "../../core/ports/Files.ts"
import { Git } from "../../core/ports/Git.ts"
import { Memory } from "../../core/ports/Memory.ts"
import { environmentOf, type SessionPlan } from "../plan/session-plan.ts"
import { isStrange } from "../memory/memory-place.ts"
import { gitSnapshot } from "./git-snapshot.ts"

/** How each source is looked at. A failure is a source that is not seen this time. */
export interface LookPlace {
  readonly plan: SessionPlan
  readonly memory: MemoryPlace
  readonly cwd: string
  readonly want: Want
}

export type LookPorts = Files | Git | Memory

type LookAt<K extends SourceKind> = (place: LookPlace) => Effect.Effect<Items<K>, unknown, LookPorts>

const two = (part: number): string => String(part).padStart(2, "0")

const localDate = (now: Date): string => `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`

const MOST_BYTES = 4 * 1024 * 1024

const instructionFile = Effect.fnUntraced(function* (path: string, label: string) {
  const content = yield* Effect.option((yield* Files).read(path, { maxBytes: MOST_BYTES }))
  if (content._tag === "None") return []
  const text = new TextDecoder().decode(content.value.bytes)
  return [{ id: path, value: { path, label, text } }] satisfies ReadonlyArray<Item<InstructionValue>>
})

const MEMORY_LABEL = "auto-memory: your own notes from earlier conversations, to be checked before they are relied on"

const memoryIndex = Effect.fnUntraced(function* (memory: MemoryPlace) {
  if (memory._tag === "Off") return []
  const file = yield* (yield* Memory).at(memory.path).read(INDEX)
  const text = indexText(file?.text ?? "")
  const path = join(memory.path, INDEX)
  return text === undefined ? [] : [{ id: path, value: { path, label: MEMORY_LABEL, text } }]
})

const instructions: LookAt<"instructions"> = Effect.fnUntraced(function* ({ plan, memory }) {
  const files = [
    yield* instructionFile(join(plan.configHome, "CLAUDE.md"), "the user's own, for all projects"),
    yield* instructionFile(join(plan.cwd, "CLAUDE.md"), "the project's, shared by all who work on it"),
    yield* Effect.orElseSucceed(memoryIndex(memory), () => [])
  ]
  return files.flat()
})

const git: LookAt<"git"> = Effect.fnUntraced(function* ({ plan, cwd }) {
  const facts = (yield* Git).facts(plan.cwd)
  if (!facts.isRepository || isStrange(plan)) return []
  const value = yield* gitSnapshot(cwd, facts.branch ?? "none", plan.env)
  return value === undefined ? [] : [{ id: "git", value }]
})

export const LOOKS: { readonly [K in Exclude<SourceKind, "model">]: LookAt<K> } = {
  environment: ({ plan }) =>
    Effect.map(Git, ({ facts }) => [{ id: "environment", value: environmentOf(plan, facts(plan.cwd).isRepository) }]),
  instructions,
  git,
  date: () => Effect.map(Clock.currentTimeMillis, (now) => [{ id: "date", value: { date: localDate(new Date(now)) } }])
}
