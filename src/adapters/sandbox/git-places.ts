/** Git directories, found by looking at files: git itself is not asked, because it would act on what it finds. */
import { dirname, join, resolve } from "node:path"
import type { Repository } from "../../core/sandbox/guarded-paths.ts"
import { entriesOf, readText, realOrSelf, statOf } from "./file-facts.ts"

/** Names of sub-modules may have slashes, and sub-modules may have their own. */
const MODULE_DEPTH = 6

export const isGitDirectory = (path: string): boolean =>
  statOf(join(path, "HEAD")) !== undefined &&
  ["objects", "refs"].every((name) => statOf(join(path, name))?.isDirectory() === true)

/** A linked work tree counts only if the git directory it names points back: a planted file must open nothing. */
const linkedCommonDir = (dotGit: string): string | undefined => {
  const named = /^gitdir: (.+)$/.exec(readText(dotGit) ?? "")?.[1]
  if (named === undefined) return undefined
  const gitDir = resolve(dirname(dotGit), named)
  const back = readText(join(gitDir, "gitdir"))
  const common = readText(join(gitDir, "commondir"))
  if (back === undefined || common === undefined || realOrSelf(back) !== realOrSelf(dotGit)) return undefined
  const commonDir = realOrSelf(resolve(gitDir, common))
  return isGitDirectory(commonDir) ? commonDir : undefined
}

const directoriesIn = (path: string): ReadonlyArray<string> =>
  entriesOf(path).flatMap((entry) => (entry.isDirectory() ? [join(path, entry.name)] : []))

/** The git directories of sub-modules, at any depth below `modules` of a git directory. */
export const modulesOf = (gitDirectory: string, depth = 0): ReadonlyArray<string> => {
  const below = (directory: string, level: number): ReadonlyArray<string> =>
    directoriesIn(directory).flatMap((path) => {
      if (isGitDirectory(path)) return [path, ...modulesOf(path, level + 1)]
      return level < MODULE_DEPTH ? below(path, level + 1) : []
    })
  return depth > MODULE_DEPTH ? [] : below(join(gitDirectory, "modules"), depth)
}

const repositoryAt = (directory: string): Repository | undefined => {
  const dotGit = join(directory, ".git")
  const stats = statOf(dotGit)
  if (stats === undefined) return undefined
  const commonDir = stats.isFile() ? linkedCommonDir(dotGit) : isGitDirectory(dotGit) ? realOrSelf(dotGit) : undefined
  return commonDir === undefined
    ? undefined
    : { workTree: directory, commonDir, linked: directoriesIn(join(commonDir, "worktrees")) }
}

/** The repository a directory belongs to, which may begin further up. */
const enclosing = (directory: string): ReadonlyArray<Repository> => {
  const repository = repositoryAt(directory)
  if (repository !== undefined) return [repository]
  const parent = dirname(directory)
  return parent === directory ? [] : enclosing(parent)
}

export const repositoriesOf = (directories: ReadonlyArray<string>): ReadonlyArray<Repository> => [
  ...new Map(directories.flatMap(enclosing).map((repository) => [repository.workTree, repository])).values()
]
