import { componentsOf, foldCase, type Location } from "../../domain/path/path-components.ts"
import { memoizeText } from "../../domain/text/bounded-memo.ts"

/** Files that change how tools behave when written, and files that give secrets away when read. Case never matters. */
export const PROTECTED_DIRECTORIES: ReadonlySet<string> = new Set(
  ".git .vscode .idea .husky .cargo .devcontainer .yarn .mvn .claude".split(" ")
)

export const PROTECTED_FILES: ReadonlySet<string> = new Set(
  (
    ".gitconfig .gitmodules .gitattributes .bashrc .bash_profile .bash_login .bash_aliases .bash_logout .zshrc " +
    ".zprofile .zshenv .zlogin .zlogout .profile .envrc .npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs " +
    ".pnpmfile.cjs bunfig.toml .bunfig.toml .bazelrc .bazelversion .bazeliskrc .pre-commit-config.yaml " +
    "lefthook.yml lefthook.yaml .lefthook.yml .lefthook.yaml gradle-wrapper.properties maven-wrapper.properties " +
    ".devcontainer.json .ripgreprc pyrightconfig.json .mcp.json .claude.json"
  ).split(" ")
)

const folded = memoizeText((path: string): ReadonlyArray<string> =>
  componentsOf(path)
    .map(foldCase)
    .filter((component) => component !== "")
)

const beginsWith = (path: ReadonlyArray<string>, directory: ReadonlyArray<string>): boolean =>
  directory.length <= path.length && directory.every((component, index) => component === path[index])

/** A checkout below `.claude/worktrees/<name>` is ordinary content; what it protects itself still counts. */
const withoutWorktree = (components: ReadonlyArray<string>): ReadonlyArray<string> => {
  const at = components.findIndex((name, index) => name === ".claude" && components[index + 1] === "worktrees")
  return at >= 0 && components.length > at + 3 ? [...components.slice(0, at), ...components.slice(at + 3)] : components
}

/** What kind of protected thing a path is, for the sentence shown; undefined for ordinary paths. */
export const protectedClass = (path: string, configHome: string | undefined): string | undefined => {
  const components = withoutWorktree(folded(path))
  if (configHome !== undefined && beginsWith(folded(path), folded(configHome))) {
    return "configuration of this program"
  }
  const directory = components.find((component) => PROTECTED_DIRECTORIES.has(component))
  if (directory !== undefined) return `inside ${directory}`
  if (components.some((component, index) => component === ".config" && components[index + 1] === "git")) {
    return "git configuration"
  }
  const name = components.find((component) => PROTECTED_FILES.has(component))
  return name === undefined ? undefined : `${name} is read by tools`
}

/** Whether a file or directory of this name is protected wherever it lies. */
export const isProtectedName = (name: string): boolean =>
  PROTECTED_DIRECTORIES.has(foldCase(name)) || PROTECTED_FILES.has(foldCase(name))

const DEFINING =
  /\/\.claude\/(?:settings[^/]*\.json$|hooks(?:\/|$)|agents(?:\/|$)|skills(?:\/|$)|commands(?:\/|$)|plugins(?:\/|$))/

/** Settings may name any program below `.claude` as a helper; only files that are plainly notes or data are none. */
const NOTES = /[^/]\.(?:md|mdx|txt|rst|adoc|json|jsonl|ya?ml|toml|csv)$/

/** Whether a file below `.claude` says what may run: permissions, hooks, servers, environment or helpers. */
export const definesBehaviour = (path: string): boolean => {
  const components = folded(path)
  const whole = `/${components.join("/")}`
  return DEFINING.test(whole) || !NOTES.test(whole) || components.at(-1) === ".mcp.json" || !components.includes(".claude")
}

const SECRET_NAMES = /^(\.env(\..+)?|.*\.(pem|key|p12|pfx)|id_(rsa|ed25519|ecdsa).*|\.netrc|\.pgpass|\.npmrc|\.pypirc)$/
/** The same names for searches, which must leave such files out before they open them. */
export const SECRET_GLOBS: ReadonlyArray<string> = [
  ".env",
  ".env.local",
  ".env.*.local",
  ".env.{development,production,staging,test}",
  "*.{pem,key,p12,pfx}",
  "id_{rsa,ed25519,ecdsa}*",
  ".{netrc,pgpass,npmrc,pypirc}"
]

/** Names that need a closer look, as globs without regard to case. */
export const SECRET_CANDIDATES: ReadonlyArray<string> = [
  ".env",
  ".env.*",
  "*.{pem,key,p12,pfx}",
  "id_{rsa,ed25519,ecdsa}*",
  ".{netrc,pgpass,npmrc,pypirc}"
]

const HARMLESS_NAMES = /^\.env\.(example|sample|template|dist)$/

/** Below the home directory, spelled as their owners spell them. */
export const SECRET_HOME_PATHS: ReadonlyArray<string> = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".config/gcloud",
  ".kube",
  ".docker/config.json",
  ".config/gh",
  ".password-store",
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
  ".config/BraveSoftware",
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Firefox",
  "Library/Keychains"
]

export const SECRET_CONFIG_FILES: ReadonlyArray<string> = ["nacre-credentials.json", ".credentials.json"]

export interface SecretPlaces {
  readonly home: Location
  readonly configHome?: string
}

export const isSecretName = (name: string): boolean =>
  SECRET_NAMES.test(foldCase(name)) && !HARMLESS_NAMES.test(foldCase(name))

/** Whether reading the path would probably show a secret. */
export const isSecretPath = (path: string, { home, configHome }: SecretPlaces): boolean => {
  const components = folded(path)
  if (isSecretName(components.at(-1) ?? "")) return true
  const below = (directory: string, entries: ReadonlyArray<string>) => {
    const base = folded(directory)
    if (!beginsWith(components, base)) return false
    const rest = components.slice(base.length)
    return entries.some((entry) => beginsWith(rest, folded(`/${entry}`)))
  }
  return (
    below(home.path, SECRET_HOME_PATHS) ||
    below(home.realPath, SECRET_HOME_PATHS) ||
    (configHome !== undefined && below(configHome, SECRET_CONFIG_FILES))
  )
}
