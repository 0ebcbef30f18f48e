import { readdirSync, readFileSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { readIndex } from "./index-entries.ts"
import { readSmallFile } from "./small-file.ts"

const MOST_INDEX_BYTES = 256 * 1024 * 1024
const VERSION_OFFSET = 4
const HEADER_BYTES = 12

/** Versions that spell every path out; a newer one leaves out what a path shares with the one before. */
const SPELT_OUT = new Set([2, 3])

/** Paths may stand in another file then. */
const hasSharedIndex = (gitDir: string): boolean => readdirSync(gitDir).some((name) => name.startsWith("sharedindex."))

/** There, one file goes by several names. */
const IGNORES_CASE = process.platform === "darwin" || process.platform === "win32"

const withoutCase = (bytes: Buffer): string => bytes.toString("latin1").toLowerCase()

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")

/**
 * Whether the index of a repository may hold a path (seen from its root). What cannot be told counts as held: it came
 * with the repository until the opposite is seen.
 */
export const mayBeTracked = (gitDir: string, path: string): boolean => {
  const file = join(gitDir, "index")
  try {
    const stat = statSync(file)
    if (!stat.isFile() || stat.size > MOST_INDEX_BYTES) return true
    const bytes = readFileSync(file)
    if (bytes.length < HEADER_BYTES || !SPELT_OUT.has(bytes.readUInt32BE(VERSION_OFFSET))) return true
    if (hasSharedIndex(gitDir)) return true
    if (bytes.includes(`${path}\0`)) return true
    return IGNORES_CASE && withoutCase(bytes).includes(`${withoutCase(Buffer.from(path))}\0`)
  } catch (error) {
    return !isAbsent(error)
  }
}

const SHA256 = /^\s*objectformat\s*=\s*sha256\s*$/im
const MOST_CONFIG_BYTES = 64 * 1024

/** Linked worktrees share the configuration of the main one. */
const hasLongHashes = (gitDir: string): boolean => {
  const common = readSmallFile(join(gitDir, "commondir"), MOST_CONFIG_BYTES)?.trim() ?? "."
  return SHA256.test(readSmallFile(join(resolve(gitDir, common), "config"), MOST_CONFIG_BYTES) ?? "")
}

/** Every path in the index, seen from the root; undefined when it cannot be read completely. */
export const trackedPaths = (gitDir: string): ReadonlyArray<string> | undefined => {
  try {
    const file = join(gitDir, "index")
    const stat = statSync(file)
    if (!stat.isFile() || stat.size > MOST_INDEX_BYTES) return undefined
    const isLongHash = hasLongHashes(gitDir)
    const found: Array<string> = []
    const isWhole = readIndex(readFileSync(file), isLongHash ? 32 : 20, ({ path }) => found.push(path.toString("utf8")))
    return isWhole ? found : undefined
  } catch (error) {
    return isAbsent(error) ? [] : undefined
  }
}
