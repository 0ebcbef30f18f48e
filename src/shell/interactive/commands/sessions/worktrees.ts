import { readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, isAbsolute, join, resolve } from "node:path"

/**
 * The directories of a repository's worktrees, read from its own files: no git process runs, because its configuration
 * may run programs.
 */

const textAt = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8").trim()
  } catch {
    return undefined
  }
}

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Where the repository keeps what its worktrees share. */
const sharedDirectory = (top: string): string | undefined => {
  const place = join(top, ".git")
  if (isDirectory(place)) return place
  const named = /^gitdir: (.+)$/.exec(textAt(place) ?? "")?.[1]
  if (named === undefined) return undefined
  const own = isAbsolute(named) ? named : resolve(top, named)
  const shared = textAt(join(own, "commondir"))
  return shared === undefined ? undefined : resolve(own, shared)
}

const topOf = (directory: string): string | undefined => {
  let top = directory
  while (textAt(join(top, ".git")) === undefined && !isDirectory(join(top, ".git"))) {
    const above = dirname(top)
    if (above === top) return undefined
    top = above
  }
  return top
}

const linkedTo = (shared: string): ReadonlyArray<string> => {
  const place = join(shared, "worktrees")
  try {
    return readdirSync(place).flatMap((name) => {
      const file = textAt(join(place, name, "gitdir"))
      return file === undefined ? [] : [dirname(isAbsolute(file) ? file : resolve(place, name, file))]
    })
  } catch {
    return []
  }
}

/** The directory itself first, then the same place in the other worktrees. */
export const worktreesOf = (directory: string): ReadonlyArray<string> => {
  const top = topOf(directory)
  const shared = top === undefined ? undefined : sharedDirectory(top)
  if (top === undefined || shared === undefined) return [directory]
  const inside = directory.slice(top.length)
  const tops = [dirname(shared), ...linkedTo(shared)]
  return [...new Set([directory, ...tops.map((each) => `${each}${inside}`)])]
}
