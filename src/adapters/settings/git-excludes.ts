import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs"
import { dirname, isAbsolute, join } from "node:path"
import { repositoryRoot } from "./repository-root.ts"

/** Keeps the local settings file out of commits by the user's own ignore file, never by one of the repository. */

const PATTERN = "**/.claude/settings.local.json"

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** `core.excludesFile` of the user's configuration, when it can be understood without running git. */
const configured = (home: string, configDir: string): string | undefined => {
  const texts = [textOf(join(configDir, "git", "config")), textOf(join(home, ".gitconfig"))]
  const names = texts.map((text) => /^\s*excludesfile\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(text)?.[1])
  const named = names.findLast((name) => name !== undefined)
  if (named === undefined) return undefined
  if (named.startsWith("~/")) return join(home, named.slice(2))
  return isAbsolute(named) ? named : undefined
}

export interface ExcludeFacts {
  readonly home: string
  readonly xdgConfigHome: string | undefined
}

/** The plain forms in which people ignore the file; anything cleverer gets one line more than needed. */
const COVERS = /^(?:\*\*\/|\/)?(?:\.claude\/?(?:\*\*?|settings\.local\.json)?|settings\.local\.json|\*\.local\.json)\/?$/

const isCovered = (path: string): boolean =>
  textOf(path)
    .split("\n")
    .some((line) => COVERS.test(line.trim()))

/** A sentence when the ignore file was changed. */
export const excludeLocalSettings = (localFile: string, { home, xdgConfigHome }: ExcludeFacts): string | undefined => {
  const directory = dirname(dirname(localFile))
  const root = repositoryRoot(directory)
  if (root === undefined) return undefined
  const configDir = xdgConfigHome !== undefined && isAbsolute(xdgConfigHome) ? xdgConfigHome : join(home, ".config")
  const excludes = configured(home, configDir) ?? join(configDir, "git", "ignore")
  const within = [join(root, ".gitignore"), join(directory, ".gitignore"), join(root, ".git", "info", "exclude")]
  if ([excludes, ...within].some(isCovered)) return undefined
  mkdirSync(dirname(excludes), { recursive: true })
  const text = textOf(excludes)
  const start = existsSync(excludes) && text !== "" && !text.endsWith("\n") ? "\n" : ""
  appendFileSync(excludes, `${start}${PATTERN}\n`)
  return `${PATTERN} was added to ${excludes}, so that git leaves your local settings out`
}
