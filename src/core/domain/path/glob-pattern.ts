import { isAbsolute, normalise, resolveFrom } from "./path-text.ts"

/** Globs as text, in the gitignore form that ripgrep uses. */
export interface GlobTarget {
  /** Absolute directory below which the pattern applies. */
  readonly root: string
  readonly pattern: string
}

const SPECIAL = /[*?[\]{}\\!]/
const SPECIAL_ALL = /[*?[\]{}\\!]/g

/** A path as a glob that matches exactly this path. */
export const escapeGlob = (path: string): string => path.replace(SPECIAL_ALL, "\\$&")

/**
 * Where to look and for what. Leading directories without wildcards move into the root, so that only the part of the
 * tree that can match is walked and `..` or an absolute pattern needs no special case later.
 */
export const globTarget = (pattern: string, base: string): GlobTarget => {
  const segments = pattern.split("/")
  const firstSpecial = segments.findIndex((segment) => SPECIAL.test(segment))
  const fixedCount = firstSpecial === -1 ? segments.length - 1 : firstSpecial
  if (fixedCount === 0) return { root: normalise(base), pattern }
  const directory = segments.slice(0, fixedCount).join("/")
  return {
    root: resolveFrom(base, isAbsolute(pattern) ? `/${directory}` : directory),
    pattern: `/${segments.slice(fixedCount).join("/")}`
  }
}

/** The globs of a list: separated by blanks or commas, except inside braces. */
export const splitGlobList = (text: string): ReadonlyArray<string> => {
  const globs: Array<string> = []
  let current = ""
  let depth = 0
  for (const char of text) {
    depth = Math.max(0, depth + (char === "{" ? 1 : 0) - (char === "}" ? 1 : 0))
    if (depth === 0 && /[\s,]/.test(char)) {
      globs.push(current)
      current = ""
    } else current += char
  }
  return [...globs, current].filter((glob) => glob !== "")
}

export interface ParsedGlob {
  readonly negated: boolean
  /** Without the marks for negation, anchor and directory. */
  readonly body: string
  /** Matches the whole path below the root; otherwise the name alone. */
  readonly anchored: boolean
  readonly directoryOnly: boolean
}

export const parseGlob = (glob: string): ParsedGlob => {
  const negated = glob.startsWith("!")
  const positive = negated ? glob.slice(1) : glob
  const directoryOnly = positive.endsWith("/")
  const bare = directoryOnly ? positive.slice(0, -1) : positive
  return { negated, body: bare.replace(/^\//, ""), anchored: bare.includes("/"), directoryOnly }
}

/** A glob relative to a root as one that means the same from the file system's root. */
export const rootGlob = (glob: string, root: string): string => {
  const { negated, body, anchored, directoryOnly } = parseGlob(glob)
  if (!anchored) return glob
  const prefix = root === "/" ? "" : escapeGlob(root)
  return `${negated ? "!" : ""}${prefix}/${body}${directoryOnly ? "/" : ""}`
}

/** Directories of version control systems, whose contents are never searched. */
export const VCS_DIRECTORIES: ReadonlyArray<string> = [".git", ".svn", ".hg", ".bzr", ".jj", ".sl"]
