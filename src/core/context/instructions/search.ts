import type { Presence } from "../../domain/path/presence.ts"
import type { InstructionFile } from "./instruction-file.ts"
import type { PathRule } from "./path-rules.ts"
import { type InstructionText, readInstructionBytes } from "./read-text.ts"

/** The search for instruction files as a machine: it says what it wants to know and goes on with the answers. */
export interface Entry {
  readonly name: string
  /** "file", "directory", "link" or something else; links are not followed. */
  readonly kind: string
}

/** Nothing stands for what is not there or cannot be read. */
export interface Answers {
  /** By the path that was asked for. */
  readonly present: ReadonlyMap<string, Presence | undefined>
  /** By the real path of the directory. */
  readonly entries: ReadonlyMap<string, ReadonlyArray<Entry> | undefined>
  /** By the real path of the file. */
  readonly bytes: ReadonlyMap<string, Uint8Array | undefined>
}

export interface Wants {
  readonly _tag: "Wants"
  readonly present: ReadonlyArray<string>
  readonly entries: ReadonlyArray<Presence>
  readonly bytes: ReadonlyArray<Presence>
  readonly next: (answers: Answers) => Step
}

export interface Skipped {
  readonly path: string
  readonly why: string
  /** The user should hear of it without asking. */
  readonly isWarning?: true
}

export interface Found {
  /** In the order in which the model reads them. */
  readonly files: ReadonlyArray<InstructionFile>
  /** Those that wait for a file that they are about. */
  readonly rules: ReadonlyArray<PathRule>
  readonly skipped: ReadonlyArray<Skipped>
  /** Real paths outside of the project that wait for the user's approval. */
  readonly askFor: ReadonlyArray<string>
}

export interface Done extends Found {
  readonly _tag: "Done"
}

export type Step = Wants | Done

/** What is known of the world so far; asking for more is remembered. */
export interface World {
  readonly present: (path: string) => Presence | undefined
  readonly entries: (directory: Presence) => ReadonlyArray<Entry> | undefined
  /** "Unread" until it is known, "NoText" for what is not text or cannot be read. */
  readonly text: (file: Presence) => InstructionText | "Unread" | "NoText"
  /** Whether everything that was asked is known, so that nothing may still turn up. */
  readonly isComplete: () => boolean
}

interface Known {
  readonly present: Map<string, Presence | undefined>
  readonly entries: Map<string, ReadonlyArray<Entry> | undefined>
  readonly texts: Map<string, InstructionText | undefined>
}

const addAll = <A>(into: Map<string, A>, more: ReadonlyMap<string, A>): void => {
  for (const [key, value] of more) into.set(key, value)
}

/** An answer that did not come counts as nothing, so that no search waits twice for the same. */
const take = (known: Known, { present, entries, bytes }: Wants, answers: Answers): void => {
  for (const path of present) known.present.set(path, undefined)
  for (const { realPath } of entries) known.entries.set(realPath, undefined)
  for (const { realPath } of bytes) known.texts.set(realPath, undefined)
  addAll(known.present, answers.present)
  addAll(known.entries, answers.entries)
  for (const [path, found] of answers.bytes) {
    known.texts.set(path, found === undefined ? undefined : readInstructionBytes(found))
  }
}

const makeWorld = (known: Known) => {
  const asked = { present: new Set<string>(), entries: new Map<string, Presence>(), bytes: new Map<string, Presence>() }
  const isComplete = (): boolean => asked.present.size + asked.entries.size + asked.bytes.size === 0
  const world: World = {
    present: (path) => {
      if (!known.present.has(path)) asked.present.add(path)
      return known.present.get(path)
    },
    entries: (directory) => {
      if (!known.entries.has(directory.realPath)) asked.entries.set(directory.realPath, directory)
      return known.entries.get(directory.realPath)
    },
    text: (file) => {
      if (known.texts.has(file.realPath)) return known.texts.get(file.realPath) ?? "NoText"
      asked.bytes.set(file.realPath, file)
      return "Unread"
    },
    isComplete
  }
  return { world, asked, isComplete }
}

/**
 * Looks with what is known and asks for what is missing, until nothing is. Each look starts over, so the order in which
 * answers come has no influence.
 */
export const search = (look: (world: World) => Found): Step => {
  const known: Known = { present: new Map(), entries: new Map(), texts: new Map() }
  const advance = (): Step => {
    const { world, asked, isComplete } = makeWorld(known)
    const found = look(world)
    if (isComplete()) return { _tag: "Done", ...found }
    const wants: Wants = {
      _tag: "Wants",
      present: [...asked.present],
      entries: [...asked.entries.values()],
      bytes: [...asked.bytes.values()],
      next: (answers) => {
        take(known, wants, answers)
        return advance()
      }
    }
    return wants
  }
  return advance()
}
