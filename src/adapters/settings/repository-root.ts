import { lstatSync, readFileSync, realpathSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { mainCheckout } from "../../core/trust/place.ts"

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

/** The nearest directory with `.git`; for a worktree its main checkout. Undefined outside a repository. */
export const repositoryRoot = (directory: string): string | undefined => {
  const dotGit = join(directory, ".git")
  const stat = lstatSync(dotGit, { throwIfNoEntry: false })
  if (stat?.isDirectory() === true) return directory
  if (stat?.isFile() === true) return mainOf(dotGit) ?? directory
  const parent = dirname(directory)
  return parent === directory ? undefined : repositoryRoot(parent)
}
