import picomatch from "picomatch"
import { nameOf, parentOf } from "../../core/domain/path/path-text.ts"
import { parseGlob } from "../../core/domain/path/glob-pattern.ts"

/** Globs in gitignore form matched by picomatch, for where ripgrep does not match them itself. */
export interface Place {
  /** Absolute. */
  readonly path: string
  readonly directory: boolean
}

export type GlobVerdict = "include" | "exclude" | "undecided"

const OPTIONS = { dot: true, nonegate: true, noextglob: true, posix: true } as const

const below = (path: string, root: string): string => (root === "/" ? path.slice(1) : path.slice(root.length + 1))

interface Folding {
  readonly nocase?: boolean
}

const compile = (glob: string, root: string, folding: Folding) => {
  const { negated, body, anchored, directoryOnly } = parseGlob(glob)
  // Picomatch lets `x/**` match `x` itself, gitignore only what is in it.
  const matches = picomatch(body.replace(/\/\*\*$/, "/**/*"), { ...OPTIONS, ...folding })
  return {
    negated,
    matches: (place: Place): boolean =>
      (!directoryOnly || place.directory) && matches(anchored ? below(place.path, root) : nameOf(place.path))
  }
}

/** The last glob of a list that matches a place: as it stands, or one that begins with `!`. */
export const lastMatch = (
  globs: ReadonlyArray<string>,
  root: string,
  folding: Folding = {}
): ((place: Place) => "plain" | "negated" | undefined) => {
  const compiled = globs.map((glob) => compile(glob, root, folding)).toReversed()
  return (place) => {
    const decisive = compiled.find((glob) => glob.matches(place))
    if (decisive === undefined) return undefined
    return decisive.negated ? "negated" : "plain"
  }
}

/**
 * What a list of wanted globs says about a place. A list that names anything leaves out the files it does not name;
 * directories stay undecided, because something in them may be named.
 */
export const globVerdict = (
  globs: ReadonlyArray<string>,
  root: string,
  folding: Folding = {}
): ((place: Place) => GlobVerdict) => {
  const match = lastMatch(globs, root, folding)
  const selective = globs.some((glob) => !glob.startsWith("!"))
  return (place) => {
    const matched = match(place)
    if (matched !== undefined) return matched === "plain" ? "include" : "exclude"
    return selective && !place.directory ? "exclude" : "undecided"
  }
}

/** Whether one glob names a file: by its own path, or because nothing on the way from the root is left out by `!`. */
export const nameMatcher = (pattern: string, root: string): ((path: string) => boolean) => {
  const verdict = globVerdict([pattern], root)
  const reachable = (directory: string): boolean =>
    directory.length <= root.length ||
    (verdict({ path: directory, directory: true }) !== "exclude" && reachable(parentOf(directory)))
  return (path) => verdict({ path, directory: false }) !== "exclude" && reachable(parentOf(path))
}
