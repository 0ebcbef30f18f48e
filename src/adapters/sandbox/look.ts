/** Facts about paths, gathered before each confined command: what came to exist since the last one counts too. */
import type { Stats } from "node:fs"
import { literalPath } from "../../core/sandbox/absolute-glob.ts"
import {
  deniedReads,
  deniedWrites,
  guardedDirectories,
  holdsToken,
  maybeSecretFiles,
  pathsToLookAt,
  type Place,
  type SandboxFacts,
  type SandboxRequest,
  wantedRoots
} from "../../core/sandbox/guarded-paths.ts"
import { inspectPlace, onDisk, readText, realOrSelf } from "./file-facts.ts"
import { modulesOf, repositoriesOf } from "./git-places.ts"
import { searchDenials } from "./search-denials.ts"
import { searchNames } from "./search-names.ts"

const gitPlaces = (request: SandboxRequest) => {
  const repositories = request.profile === "readonly" ? [] : repositoriesOf(request.workingDirs.map(onDisk))
  const roots = guardedDirectories(request, wantedRoots(request, repositories))
  const names = searchNames([...new Set(roots.map((path) => realOrSelf(onDisk(path))))])
  const known = new Set(repositories.map(({ commonDir }) => commonDir))
  const below = names.gitDirectories.filter((path) => !known.has(path))
  const nested = [...below, ...[...known, ...below].flatMap((path) => modulesOf(path))]
  return { repositories, nested: [...new Set(nested)], names: names.paths }
}

export const gatherFacts = async (
  request: SandboxRequest,
  isPlaceholder: (path: string, stats: Stats) => boolean
): Promise<SandboxFacts> => {
  const { names, ...git } = gitPlaces(request)
  const wild = [...deniedReads(request), ...deniedWrites(request)].filter((glob) => literalPath(glob) === undefined)
  const denials = await searchDenials([...new Set(wild)])
  const look = (path: string): Place => inspectPlace(path, isPlaceholder)
  return {
    ...git,
    places: new Map(pathsToLookAt(request, git).map((path) => [path, look(path)])),
    found: [...new Set([...names, ...denials.paths])].map(look).filter(({ kind }) => kind !== "missing" && kind !== "link"),
    secretFiles: maybeSecretFiles(request).filter((path) => holdsToken(readText(onDisk(path)) ?? "")),
    unsearched: denials.unsearched
  }
}
