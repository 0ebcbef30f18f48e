import { componentsOf, isInside, type Location } from "./path-scope.ts"

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

const folded = (path: string): ReadonlyArray<string> => componentsOf(path).map((component) => component.toLowerCase())

/** A checkout below `.claude/worktrees/<name>` is ordinary content; what it protects itself still counts. */
const withoutWorktree = (components: ReadonlyArray<string>): ReadonlyArray<string> => {
  const at = components.findIndex((name, index) => name === ".claude" && components[index + 1] === "worktrees")
  return at >= 0 && components.length > at + 3 ? [...components.slice(0, at), ...components.slice(at + 3)] : components
}

/** What kind of protected thing a path is, for the sentence shown; undefined for ordinary paths. */
export const protectedClass = (path: string, configHome: string | undefined): string | undefined => {
  const components = withoutWorktree(folded(path))
  if (configHome !== undefined && isInside(`/${folded(configHome).join("/")}`, `/${folded(path).join("/")}`)) {
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

const DEFINING = /\/\.claude\/(?:settings[^/]*\.json$|hooks(?:\/|$)|agents(?:\/|$)|skills(?:\/|$)|commands(?:\/|$)|plugins(?:\/|$))/

/** Whether a file below `.claude` says what may run: permissions, hooks, servers, environment or helpers. */
export const definesBehaviour = (path: string): boolean =>
  DEFINING.test(`/${folded(path).join("/")}`) || folded(path).at(-1) === ".mcp.json" || !folded(path).includes(".claude")

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
  SECRET_NAMES.test(name.toLowerCase()) && !HARMLESS_NAMES.test(name.toLowerCase())

/** Whether reading the path would probably show a secret. */
export const isSecretPath = (path: string, { home, configHome }: SecretPlaces): boolean => {
  const components = folded(path)
  if (isSecretName(components.at(-1) ?? "")) return true
  const whole = `/${components.join("/")}`
  const below = (directory: string, entries: ReadonlyArray<string>) => {
    const base = `/${folded(directory).join("/")}`
    return isInside(base, whole) && entries.some((entry) => isInside(`${base}/${entry.toLowerCase()}`, whole))
  }
  return (
    below(home.path, SECRET_HOME_PATHS) ||
    below(home.realPath, SECRET_HOME_PATHS) ||
    (configHome !== undefined && below(configHome, SECRET_CONFIG_FILES))
  )
}
