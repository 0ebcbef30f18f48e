import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { Layer } from "effect"
import { Git, type GitFacts } from "../../core/ports/Git.ts"
import { configurationOf } from "./configuration.ts"

/** Where the repository keeps its state: a `.git` directory, or the place a `.git` file names (worktrees). */
const gitDirOf = (dotGit: string): string | undefined => {
  if (statSync(dotGit).isDirectory()) return dotGit
  const named = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, "utf8"))?.[1]
  return named === undefined ? undefined : resolve(dirname(dotGit), named.trim())
}

const findDotGit = (directory: string): string | undefined => {
  const candidate = join(directory, ".git")
  if (existsSync(candidate)) return candidate
  const parent = dirname(directory)
  return parent === directory ? undefined : findDotGit(parent)
}

const HEAD_BYTES = 4_096

const branchOf = (gitDir: string): string | undefined => {
  const head = readFileSync(join(gitDir, "HEAD"), "utf8").slice(0, HEAD_BYTES).trim()
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

export const layer: Layer.Layer<Git> = Layer.succeed(Git, { facts: factsOf, configuration: configurationOf })
