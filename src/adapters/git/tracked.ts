import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

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
