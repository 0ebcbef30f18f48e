/** Facts about paths, gathered before each confined command. Synchronous: it is a few hundred cached look-ups. */
import { type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, type Stats } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { matchesGlob } from "../../core/sandbox/absolute-glob.ts"
import {
  deniedReads,
  deniedWrites,
  INNER_GIT_HOLES,
  isHoleName,
  pathsToLookAt,
  type Place,
  type PlaceKind,
  type Repository,
  type SandboxFacts,
  type SandboxRequest
} from "../../core/sandbox/places.ts"

/** How far below a working directory protected names are looked for, and in how many directories. */
const DEPTH = 3
const MOST_DIRECTORIES = 400
const UNSEARCHED = new Set(["node_modules", ".git"])

const statOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const kindOf = (stats: Stats): PlaceKind => {
  if (stats.isSymbolicLink()) return "link"
  if (stats.isDirectory()) return "directory"
  return stats.isFile() ? "file" : "other"
}

const realOrSelf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Of a path that does not exist: its first missing component, the ones before it followed. */
const firstMissing = (path: string): string => {
  const parent = dirname(path)
  if (statOf(parent) === undefined && parent !== path) return firstMissing(parent)
  return join(realOrSelf(parent), basename(path))
}

/** `isPlaceholder` knows what only stands in for something missing. */
export const lookAt = (path: string, isPlaceholder: (path: string, stats: Stats) => boolean): Place => {
  const stats = statOf(path)
  if (stats === undefined || isPlaceholder(path, stats)) return { path, kind: "missing", realPath: firstMissing(path) }
  return { path, kind: kindOf(stats), realPath: realOrSelf(path) }
}

const entriesOf = (directory: string): ReadonlyArray<Dirent> => {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Existing entries below the directories that the plan must close, nearest first. */
const search = (
  roots: ReadonlyArray<string>,
  isWanted: (path: string, name: string) => boolean
): ReadonlyArray<string> => {
  const found: Array<string> = []
  const queue = roots.map((path) => ({ path, depth: 0 }))
  for (let at = 0; at < queue.length && at < MOST_DIRECTORIES; at++) {
    const { path, depth } = queue[at] ?? { path: "/", depth: DEPTH }
    for (const entry of entriesOf(path)) {
      const inner = join(path, entry.name)
      if (isWanted(inner, entry.name)) found.push(inner)
      else if (entry.name === ".git" && depth > 0) found.push(...INNER_GIT_HOLES.map((name) => join(inner, name)))
      else if (entry.isDirectory() && depth < DEPTH && !UNSEARCHED.has(entry.name)) {
        queue.push({ path: inner, depth: depth + 1 })
      }
    }
  }
  return found
}

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8").trim()
  } catch {
    return undefined
  }
}

const isGitDirectory = (path: string): boolean =>
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

const repositoryAt = (directory: string): Repository | undefined => {
  const dotGit = join(directory, ".git")
  const stats = statOf(dotGit)
  if (stats === undefined) return undefined
  const commonDir = stats.isFile() ? linkedCommonDir(dotGit) : isGitDirectory(dotGit) ? realOrSelf(dotGit) : undefined
  return commonDir === undefined
    ? undefined
    : {
        workTree: directory,
        commonDir,
        inner: [...directoriesIn(join(commonDir, "modules")), ...directoriesIn(join(commonDir, "worktrees"))]
      }
}

/** The repository a directory belongs to, which may begin further up. */
const enclosing = (directory: string): ReadonlyArray<Repository> => {
  const repository = repositoryAt(directory)
  if (repository !== undefined) return [repository]
  const parent = dirname(directory)
  return parent === directory ? [] : enclosing(parent)
}

const distinct = (repositories: ReadonlyArray<Repository>): ReadonlyArray<Repository> => [
  ...new Map(repositories.map((repository) => [repository.workTree, repository])).values()
]

const linkTarget = (path: string): string | undefined => {
  try {
    return resolve(dirname(path), readlinkSync(path))
  } catch {
    return undefined
  }
}

export const gatherFacts = (
  request: SandboxRequest,
  isPlaceholder: (path: string, stats: Stats) => boolean
): SandboxFacts => {
  const repositories = request.profile === "readonly" ? [] : distinct(request.workingDirs.flatMap(enclosing))
  const denials = [...deniedReads(request), ...deniedWrites(request)].filter((glob) => /[*?[{]/.test(glob))
  const found = search(
    request.workingDirs,
    (path, name) => isHoleName(name) || denials.some((glob) => matchesGlob(glob, path))
  )
  const look = (path: string): Place => lookAt(path, isPlaceholder)
  return {
    places: new Map(pathsToLookAt(request, repositories).map((path) => [path, look(path)])),
    found: found.filter((path) => linkTarget(path) === undefined).map(look).filter(({ kind }) => kind !== "missing"),
    repositories
  }
}
