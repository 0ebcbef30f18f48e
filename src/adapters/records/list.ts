import { lstat, open, readdir, type FileHandle } from "node:fs/promises"
import path from "node:path"
import type { Lookup } from "../../core/ports/Records.ts"
import { rowOf, type Glimpse, type SessionFile, type SessionRow } from "../../core/session/row.ts"
import { isSessionId, mayHold, projectSlug } from "../../core/session/slug.ts"
import { parseLine } from "./jsonl.ts"
import { realDirectory, type Places } from "./paths.ts"

/** Which sessions there are, from names, facts and the two ends of each file. */
const GLIMPSE_BYTES = 64 * 1024
const SUFFIX = ".jsonl"
/** Files opened at a time. */
const PARALLEL = 16

const namesIn = (directory: string): Promise<ReadonlyArray<string>> => readdir(directory).catch(() => [])

/** Facts of a transcript; null for links, directories and what is gone. */
const sessionFileAt = async (place: string): Promise<SessionFile | null> => {
  const stats = await lstat(place).catch(() => null)
  if (stats === null || !stats.isFile()) return null
  return { path: place, sessionId: path.basename(place, SUFFIX), size: stats.size, modifiedMs: stats.mtimeMs }
}

const present = <A>(items: ReadonlyArray<A | null>): ReadonlyArray<A> =>
  items.filter((item): item is A & {} => item !== null)

const textAt = async (file: FileHandle, position: number, length: number): Promise<string> => {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position)
  return buffer.toString("utf8", 0, bytesRead)
}

const withoutMark = (line: string): string => (line.startsWith("\uFEFF") ? line.slice(1) : line)

const valuesIn = (lines: ReadonlyArray<string>): ReadonlyArray<unknown> =>
  lines.map((line) => parseLine(withoutMark(line))).filter((value) => value !== undefined)

const glimpseOf = async (file: FileHandle, size: number): Promise<Glimpse> => {
  if (size <= 2 * GLIMPSE_BYTES) {
    return { head: valuesIn((await textAt(file, 0, size)).split("\n")), tail: [], whole: true }
  }
  const head = (await textAt(file, 0, GLIMPSE_BYTES)).split("\n")
  const tail = (await textAt(file, size - GLIMPSE_BYTES, GLIMPSE_BYTES)).split("\n")
  return { head: valuesIn(head.slice(0, -1)), tail: valuesIn(tail.slice(1)), whole: false }
}

export const readRow = async (file: SessionFile): Promise<SessionRow> => {
  const handle = await open(file.path, "r")
  try {
    return rowOf(file, await glimpseOf(handle, file.size))
  } finally {
    await handle.close()
  }
}

const readRows = async (files: ReadonlyArray<SessionFile>): Promise<ReadonlyArray<SessionRow>> => {
  const rows: Array<SessionRow | null> = []
  for (let from = 0; from < files.length; from += PARALLEL) {
    const part = files.slice(from, from + PARALLEL)
    rows.push(...(await Promise.all(part.map((file) => readRow(file).catch(() => null)))))
  }
  return present(rows)
}

const isInside = (directory: string, place: string | null): boolean =>
  place === directory || (place?.startsWith(`${directory}${path.sep}`) ?? false)

/** Project directories of a working directory, and whether the sessions inside must confirm that they belong. */
const projectDirectories = async (places: Places, directory: string) => {
  if (places.projectDirName !== null) return [{ place: path.join(places.projects, places.projectDirName), ask: false }]
  const own = projectSlug(directory)
  if (mayHold(own, directory) === "yes") return [{ place: path.join(places.projects, own), ask: false }]
  const names = await namesIn(places.projects)
  return names
    .filter((name) => mayHold(name, directory) === "ask-inside")
    .map((name) => ({ place: path.join(places.projects, name), ask: true }))
}

const isTranscriptName = (name: string): boolean => name.endsWith(SUFFIX) && isSessionId(path.basename(name, SUFFIX))

const filesIn = async (place: string): Promise<ReadonlyArray<SessionFile>> => {
  const names = (await namesIn(place)).filter(isTranscriptName)
  return present(await Promise.all(names.map((name) => sessionFileAt(path.join(place, name)))))
}

const confirmed = async (files: ReadonlyArray<SessionFile>, directory: string): Promise<ReadonlyArray<SessionFile>> => {
  const rows = await readRows(files)
  const own = new Set(rows.filter((row) => isInside(directory, row.cwd)).map((row) => row.path))
  return files.filter((file) => own.has(file.path))
}

const filesOf = async (places: Places, directory: string): Promise<ReadonlyArray<SessionFile>> => {
  const parts = (await projectDirectories(places, directory)).map(async ({ place, ask }) => {
    const files = await filesIn(place)
    return ask ? confirmed(files, directory) : files
  })
  return (await Promise.all(parts)).flat()
}

const newestFirst = (files: ReadonlyArray<SessionFile>): ReadonlyArray<SessionFile> =>
  [...new Map(files.map((file) => [file.path, file])).values()].sort(
    (left, right) => right.modifiedMs - left.modifiedMs || (left.path < right.path ? -1 : 1)
  )

export const listFiles = async (places: Places, directories: ReadonlyArray<string>): Promise<ReadonlyArray<SessionFile>> => {
  const lists = await Promise.all(directories.map((directory) => filesOf(places, realDirectory(directory))))
  return newestFirst(lists.flat())
}

/** Different directories can share a name (`/a/b-c` and `/a-b/c`); the line's own `cwd` tells them apart. */
const belongsTo = (row: SessionRow, directories: ReadonlySet<string>): boolean =>
  row.cwd === null ||
  directories.has(row.cwd) ||
  ![...directories].some((directory) => projectSlug(directory) === projectSlug(row.cwd ?? ""))

export const listRows = async (places: Places, directories: ReadonlyArray<string>): Promise<ReadonlyArray<SessionRow>> => {
  const real = new Set(directories.map(realDirectory))
  const rows = await readRows(await listFiles(places, directories))
  return rows.filter((row) => belongsTo(row, real))
}

export const newestRow = async (
  places: Places,
  directory: string,
  accepts: (row: SessionRow) => boolean
): Promise<SessionRow | null> => {
  const real = new Set([realDirectory(directory)])
  for (const file of await listFiles(places, [directory])) {
    const row = await readRow(file).catch(() => null)
    if (row !== null && belongsTo(row, real) && accepts(row)) return row
  }
  return null
}

const lookupIn = async (directories: ReadonlyArray<string>, sessionId: string): Promise<Lookup> => {
  const paths = new Set(directories.map((directory) => path.join(directory, `${sessionId}${SUFFIX}`)))
  const files = present(await Promise.all([...paths].map(sessionFileAt)))
  const [file] = files
  if (file === undefined) return { _tag: "Missing" }
  return files.length === 1 ? { _tag: "Found", file } : { _tag: "Ambiguous", paths: files.map((holder) => holder.path) }
}

export const findSession = async (places: Places, sessionId: string, near: ReadonlyArray<string>): Promise<Lookup> => {
  if (!isSessionId(sessionId)) return { _tag: "Missing" }
  const owned = await Promise.all(near.map((directory) => projectDirectories(places, realDirectory(directory))))
  const here = await lookupIn(
    owned.flat().map(({ place }) => place),
    sessionId
  )
  if (here._tag !== "Missing") return here
  const everywhere = (await namesIn(places.projects)).map((name) => path.join(places.projects, name))
  return lookupIn(everywhere, sessionId)
}

/** A transcript named by the user. Its id is in its name or, for a renamed file, in its lines. */
export const transcriptAt = async (place: string): Promise<SessionFile | null> => {
  const file = await sessionFileAt(path.resolve(place))
  if (file === null || isSessionId(file.sessionId)) return file
  const handle = await open(file.path, "r")
  try {
    const { head } = await glimpseOf(handle, file.size)
    const named = head.flatMap((value) => {
      const id = typeof value === "object" && value !== null && "sessionId" in value ? value.sessionId : null
      return typeof id === "string" ? [id] : []
    })
    return { ...file, sessionId: named[0] ?? file.sessionId }
  } finally {
    await handle.close()
  }
}
