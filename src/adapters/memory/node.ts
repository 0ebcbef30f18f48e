import { createHash, randomBytes } from "node:crypto"
import { isUtf8 } from "node:buffer"
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, type Stats } from "node:fs"
import { dirname, join } from "node:path"
import { Effect, Layer } from "effect"
import { isMemoryFile } from "../../core/context/memory/memory-file.ts"
import { Memory, type MemoryEntry, MemoryError, type MemoryFile, type MemoryStore } from "../../core/ports/Memory.ts"
import { FileChanged, OWNER_ONLY, replaceFile } from "../system/replace-file.ts"

/** The port over a directory of Markdown files. */

const DIRECTORY_MODE = 0o700
const FILE_BYTES = 1024 * 1024
/** Deleted files can be brought back for so long. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000
const TRASH = ".trash"
const TRIES = 5

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const refused = (message: string): MemoryError => new MemoryError({ kind: "refused", message })

const stale = (path: string): MemoryError =>
  new MemoryError({ kind: "stale", message: `${path} was changed meanwhile. Fix: read it again` })

const asError = (directory: string, error: unknown): MemoryError => {
  if (error instanceof MemoryError) return error
  const why = error instanceof Error ? error.message : String(error)
  return new MemoryError({ kind: "other", message: `the memory in ${directory} cannot be used (${why})` })
}

const statOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })

/** A link could lead anywhere; whoever put it there must not choose what is read or written. */
const checkDirectory = (directory: string): boolean => {
  const stat = statOf(directory)
  if (stat === undefined) return false
  if (!stat.isDirectory() || realpathSync(directory) !== directory) {
    throw refused(`${directory} is a link or no directory. Fix: make it a directory of its own`)
  }
  return true
}

const place = (directory: string, name: string): string => {
  if (!isMemoryFile(name)) throw refused(`${name} cannot be the name of a memory file. Fix: use one like topic.md`)
  return join(directory, name)
}

interface Found extends MemoryFile {
  readonly stat: Stats
}

const find = (directory: string, name: string): Found | undefined => {
  const path = place(directory, name)
  const stat = checkDirectory(directory) ? statOf(path) : undefined
  if (stat === undefined) return undefined
  if (!stat.isFile()) throw refused(`${path} is a link or no file. Fix: make it a file`)
  if (stat.size > FILE_BYTES) {
    throw new MemoryError({ kind: "tooLarge", message: `${path} is larger than 1 MiB. Fix: make it smaller` })
  }
  const bytes = readFileSync(path)
  if (!isUtf8(bytes)) throw refused(`${path} is not UTF-8 text. Fix: save it as UTF-8`)
  return { name, text: bytes.toString("utf8"), hash: hashOf(bytes), mtimeMs: stat.mtimeMs, stat }
}

const put = (directory: string, name: string, text: string, before: Found | undefined): void => {
  const path = place(directory, name)
  mkdirSync(directory, { recursive: true, mode: DIRECTORY_MODE })
  checkDirectory(directory)
  const isUnchanged = (): boolean => find(directory, name)?.hash === before?.hash
  try {
    replaceFile({ path, content: text, newMode: OWNER_ONLY, isUnchanged })
  } catch (error) {
    throw error instanceof FileChanged ? stale(path) : error
  }
}

const change = (directory: string, name: string, edit: (text: string) => string): void => {
  for (let left = TRIES; ; left--) {
    const before = find(directory, name)
    const text = edit(before?.text ?? "")
    if (text === (before?.text ?? "")) return
    try {
      return put(directory, name, text, before)
    } catch (error) {
      if (left <= 1 || !(error instanceof MemoryError) || error.kind !== "stale") throw error
    }
  }
}

const ID = /^(\d{1,16})-[0-9a-f]{8}-(.+)$/

const nameIn = (id: string): string | undefined => {
  const name = ID.exec(id)?.[2]
  return name !== undefined && isMemoryFile(name) ? name : undefined
}

const sweep = (trash: string, now: number): void => {
  for (const id of readdirSync(trash)) {
    const at = Number(ID.exec(id)?.[1] ?? Number.NaN)
    if (nameIn(id) !== undefined && now - at > KEPT_MS) rmSync(join(trash, id), { force: true })
  }
}

const moveAway = (directory: string, name: string, now: number): string | undefined => {
  if (find(directory, name) === undefined) return undefined
  const trash = join(directory, TRASH)
  mkdirSync(trash, { recursive: true, mode: DIRECTORY_MODE })
  checkDirectory(trash)
  sweep(trash, now)
  const id = `${now}-${randomBytes(4).toString("hex")}-${name}`
  renameSync(place(directory, name), join(trash, id))
  return id
}

const bringBack = (directory: string, id: string): string => {
  const name = nameIn(id)
  const from = join(directory, TRASH, id)
  if (name === undefined || !checkDirectory(dirname(from)) || statOf(from)?.isFile() !== true) {
    throw refused("that memory is not in the trash any more")
  }
  const path = place(directory, name)
  if (statOf(path) !== undefined) throw refused(`${path} exists again. Fix: move it away first`)
  renameSync(from, path)
  return name
}

const entriesIn = (directory: string): ReadonlyArray<MemoryEntry> =>
  checkDirectory(directory)
    ? readdirSync(directory)
        .filter(isMemoryFile)
        .sort()
        .flatMap((name) => {
          const stat = statOf(join(directory, name))
          return stat?.isFile() === true ? [{ name, bytes: stat.size, mtimeMs: stat.mtimeMs }] : []
        })
    : []

const storeAt = (directory: string): MemoryStore => {
  const attempt = <A>(work: () => A): Effect.Effect<A, MemoryError> =>
    Effect.try({ try: work, catch: (error) => asError(directory, error) })
  return {
    entries: attempt(() => entriesIn(directory)),
    read: (name) =>
      attempt(() => {
        const found = find(directory, name)
        if (found === undefined) return undefined
        const { stat: _stat, ...file } = found
        return file
      }),
    write: (name, text, expectedHash) =>
      attempt(() => {
        const before = find(directory, name)
        if ((before?.hash ?? null) !== expectedHash) throw stale(join(directory, name))
        put(directory, name, text, before)
      }),
    change: (name, edit) => attempt(() => change(directory, name, edit)),
    trash: (name) => Effect.clockWith((clock) => attempt(() => moveAway(directory, name, clock.currentTimeMillisUnsafe()))),
    restore: (id) => attempt(() => bringBack(directory, id))
  }
}

export const layer: Layer.Layer<Memory> = Layer.succeed(Memory, { at: storeAt })
