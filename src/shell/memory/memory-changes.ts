import { existsSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { Effect } from "effect"
import type { Env } from "../../core/domain/env.ts"
import { isInside } from "../../core/domain/path/path-components.ts"
import { redactText } from "../../core/domain/secrets/redact.ts"
import type { MemoryPlace } from "../../core/context/memory/directory.ts"
import type { UndoableChange, NotePlace } from "../../core/context/memory/look.ts"
import { entriesFor, INDEX, withLines, withoutEntry } from "../../core/context/memory/memory-index.ts"
import { withNote, withoutNote } from "../../core/context/memory/note-line.ts"
import { Memory, type MemoryError } from "../../core/ports/Memory.ts"
import { linkTarget } from "../../adapters/system/replace-file.ts"
import { runGit } from "../system/run-git.ts"
import { readIfThere, writeWhole } from "../system/private-file.ts"
import { realOr } from "../trust/read-folder.ts"

/** What users do to memory and instruction files, and how it is undone. */
export interface NoteFacts {
  readonly cwd: string
  readonly configHome: string
  readonly memory: MemoryPlace
}

const LOCAL = "CLAUDE.local.md"
const SHARED_MODE = 0o644

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The file that a note goes to. */
const pathOf = (place: NotePlace, { cwd, configHome, memory }: NoteFacts): string => {
  if (place === "memory") {
    if (memory._tag === "Off") throw new Error(`memory is off (${memory.why}). Fix: /memory on, or choose another file`)
    return join(memory.path, INDEX)
  }
  if (place === "user") return join(configHome, "CLAUDE.md")
  if (place === "local") return join(cwd, LOCAL)
  const agents = join(cwd, "AGENTS.md")
  const own = join(cwd, "CLAUDE.md")
  return !existsSync(own) && existsSync(agents) ? agents : own
}

/** A folder must not choose which file outside of it is written. */
const refuseLeadingOut = (path: string, cwd: string): void => {
  const target = linkTarget(path)
  if (isInside(cwd, path) && !isInside(realOr(cwd), target)) {
    throw new Error(`${path} is a link to ${target}, outside of the folder. Fix: edit that file yourself`)
  }
}

export interface Noted {
  readonly change: Extract<UndoableChange, { readonly _tag: "Noted" }>
  /** Something in it looked like a secret and was left out. */
  readonly isRedacted: boolean
}

/** Writes a line down where the model will read it. */
export const writeNote = (place: NotePlace, said: string, facts: NoteFacts): Noted => {
  const path = pathOf(place, facts)
  refuseLeadingOut(path, facts.cwd)
  const text = redactText(said.trim(), { secrets: [] })
  const before = readIfThere(path)
  writeWhole(path, withNote(before ?? "", text), place === "project" ? SHARED_MODE : undefined)
  return { change: { _tag: "Noted", path, text, isNew: before === undefined }, isRedacted: text !== said.trim() }
}

/** A file of one's own must not be committed by accident. */
export const keepOutOfGit = async (cwd: string, env: Env): Promise<void> => {
  const git = { directory: cwd, env }
  const succeeds = (args: ReadonlyArray<string>): Promise<boolean> =>
    runGit({ ...git, args }).then(
      () => true,
      () => false
    )
  if (!(await succeeds(["rev-parse", "--git-dir"])) || (await succeeds(["check-ignore", "--quiet", LOCAL]))) return
  const named = await runGit({ ...git, args: ["rev-parse", "--git-path", "info/exclude"] })
  const exclude = resolve(cwd, named.toString("utf8").trim())
  const known = readIfThere(exclude) ?? ""
  writeWhole(exclude, `${known}${known === "" || known.endsWith("\n") ? "" : "\n"}${LOCAL}\n`, SHARED_MODE)
}

const takeNoteBack = ({ path, text, isNew }: Extract<UndoableChange, { readonly _tag: "Noted" }>): string => {
  const left = withoutNote(readIfThere(path) ?? "", text)
  if (left === undefined) throw new Error(`the line is not in ${path} any more`)
  if (left === "" && isNew) rmSync(path, { force: true })
  else writeWhole(path, left)
  return `the line is gone from ${path}`
}

/** Away with a file of the memory and what the index says about it. Undefined: it is gone already. */
export const deleteMemory = (
  directory: string,
  name: string
): Effect.Effect<UndoableChange | undefined, MemoryError, Memory> =>
  Effect.gen(function* () {
    const store = (yield* Memory).at(directory)
    const id = yield* store.trash(name)
    if (id === undefined) return undefined
    const index = name === INDEX ? undefined : yield* store.read(INDEX)
    const entries = index === undefined ? [] : entriesFor(index.text, name)
    if (entries.length > 0) yield* store.change(INDEX, (text) => withoutEntry(text, name))
    return { _tag: "Deleted", directory, name, id, entries } as const
  })

/** What is said when it is undone. A text says why it is not. */
export const undoChange = (change: UndoableChange): Effect.Effect<string, string, Memory> => {
  if (change._tag === "Noted") return Effect.try({ try: () => takeNoteBack(change), catch: messageOf })
  const { directory, entries, id } = change
  return Effect.gen(function* () {
    const store = (yield* Memory).at(directory)
    const name = yield* store.restore(id)
    if (entries.length > 0) yield* store.change(INDEX, (text) => withLines(text, entries))
    return `${name} is back`
  }).pipe(Effect.mapError(({ message }) => message))
}

/** What the running conversation hears about a note. */
export const noteReminder = ({ path, text }: Noted["change"]): string =>
  `<system-reminder>\nThe user added this to ${path}: ${text}\n</system-reminder>`
