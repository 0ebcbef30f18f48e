import { LIMITS } from "../../core/domain/limits.ts"
import type { GlobRequest, GrepLinesRequest, GrepRequest, NamesRequest, Scope } from "../../core/ports/Search.ts"
import { rootGlob, VCS_DIRECTORIES } from "../../core/domain/path/glob-pattern.ts"

/**
 * Requests as ripgrep's command line. Ripgrep runs at the file system's root, so that every glob is absolute and those
 * of the request, of version control and of denied paths share one list; the last one that matches decides.
 */
const COMMON = ["--no-config", "--color=never", "--null"]

const globs = (patterns: ReadonlyArray<string>): ReadonlyArray<string> => patterns.flatMap((pattern) => ["--glob", pattern])

/** Ripgrep reads globs that ignore case after all others, so these have the last word. */
const foldedGlobs = (patterns: ReadonlyArray<string>): ReadonlyArray<string> =>
  patterns.flatMap((pattern) => ["--iglob", pattern])

const exclusions = (scope: Scope): ReadonlyArray<string> => [
  ...globs(VCS_DIRECTORIES.map((name) => `!${name}/`)),
  ...foldedGlobs(scope.exclude.map((pattern) => `!${pattern}`))
]

/** A glob also overrides ignore files and hiding; where those matter, the names are matched after listing them. */
export const matchesNatively = (request: GlobRequest): boolean => request.hidden && !request.ignoreFiles

export const globArgs = (request: GlobRequest): ReadonlyArray<string> => [
  ...COMMON,
  "--files",
  ...(request.hidden ? ["--hidden"] : []),
  request.ignoreFiles ? "--no-ignore-global" : "--no-ignore",
  ...(matchesNatively(request) ? globs([rootGlob(request.pattern, request.root)]) : []),
  ...exclusions(request),
  "--",
  request.root
]

export const namesArgs = (request: NamesRequest): ReadonlyArray<string> => [
  ...COMMON,
  "--files",
  "--hidden",
  "--no-ignore-global",
  ...foldedGlobs(request.names.map((name) => rootGlob(name, request.root))),
  ...exclusions(request),
  "--",
  request.root
]

const grepArgs = (request: GrepRequest, output: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...COMMON,
  "--hidden",
  "--no-ignore-global",
  "--with-filename",
  ...output,
  ...(request.ignoreCase ? ["--ignore-case"] : []),
  ...(request.multiline ? ["--multiline", "--multiline-dotall"] : []),
  ...(request.type === undefined ? [] : ["--type", request.type]),
  ...globs(request.globs.map((glob) => rootGlob(glob, request.root))),
  ...exclusions(request),
  "--regexp",
  request.pattern,
  "--",
  request.root
]

export const grepFilesArgs = (request: GrepRequest): ReadonlyArray<string> => grepArgs(request, ["--files-with-matches"])

export const grepCountsArgs = (request: GrepRequest): ReadonlyArray<string> => grepArgs(request, ["--count"])

/** Sorted, so that the search can stop at the wanted entry and the next page continues exactly there. */
export const grepLinesArgs = (request: GrepLinesRequest): ReadonlyArray<string> =>
  grepArgs(request, [
    "--no-heading",
    "--line-number",
    "--sort=path",
    `--max-columns=${LIMITS.grepColumns}`,
    ...(request.onlyMatching ? ["--only-matching"] : []),
    `--before-context=${request.before}`,
    `--after-context=${request.after}`
  ])
