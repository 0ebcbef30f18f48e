import { lstatSync, readdirSync, realpathSync, type Stats } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { PLACEHOLDER_MODE } from "../../core/sandbox/platform/placeholder.ts"
import type { LinkedWorktree, CheckoutFacts } from "../../core/settings/trust/trusted-folder.ts"
import { readSmallFile } from "./small-file.ts"

/** The longest path that one of git's one-line files is believed to name. */
const LINE_BYTES = 8_192

const realOf = (path: string): string | undefined => {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

const kindOf = (dotGit: string): "directory" | "file" | "link" | undefined => {
  const stat = lstatSync(dotGit, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  return stat.isDirectory() ? "directory" : stat.isFile() ? "file" : "link"
}

/** Where a `.git` file says that the repository keeps its state. */
export const namedGitDir = (dotGit: string): string | undefined => {
  const named = /^gitdir: (.+)$/m.exec(readSmallFile(dotGit, LINE_BYTES) ?? "")?.[1]
  return named === undefined ? undefined : resolve(dirname(dotGit), named.trim())
}

const linkedIn = (dotGit: string): LinkedWorktree | undefined => {
  const named = namedGitDir(dotGit)
  const gitDir = named === undefined ? undefined : realOf(named)
  if (gitDir === undefined) return undefined
  const listed = readSmallFile(join(gitDir, "gitdir"), LINE_BYTES)?.trim()
  return { gitDir, listed: listed === undefined || listed === "" ? undefined : realOf(resolve(gitDir, listed)) }
}

/** What only stands there so that no sandboxed command makes a repository. */
const isStandIn = (dotGit: string, stat: Stats): boolean =>
  stat.isDirectory() && (stat.mode & 0o777) === PLACEHOLDER_MODE && readdirSync(dotGit).length === 0

/** The nearest `.git` at or above a directory. */
export const findDotGit = (directory: string): string | undefined => {
  const candidate = join(directory, ".git")
  const stat = lstatSync(candidate, { throwIfNoEntry: false })
  if (stat !== undefined && !isStandIn(candidate, stat)) return candidate
  const parent = dirname(directory)
  return parent === directory ? undefined : findDotGit(parent)
}

/** The repository around a directory (a real path), as its files tell. */
export const checkoutOf = (directory: string): CheckoutFacts | undefined => {
  const dotGit = findDotGit(directory)
  if (dotGit === undefined) return undefined
  const linked = kindOf(dotGit) === "file" ? linkedIn(dotGit) : undefined
  return { root: dirname(dotGit), ...(linked === undefined ? {} : { linked }) }
}
