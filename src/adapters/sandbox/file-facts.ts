/** What the file system says about one path. Whatever cannot be looked at counts as missing. */
import { type Dirent, lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { Place, PlaceKind } from "../../core/sandbox/guarded-paths.ts"

const quietly = <A>(look: () => A): A | undefined => {
  try {
    return look()
  } catch {
    return undefined
  }
}

export const statOf = (path: string): Stats | undefined => quietly(() => lstatSync(path, { throwIfNoEntry: false }))

export const realOrSelf = (path: string): string => quietly(() => realpathSync(path)) ?? path

export const entriesOf = (directory: string): ReadonlyArray<Dirent> =>
  quietly(() => readdirSync(directory, { withFileTypes: true })) ?? []

export const readText = (path: string): string | undefined => quietly(() => readFileSync(path, "utf8").trim())

const kindOf = (stats: Stats | undefined): PlaceKind => {
  if (stats === undefined) return "missing"
  if (stats.isSymbolicLink()) return "link"
  if (stats.isDirectory()) return "directory"
  return stats.isFile() ? "file" : "other"
}

const isThere = (path: string): boolean => statOf(path) !== undefined

/**
 * The path as the disk spells it. Rules and settings may write an accented letter in one piece where a file name has
 * two, and the other way round; for them both are the same name.
 */
export const onDisk = (path: string): string => {
  if (/^[\u0000-\u007f]*$/.test(path) || isThere(path)) return path
  return path
    .split("/")
    .slice(1)
    .reduce((above, name) => {
      const spellings = [name, name.normalize("NFC"), name.normalize("NFD")].map((spelling) => `${above}/${spelling}`)
      return spellings.find(isThere) ?? `${above}/${name}`
    }, "")
}

/** Of a path that does not exist: its first missing component, the ones before it followed. */
const firstMissing = (path: string): string => {
  const parent = dirname(path)
  if (statOf(parent) === undefined && parent !== path) return firstMissing(parent)
  return join(realOrSelf(parent), basename(path))
}

/** `isPlaceholder` knows what only stands in for something missing. */
export const inspectPlace = (path: string, isPlaceholder: (path: string, stats: Stats) => boolean): Place => {
  const spelled = onDisk(path)
  const stats = statOf(spelled)
  if (stats === undefined || isPlaceholder(spelled, stats)) {
    return { path, kind: "missing", realPath: firstMissing(spelled) }
  }
  const place = { path, kind: kindOf(stats), realPath: realOrSelf(spelled) }
  return place.kind === "link" ? { ...place, leadsTo: kindOf(quietly(() => statSync(spelled))) } : place
}
