/** The paths a sandbox cares about, and what the file system says about them. */
import {
  PROTECTED_DIRECTORIES,
  PROTECTED_FILES,
  SECRET_CONFIG_FILES,
  SECRET_HOME_PATHS
} from "../permission/rules/sensitive-paths.ts"
import { isInsideAny, resolvePath } from "../domain/path/path-components.ts"
import { literalPath } from "./absolute-glob.ts"
import type { NetworkPolicy } from "./network.ts"
import type { SandboxSettings } from "./settings.ts"

/** Everything a plan depends on besides the file system. Paths are absolute, working directories are real ones. */
export interface SandboxRequest {
  readonly settings: SandboxSettings
  /** `readonly`: nothing but the temporary directory can be written, and there is no network. */
  readonly profile: "workspace" | "readonly"
  readonly workingDirs: ReadonlyArray<string>
  readonly home: string
  readonly configHome: string
  /** The session's own temporary directory. */
  readonly tempDir: string
  /** Directories that allow rules of Edit name literally. */
  readonly editable: ReadonlyArray<string>
  /** What deny rules of Edit and Read name, as absolute globs. */
  readonly uneditable: ReadonlyArray<string>
  readonly unreadable: ReadonlyArray<string>
  /** Hosts of WebFetch rules. */
  readonly allowedHosts: ReadonlyArray<string>
  readonly deniedHosts: ReadonlyArray<string>
  /** What becomes of other hosts. */
  readonly unknownHosts: NetworkPolicy["unknown"]
  /** The command talks to nobody, whatever the lists say. */
  readonly networkless: boolean
}

export type PlaceKind = "missing" | "file" | "directory" | "link" | "other"

export interface Place {
  readonly path: string
  readonly kind: PlaceKind
  /** After following every link. When nothing is there: the first missing component, the ones before it followed. */
  readonly realPath: string
  /** What a link leads to in the end. */
  readonly leadsTo?: PlaceKind
}

export interface Repository {
  /** Directory that holds `.git`. */
  readonly workTree: string
  /** Where config, hooks and objects are; outside the work tree for a linked one. */
  readonly commonDir: string
  /** Git directories of linked work trees below it. */
  readonly linked: ReadonlyArray<string>
}

export interface SandboxFacts {
  readonly places: ReadonlyMap<string, Place>
  /** Entries further down that have a protected name or match a deny rule. */
  readonly found: ReadonlyArray<Place>
  readonly repositories: ReadonlyArray<Repository>
  /** Git directories of sub-modules, and of repositories further down. */
  readonly nested: ReadonlyArray<string>
  /** Files of the home directory that are secret because of what they hold. */
  readonly secretFiles: ReadonlyArray<string>
  /** Denials with wildcards that name more places than can be looked through before a command. */
  readonly unsearched: ReadonlyArray<string>
}

/** Names that are protected wherever they stand, apart from `.git`, which has rules of its own. */
export const HOLE_NAMES: ReadonlyArray<string> = [...PROTECTED_DIRECTORIES, ...PROTECTED_FILES].filter(
  (name) => name !== ".git"
)

/** Read from the home directory only. */
const HOME_NAMES = /^\.(?:bash|z|profile|gitconfig|claude\.json)/
/** Read from a deeper place, or only where a variable says so. */
const ELSEWHERE = /-wrapper\.properties$|^\.ripgreprc$/

/**
 * Whether a name must not come to exist in a directory, beside being closed where it exists. Names that are not hidden
 * are left out: a listing that shows tools the project does not use would mislead more than it protects.
 */
export const isMaskedIn = (name: string, isHome: boolean): boolean =>
  name.startsWith(".") && !ELSEWHERE.test(name) && (isHome || !HOME_NAMES.test(name))

export const isHoleName = (name: string): boolean => HOLE_NAMES.includes(name.toLowerCase())

export const inDirectory = (directory: string, name: string): string => resolvePath(directory, name)

/** Parts of a git directory that make git run programs or look elsewhere. */
export const GIT_HOLES: ReadonlyArray<string> = ["config", "config.worktree", "hooks", "info/attributes", "commondir"]
/** The same for the git directory of a linked work tree, which has the others elsewhere. */
export const LINKED_GIT_HOLES: ReadonlyArray<string> = ["config", "config.worktree", "hooks", "commondir", "gitdir"]
/** Parts that make a plain directory a repository without work tree. */
export const BARE_HOLES: ReadonlyArray<string> = ["HEAD", "config", "hooks", "commondir"]

const GUARDED_NAMES = [".git", ...BARE_HOLES, ...HOLE_NAMES]

/** What settings and rules open for writing beside the working directories. A last `**` adds nothing to a directory. */
const openedPaths = ({ settings, editable }: SandboxRequest): ReadonlyArray<string> =>
  [...settings.filesystem.allowWrite.map((path) => literalPath(path) ?? path), ...editable].map((path) =>
    resolvePath("/", path)
  )

/** Directories that may be written as a whole, before anything is taken away. */
export const wantedRoots = (request: SandboxRequest, repositories: ReadonlyArray<Repository>): ReadonlyArray<string> =>
  request.profile === "readonly"
    ? [request.tempDir]
    : [
        ...request.workingDirs.map((path) => resolvePath("/", path)),
        resolvePath("/", request.tempDir),
        ...openedPaths(request),
        ...repositories.map(({ commonDir }) => resolvePath("/", commonDir))
      ]

/** Those of the opened paths that lie in no other directory that can be written. */
const outermostOpened = (request: SandboxRequest): ReadonlyArray<string> => {
  const opened = openedPaths(request)
  return opened.filter((path) => !isInsideAny([...request.workingDirs, ...opened.filter((other) => other !== path)], path))
}

/** Directories in which protected names must not appear: those a tool or this program starts from. */
export const guardedDirectories = (request: SandboxRequest, roots: ReadonlyArray<string>): ReadonlyArray<string> =>
  request.profile === "readonly"
    ? []
    : [
        ...new Set([
          ...request.workingDirs,
          ...outermostOpened(request),
          ...[request.home].filter((path) => isInsideAny(roots, path))
        ])
      ]

/** Stores of credentials and this program's own secrets. */
export const credentialPaths = ({ home, configHome }: SandboxRequest): ReadonlyArray<string> => [
  ...SECRET_HOME_PATHS.map((entry) => inDirectory(home, entry)),
  ...[".netrc", ".pgpass", ".pypirc", ".git-credentials"].map((entry) => inDirectory(home, entry)),
  ...SECRET_CONFIG_FILES.map((entry) => inDirectory(configHome, entry))
]

/** Configuration of package managers, which may hold a token. */
export const maybeSecretFiles = ({ home }: SandboxRequest): ReadonlyArray<string> =>
  [".npmrc", ".yarnrc.yml"].map((entry) => inDirectory(home, entry))

/** A key whose value lets somebody in; a reference to a variable holds no secret itself. */
const TOKEN = /^[ \t]*(?:\/\/\S*:)?"?(?:_authToken|_auth|_password|npmAuthToken|npmAuthIdent)"?[ \t]*[=:][ \t]*(?!\$\{)\S/m

export const holdsToken = (text: string): boolean => TOKEN.test(text)

/** Those that name one path. */
export const literalDenials = (globs: ReadonlyArray<string>): ReadonlyArray<string> =>
  globs.map(literalPath).filter((path) => path !== undefined)

export const deniedWrites = (request: SandboxRequest): ReadonlyArray<string> => [
  ...request.settings.filesystem.denyWrite,
  ...request.uneditable
]

export const deniedReads = (request: SandboxRequest): ReadonlyArray<string> => [
  ...request.settings.filesystem.denyRead,
  ...request.unreadable
]

/** What the adapter must look at before a plan can be made. */
export const pathsToLookAt = (
  request: SandboxRequest,
  { repositories, nested }: Pick<SandboxFacts, "repositories" | "nested">
): ReadonlyArray<string> => {
  const roots = wantedRoots(request, repositories)
  const guarded = guardedDirectories(request, roots)
  const paths = [
    ...roots,
    ...guarded,
    request.configHome,
    ...guarded.flatMap((directory) => GUARDED_NAMES.map((name) => inDirectory(directory, name))),
    inDirectory(request.home, ".config/git"),
    ...[...repositories.map(({ commonDir }) => commonDir), ...nested].flatMap((directory) =>
      ["info", ...GIT_HOLES].map((name) => inDirectory(directory, name))
    ),
    ...repositories.flatMap(({ workTree, linked }) => [
      inDirectory(workTree, ".git"),
      ...linked.flatMap((directory) => LINKED_GIT_HOLES.map((name) => inDirectory(directory, name)))
    ]),
    ...credentialPaths(request),
    ...maybeSecretFiles(request),
    ...literalDenials(deniedWrites(request)),
    ...literalDenials(deniedReads(request)),
    ...request.settings.filesystem.allowRead
  ]
  return [...new Set(paths.map((path) => resolvePath("/", path)))]
}
