/** What a confined command may write, read and reach. Pure: the same request and facts give the same plan. */
import { matchesGlob } from "./absolute-glob.ts"
import { NO_NETWORK, type NetworkPolicy } from "./network.ts"
import { isInside, isInsideAny, parentOf, resolvePath } from "../domain/path/path-components.ts"
import { protectedClass } from "../permission/rules/sensitive-paths.ts"
import {
  BARE_HOLES,
  credentialPaths,
  deniedReads,
  deniedWrites,
  GIT_HOLES,
  guardedDirectories,
  HOLE_NAMES,
  inDirectory,
  isMaskedIn,
  LINKED_GIT_HOLES,
  literalDenials,
  type Place,
  type PlaceKind,
  type SandboxFacts,
  type SandboxRequest,
  wantedRoots
} from "./guarded-paths.ts"

export interface Target {
  readonly path: string
  readonly kind: "file" | "directory"
}

export interface SandboxPlan {
  /** May be written, except for what follows. */
  readonly writable: ReadonlyArray<string>
  /** Stay as they are: they exist and cannot be changed, removed or replaced. */
  readonly holes: ReadonlyArray<Target>
  /** Do not exist and cannot be created. */
  readonly masked: ReadonlyArray<string>
  /** Directories above holes that cannot be moved away, so that nothing takes the hole's place. */
  readonly pinned: ReadonlyArray<string>
  /** Cannot be read. */
  readonly hidden: ReadonlyArray<Target>
  /** Can be read although they lie in something hidden. */
  readonly shown: ReadonlyArray<Target>
  readonly network: NetworkPolicy
  readonly unixSockets: boolean
  /** Why the plan would not hold. A command does not run with one that has any. */
  readonly problems: ReadonlyArray<string>
}

const kindBehindLinks = ({ kind, leadsTo }: Place): PlaceKind => leadsTo ?? kind

const targetOf = (place: Place): ReadonlyArray<Target> => {
  const kind = kindBehindLinks(place)
  return kind === "missing" ? [] : [{ path: place.realPath, kind: kind === "directory" ? "directory" : "file" }]
}

interface Guard {
  readonly holes: ReadonlyArray<Target>
  readonly masked: ReadonlyArray<string>
  readonly pinned: ReadonlyArray<string>
  readonly problems: ReadonlyArray<string>
}

const NOTHING: Guard = { holes: [], masked: [], pinned: [], problems: [] }

const together = (guards: ReadonlyArray<Guard>): Guard => ({
  holes: guards.flatMap((guard) => guard.holes),
  masked: guards.flatMap((guard) => guard.masked),
  pinned: guards.flatMap((guard) => guard.pinned),
  problems: guards.flatMap((guard) => guard.problems)
})

interface Gathering {
  readonly request: SandboxRequest
  readonly facts: SandboxFacts
  readonly roots: ReadonlyArray<string>
}

const placeIn = (facts: SandboxFacts, path: string): Place =>
  facts.places.get(resolvePath("/", path)) ?? { path, kind: "missing", realPath: path }

const existing = (facts: SandboxFacts, paths: ReadonlyArray<string>): ReadonlyArray<Target> =>
  paths.flatMap((path) => targetOf(placeIn(facts, path)))

const placeAt = ({ facts }: Gathering, path: string): Place => placeIn(facts, path)

/** Closes one path, whether it exists or not. What lies outside of everything writable is closed already. */
const guardPath = (gathering: Gathering, path: string): Guard => {
  const place = placeAt(gathering, path)
  const isLink = place.kind === "link"
  if (place.kind === "missing") {
    return isInsideAny(gathering.roots, place.realPath) ? { ...NOTHING, masked: [place.realPath] } : NOTHING
  }
  if (!isInsideAny(gathering.roots, path) && !isInsideAny(gathering.roots, place.realPath)) return NOTHING
  return {
    ...NOTHING,
    holes: isLink && place.realPath === path ? [] : targetOf(place),
    // Nothing can be mounted over a link, so it could be exchanged for another one.
    problems:
      isLink && isInsideAny(gathering.roots, path)
        ? [`${path} is a symbolic link, which could be replaced inside. Fix: put what it leads to in its place`]
        : []
  }
}

/** Only what is already there: further down nothing reads these names by itself. */
const guardExisting = (gathering: Gathering, path: string): Guard =>
  placeAt(gathering, path).kind === "missing" ? NOTHING : guardPath(gathering, path)

const guardGitDirectory = (gathering: Gathering, commonDir: string): Guard => {
  const info = placeAt(gathering, inDirectory(commonDir, "info"))
  const hasInfo = info.kind === "directory"
  const names = GIT_HOLES.filter((name) => hasInfo || !name.startsWith("info/"))
  return together([
    ...names.map((name) => guardPath(gathering, inDirectory(commonDir, name))),
    hasInfo ? { ...NOTHING, pinned: [info.realPath] } : guardPath(gathering, info.path),
    { ...NOTHING, pinned: [commonDir] }
  ])
}

const guardRepositories = (gathering: Gathering): Guard =>
  together(
    gathering.facts.repositories.flatMap(({ workTree, commonDir, linked }) => [
      guardGitDirectory(gathering, commonDir),
      // The file that names the git directory of a linked work tree.
      ...(placeAt(gathering, inDirectory(workTree, ".git")).kind === "directory"
        ? []
        : [guardPath(gathering, inDirectory(workTree, ".git"))]),
      ...linked.flatMap((directory) =>
        LINKED_GIT_HOLES.map((name) => guardExisting(gathering, inDirectory(directory, name)))
      )
    ])
  )

/** git goes into them by itself, from the repository above. */
const guardNested = (gathering: Gathering): Guard =>
  together(gathering.facts.nested.map((directory) => guardGitDirectory(gathering, directory)))

const isSame = (left: string, right: string): boolean => resolvePath("/", left) === resolvePath("/", right)

const isRepository = ({ facts }: Gathering, directory: string): boolean =>
  facts.repositories.some(({ workTree }) => isSame(workTree, directory)) ||
  facts.nested.some((gitDirectory) => isSame(gitDirectory, inDirectory(directory, ".git")))

/** A directory without repository gets none behind the user's back, neither with nor without a work tree. */
const guardAgainstRepository = (gathering: Gathering, directory: string): Guard => {
  if (isRepository(gathering, directory)) return NOTHING
  const head = inDirectory(directory, "HEAD")
  return together([
    guardPath(gathering, inDirectory(directory, ".git")),
    guardPath(gathering, head),
    ...(placeAt(gathering, head).kind === "missing"
      ? []
      : BARE_HOLES.map((name) => guardPath(gathering, inDirectory(directory, name))))
  ])
}

const guardDirectory = (gathering: Gathering, directory: string): Guard => {
  const isHome = directory === gathering.request.home
  return together([
    ...HOLE_NAMES.map((name) =>
      (isMaskedIn(name, isHome) ? guardPath : guardExisting)(gathering, inDirectory(directory, name))
    ),
    guardAgainstRepository(gathering, directory),
    isHome ? guardPath(gathering, inDirectory(directory, ".config/git")) : NOTHING
  ])
}

const isProtected = (path: string): boolean => protectedClass(path, undefined) !== undefined

/** Links further down are left alone: what they lead to is closed or open by its own place. */
const foundWhere = ({ facts }: Gathering, isWanted: (path: string) => boolean): Guard => ({
  ...NOTHING,
  holes: facts.found.filter(({ kind, path }) => kind !== "link" && isWanted(path)).flatMap(targetOf)
})

/** What is closed because of its name. */
const guardNames = (gathering: Gathering): Guard => {
  const { request, roots } = gathering
  return together([
    ...guardedDirectories(request, roots)
      .filter((directory) => kindBehindLinks(placeAt(gathering, directory)) === "directory")
      .map((directory) => guardDirectory(gathering, directory)),
    guardRepositories(gathering),
    guardNested(gathering),
    guardPath(gathering, request.configHome),
    foundWhere(gathering, isProtected)
  ])
}

/** What is closed because settings or rules say so. */
const guardDenials = (gathering: Gathering): Guard => {
  const writes = deniedWrites(gathering.request)
  return together([
    ...literalDenials(writes).map((path) => guardPath(gathering, path)),
    foundWhere(gathering, (path) => writes.some((glob) => matchesGlob(glob, path)))
  ])
}

const closedBy = ({ holes, masked }: Guard): ReadonlyArray<string> => [...holes.map(({ path }) => path), ...masked]

const byPath = <A extends { readonly path: string }>(targets: ReadonlyArray<A>): ReadonlyArray<A> => [
  ...new Map(targets.map((target) => [target.path, target])).values()
]

/** What lies in another closed path adds nothing, unless something writable lies between the two. */
const isCovered = (path: string, closed: ReadonlyArray<string>, writable: ReadonlyArray<string>): boolean =>
  closed.some(
    (outer) =>
      outer !== path &&
      isInside(outer, path) &&
      !writable.some((root) => root !== outer && isInside(outer, root) && isInside(root, path))
  )

/** A work tree below `.claude/worktrees` is ordinary content, so it stays writable there. */
const isOrdinary = (request: SandboxRequest, path: string): boolean =>
  request.workingDirs.includes(path) && protectedClass(path, request.configHome) === undefined

/** Stores of credentials, except those that settings name themselves as readable. */
const hiddenStores = ({ request, facts }: Gathering): ReadonlyArray<Target> => {
  const lifted = existing(facts, request.settings.filesystem.allowRead).map(({ path }) => path)
  return existing(facts, [...credentialPaths(request), ...facts.secretFiles]).filter(({ path }) => !lifted.includes(path))
}

const hiddenTargets = (gathering: Gathering): ReadonlyArray<Target> => {
  const { request, facts } = gathering
  const denied = deniedReads(request)
  return byPath([
    ...hiddenStores(gathering),
    ...existing(facts, literalDenials(denied)),
    ...facts.found.filter(({ path }) => denied.some((glob) => matchesGlob(glob, path))).flatMap(targetOf)
  ])
}

type NetworkRequest = Pick<SandboxRequest, "settings" | "allowedHosts" | "deniedHosts" | "unknownHosts">

/** The lists of settings and rules as one. */
export const networkPolicy = (request: NetworkRequest): NetworkPolicy => ({
  allowed: [...request.settings.network.allowedDomains, ...request.allowedHosts],
  denied: [...request.settings.network.deniedDomains, ...request.deniedHosts],
  unknown: request.unknownHosts
})

const networkOf = (request: SandboxRequest): NetworkPolicy =>
  request.profile === "readonly" || request.networkless ? NO_NETWORK : networkPolicy(request)

/** Roots that stay: a denial closes them, a protected name does so unless the root is ordinary content below it. */
const writableRoots = ({ request, roots }: Gathering, names: Guard, denials: Guard): ReadonlyArray<string> => {
  const byName = closedBy(names)
  const denied = closedBy(denials)
  return roots.filter(
    (root) =>
      !isInsideAny(denied, root) && (!isInsideAny(byName, root) || (isOrdinary(request, root) && !byName.includes(root)))
  )
}

/** The directory above, letter by letter as the disk spells it. */
const directoryOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf("/")))

/** Directories between a closed path and what is writable around it: moved away, they would leave its place free. */
const directoriesAbove = (path: string, writable: ReadonlyArray<string>): ReadonlyArray<string> => {
  const above = directoryOf(path)
  return path === above || writable.includes(above) || !isInsideAny(writable, above)
    ? []
    : [above, ...directoriesAbove(above, writable)]
}

const UNSEARCHABLE =
  "too many directories to look through before each command. Fix: name the directory in the rule, or fewer of them"

export const planSandbox = (request: SandboxRequest, facts: SandboxFacts): SandboxPlan => {
  const roots = byPath(existing(facts, wantedRoots(request, facts.repositories))).map(({ path }) => path)
  const gathering: Gathering = { request, facts, roots }
  const [names, denials] = [guardNames(gathering), guardDenials(gathering)]
  const guard = together([names, denials])
  const hidden = hiddenTargets(gathering)
  const hiddenPaths = hidden.map(({ path }) => path)
  const writable = writableRoots(gathering, names, denials).filter((root) => !hiddenPaths.includes(root))
  const closed = [...closedBy(guard), ...hiddenPaths]
  const counts = (path: string): boolean => !isCovered(path, closed, writable)
  const holes = byPath(guard.holes).filter(({ path }) => counts(path) && !hiddenPaths.includes(path))
  const masked = [...new Set(guard.masked)].filter(counts)
  const fixed = [...holes.map(({ path }) => path), ...masked, ...hiddenPaths.filter(counts)]
  return {
    writable,
    holes,
    masked,
    pinned: [...new Set([...guard.pinned, ...fixed.flatMap((path) => directoriesAbove(path, writable))])].filter(
      (path) => isInsideAny(writable, path) && !writable.includes(path) && !closed.includes(path) && counts(path)
    ),
    hidden,
    shown: byPath(existing(facts, request.settings.filesystem.allowRead)).filter(
      ({ path }) => isInsideAny(hiddenPaths, parentOf(path)) && !hiddenPaths.includes(path)
    ),
    network: networkOf(request),
    unixSockets: request.settings.network.allowAllUnixSockets,
    problems: [...guard.problems, ...facts.unsearched.map((glob) => `${glob} stands for places in ${UNSEARCHABLE}`)]
  }
}
