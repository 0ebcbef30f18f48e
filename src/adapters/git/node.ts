import { statSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { Layer } from "effect"
import { Git, type GitFacts } from "../../core/ports/Git.ts"
import { checkoutOf, findDotGit, namedGitDir } from "./checkout.ts"
import { configurationOf } from "./configuration.ts"
import { readSmallFile } from "./small-file.ts"
import { mayBeTracked, trackedPaths } from "./tracked.ts"

/** Where the repository keeps its state: a `.git` directory, or the place a `.git` file names (worktrees). */
const gitDirOf = (dotGit: string): string | undefined => (statSync(dotGit).isDirectory() ? dotGit : namedGitDir(dotGit))

const HEAD_BYTES = 4_096

const branchOf = (gitDir: string): string | undefined => {
  const head = readSmallFile(join(gitDir, "HEAD"), HEAD_BYTES)?.trim() ?? ""
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1]
  return branch ?? (/^[0-9a-f]{7,64}$/.test(head) ? "HEAD" : undefined)
}

const factsOf = (directory: string): GitFacts => {
  try {
    const dotGit = findDotGit(directory)
    const gitDir = dotGit === undefined ? undefined : gitDirOf(dotGit)
    if (dotGit === undefined || gitDir === undefined) return { isRepository: false }
    const branch = branchOf(gitDir)
    return { isRepository: true, ...(branch === undefined ? {} : { branch }) }
  } catch {
    return { isRepository: false }
  }
}

const isTracked = (file: string): boolean => {
  try {
    const dotGit = findDotGit(dirname(file))
    if (dotGit === undefined) return false
    const gitDir = gitDirOf(dotGit)
    return gitDir === undefined || mayBeTracked(gitDir, relative(dirname(dotGit), file))
  } catch {
    return true
  }
}

const trackedFiles = (directory: string): ReadonlyArray<string> | undefined => {
  try {
    const isDirectory = statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true
    const dotGit = findDotGit(isDirectory ? directory : dirname(directory))
    if (dotGit === undefined) return []
    const gitDir = gitDirOf(dotGit)
    const root = dirname(dotGit)
    return gitDir === undefined ? undefined : trackedPaths(gitDir)?.map((path) => join(root, path))
  } catch {
    return undefined
  }
}

export const layer: Layer.Layer<Git> = Layer.succeed(Git, {
  facts: factsOf,
  configuration: configurationOf,
  checkout: checkoutOf,
  isTracked,
  trackedFiles
})
