import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { PLACEHOLDER_MODE } from "../../core/sandbox/platform/placeholder.ts"
import { mainCheckout } from "../../core/settings/trust/trusted-folder.ts"

/** The main checkout of a repository, found by reading files as data. */

const SMALL_FILE_BYTES = 4_096

const smallFile = (path: string): string | undefined => {
  try {
    const stat = lstatSync(path)
    return stat.isFile() && stat.size <= SMALL_FILE_BYTES ? readFileSync(path, "utf8").trim() : undefined
  } catch {
    return undefined
  }
}

const real = (path: string): string | undefined => {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/**
 * A worktree's `.git` file names a directory in the main repository. It is believed only if that directory names the
 * worktree in turn: anybody can write a `.git` file, but not into a repository of ours.
 */
const mainOf = (dotGit: string): string | undefined => {
  const named = /^gitdir: (.+)$/.exec(smallFile(dotGit) ?? "")?.[1]
  if (named === undefined) return undefined
  const gitDir = real(resolve(dirname(dotGit), named))
  if (gitDir === undefined) return undefined
  const answer = smallFile(join(gitDir, "gitdir"))
  return mainCheckout({
    root: dirname(dotGit),
    linked: { gitDir, listed: answer === undefined ? undefined : real(resolve(gitDir, answer)) }
  })
}

/** What only stands there so that no sandboxed command makes a repository. */
export const isStandIn = (path: string, { mode }: Stats): boolean =>
  (mode & 0o777) === PLACEHOLDER_MODE && readdirSync(path).length === 0

/** The nearest directory with `.git`; for a worktree its main checkout. Undefined outside a repository. */
export const repositoryRoot = (directory: string): string | undefined => {
  const dotGit = join(directory, ".git")
  const stat = lstatSync(dotGit, { throwIfNoEntry: false })
  if (stat?.isDirectory() === true && !isStandIn(dotGit, stat)) return directory
  if (stat?.isFile() === true) return mainOf(dotGit) ?? directory
  const parent = dirname(directory)
  return parent === directory ? undefined : repositoryRoot(parent)
}
