import { Effect, Option } from "effect"
import { stat } from "node:fs/promises"
import { type GrepLinesRequest, type GrepRequest, Search, SearchFailure } from "../../core/ports/Search.ts"
import type { FileCount, Found, GrepLine } from "../../core/tools/search/search-result.ts"
import { fileTypes, typeGlobs } from "./file-types.ts"
import { globVerdict, nameMatcher } from "./glob-match.ts"
import { sortNewest } from "./newest.ts"
import { canSpanLines, compilePattern } from "./pattern.ts"
import { readText } from "./text-file.ts"
import { matchAcross, matchingLines, matchingParts, matchLines, type TextMatches } from "./text-match.ts"
import { type Walk, walkFiles } from "./walk.ts"

/** Search without ripgrep: slower, the same answers. Used where no ripgrep program runs. */
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Runs a search that pushes into a list; when the time is up, what it pushed so far is the result. */
const gather = <Entry>(
  timeoutMs: number,
  search: (entries: Array<Entry>, walk: Walk) => Promise<void>
): Effect.Effect<Found<Entry>, SearchFailure> =>
  Effect.suspend(() => {
    const entries: Array<Entry> = []
    const warnings: Array<string> = []
    return Effect.tryPromise({
      try: (signal) => search(entries, { signal, warn: (message) => warnings.push(message) }),
      catch: (error) =>
        error instanceof SearchFailure ? error : new SearchFailure({ kind: "engine", message: messageOf(error) })
    }).pipe(
      Effect.timeoutOption(timeoutMs),
      Effect.flatMap((ended) => {
        const complete = Option.isSome(ended)
        const warning = warnings.slice(0, 12).join("\n")
        if (warnings.length === 0) return Effect.succeed({ entries, complete })
        return entries.length > 0
          ? Effect.succeed({ entries, complete, warning })
          : Effect.fail(new SearchFailure({ kind: "engine", message: warning }))
      })
    )
  })

const typesOf = (type: string | undefined): { readonly types?: ReadonlyArray<string> } => {
  if (type === undefined) return {}
  const types = typeGlobs(type)
  if (types !== undefined) return { types }
  throw new SearchFailure({
    kind: "pattern",
    message: `unrecognized file type: ${type}. The built-in search knows: ${fileTypes.join(", ")}`
  })
}

const expressionOf = (request: GrepRequest): RegExp => {
  try {
    return compilePattern(request.pattern, request)
  } catch (error) {
    throw new SearchFailure({ kind: "pattern", message: `regex parse error: ${messageOf(error)}` })
  }
}

async function* filesOf(request: GrepRequest, walk: Walk): AsyncGenerator<string> {
  const isFile = (await stat(request.root)).isFile()
  if (isFile && request.shows?.(request.root) !== false) yield request.root
  else if (!isFile) yield* walkFiles({ ...request, ...typesOf(request.type), hidden: true, ignoreFiles: true }, walk)
}

interface FileMatches {
  readonly path: string
  readonly matches: TextMatches
  readonly binary: boolean
}

/** The files with a match, one after the other. A binary file counts only if the request names it. */
async function* matchesOf(request: GrepRequest, walk: Walk): AsyncGenerator<FileMatches> {
  const expression = expressionOf(request)
  const match = request.multiline && canSpanLines(request.pattern) ? matchAcross : matchLines
  for await (const path of filesOf(request, walk)) {
    if (walk.signal.aborted) return
    const content = await readText(path).catch((error: unknown) => {
      walk.warn(`${path}: ${messageOf(error)}`)
      return undefined
    })
    if (content === undefined) continue
    if (content._tag === "TooLarge") walk.warn(`${path}: too large for the built-in search`)
    else if (content._tag === "Text" || path === request.root) {
      const matches = match(content.text, expression)
      if (matches.ranges.length > 0) yield { path, matches, binary: content._tag === "Binary" }
    }
  }
}

const linesOf = (file: FileMatches, request: GrepLinesRequest): ReadonlyArray<GrepLine> => {
  if (file.binary) return [{ kind: "notice", path: file.path, text: "binary file matches" }]
  return request.onlyMatching ? matchingParts(file.path, file.matches) : matchingLines(file.path, file.matches, request)
}

const collectLines = async (request: GrepLinesRequest, lines: Array<GrepLine>, walk: Walk): Promise<void> => {
  const separated = !request.onlyMatching && request.before + request.after > 0
  for await (const file of matchesOf(request, walk)) {
    const own = linesOf(file, request)
    const all: ReadonlyArray<GrepLine> = separated && lines.length > 0 ? [{ kind: "separator" }, ...own] : own
    for (const line of all) {
      if (lines.push(line) >= request.stopAfter) return
    }
  }
}

const sorted = (found: Found<string>): Effect.Effect<Found<string>> =>
  Effect.map(sortNewest(found.entries), (entries) => ({ ...found, entries }))

export const makeFallback = (description: string) =>
  Search.of({
    glob: (request) =>
      gather<string>(request.timeoutMs, async (paths, walk) => {
        const { shows, ...wanted } = request
        const matches = nameMatcher(request.pattern, request.root)
        for await (const path of walkFiles({ ...wanted, globs: [] }, walk)) {
          if (matches(path) && shows?.(path) !== false) paths.push(path)
        }
      }).pipe(Effect.flatMap(sorted)),
    names: (request) =>
      gather<string>(request.timeoutMs, async (paths, walk) => {
        const said = globVerdict(request.globs, request.root)
        const named = { ...request, globs: request.names, foldsGlobs: true, hidden: true, ignoreFiles: true }
        for await (const path of walkFiles(named, walk)) {
          if (said({ path, directory: false }) !== "exclude") paths.push(path)
        }
      }),
    grepFiles: (request) =>
      gather<string>(request.timeoutMs, async (paths, walk) => {
        for await (const file of matchesOf(request, walk)) paths.push(file.path)
      }).pipe(Effect.flatMap(sorted)),
    grepCounts: (request) =>
      gather<FileCount>(request.timeoutMs, async (counts, walk) => {
        for await (const file of matchesOf(request, walk)) {
          counts.push({ path: file.path, count: file.matches.ranges.length })
        }
      }),
    grepLines: (request) => gather(request.timeoutMs, (lines, walk) => collectLines(request, lines, walk)),
    engine: Effect.succeed(description)
  })
