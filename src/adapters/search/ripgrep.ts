import { Effect, Option } from "effect"
import { type GlobRequest, type Scope, Search, SearchFailure } from "../../core/ports/Search.ts"
import type { FileCount, Found, GrepLine } from "../../core/tools/search/search-result.ts"
import { comparePaths } from "../../core/tools/search/order.ts"
import { sortNewest } from "./newest.ts"
import * as args from "./ripgrep-args.ts"
import { countReader, lineReader, type OutputReader, pathReader } from "./ripgrep-output.ts"
import { type Ending, runRipgrep } from "./ripgrep-process.ts"

/** Search by the ripgrep program. Exit 1 is "nothing found"; exit 2 keeps what was found and says what went wrong. */
interface Query<Entry> {
  readonly args: ReadonlyArray<string>
  readonly timeoutMs: number
  readonly reader: (entries: Array<Entry>) => OutputReader
}

const BUSY = /\bos error 11\b|EAGAIN|Resource temporarily unavailable/
const BAD_PATTERN = /regex parse error|error parsing glob|unrecognized file type|literal .* not allowed|PCRE2/

const isBusy = (ending: Ending): boolean =>
  (ending._tag === "Broken" && BUSY.test(ending.reason)) ||
  (ending._tag === "Exited" && ending.code === 2 && BUSY.test(ending.stderr))

const diagnosis = (stderr: string): string => {
  const lines = stderr.trim().split("\n")
  const shown = lines.slice(0, 12).join("\n")
  return lines.length > 12 ? `${shown}\n(${lines.length - 12} more lines)` : shown
}

const conclude = <Entry>(ending: Ending, entries: ReadonlyArray<Entry>): Effect.Effect<Found<Entry>, SearchFailure> => {
  if (ending._tag === "Broken") {
    return Effect.fail(new SearchFailure({ kind: "engine", message: `ripgrep did not run: ${ending.reason}` }))
  }
  if (ending._tag !== "Exited") return Effect.succeed({ entries, complete: ending._tag === "Stopped" })
  if (ending.code === 0 || ending.code === 1) return Effect.succeed({ entries, complete: true })
  const message = diagnosis(ending.stderr) || `ripgrep ended with code ${ending.code}`
  if (entries.length > 0) return Effect.succeed({ entries, complete: true, warning: message })
  const kind = BAD_PATTERN.test(ending.stderr) ? "pattern" : "engine"
  return Effect.fail(new SearchFailure({ kind, message }))
}

const collect = <Entry>(command: string, query: Query<Entry>): Effect.Effect<Found<Entry>, SearchFailure> =>
  Effect.suspend(() => {
    let entries: Array<Entry> = []
    const attempt = (extra: ReadonlyArray<string>) =>
      Effect.promise((signal) => {
        entries = []
        return runRipgrep({ command, args: [...extra, ...query.args], reader: query.reader(entries), signal })
      })
    return attempt([]).pipe(
      Effect.flatMap((ending) => (isBusy(ending) ? attempt(["--threads=1"]) : Effect.succeed(ending))),
      Effect.timeoutOption(query.timeoutMs),
      Effect.flatMap(
        Option.match({
          onNone: () => Effect.succeed({ entries, complete: false }),
          onSome: (ending) => conclude(ending, entries)
        })
      )
    )
  })

const ANYTHING = (): boolean => true

const pathsInto =
  ({ shows = ANYTHING }: Scope) =>
  (entries: Array<string>): OutputReader =>
    pathReader((path) => {
      if (shows(path)) entries.push(path)
    })

const sorted = (found: Found<string>): Effect.Effect<Found<string>> =>
  Effect.map(sortNewest(found.entries), (entries) => ({ ...found, entries }))

/** Ripgrep itself matches the usual request; otherwise it lists and the names are matched here. */
const globReader = Effect.fnUntraced(function* (request: GlobRequest) {
  const { shows = ANYTHING } = request
  if (args.matchesNatively(request)) return pathsInto(request)
  const { nameMatcher } = yield* Effect.promise(() => import("./glob-match.ts"))
  const matches = nameMatcher(request.pattern, request.root)
  return (entries: Array<string>): OutputReader =>
    pathReader((path) => {
      if (matches(path) && shows(path)) entries.push(path)
    })
})

const byPath = (counts: ReadonlyArray<FileCount>): ReadonlyArray<FileCount> =>
  counts.toSorted((left, right) => comparePaths(left.path, right.path))

export const makeRipgrep = (command: string, description: string) =>
  Search.of({
    glob: Effect.fnUntraced(function* (request) {
      const reader = yield* globReader(request)
      const found = yield* collect<string>(command, {
        args: args.globArgs(request),
        timeoutMs: request.timeoutMs,
        reader
      })
      return yield* sorted(found)
    }),
    names: Effect.fnUntraced(function* (request) {
      const { globVerdict } = yield* Effect.promise(() => import("./glob-match.ts"))
      const verdict = globVerdict(request.globs, request.root)
      const shows = (path: string): boolean =>
        verdict({ path, directory: false }) !== "exclude" && request.shows?.(path) !== false
      return yield* collect<string>(command, {
        args: args.namesArgs(request),
        timeoutMs: request.timeoutMs,
        reader: pathsInto({ ...request, shows })
      })
    }),
    grepFiles: (request) =>
      collect<string>(command, {
        args: args.grepFilesArgs(request),
        timeoutMs: request.timeoutMs,
        reader: pathsInto(request)
      }).pipe(Effect.flatMap(sorted)),
    grepCounts: (request) =>
      collect<FileCount>(command, {
        args: args.grepCountsArgs(request),
        timeoutMs: request.timeoutMs,
        reader: (entries) =>
          countReader(request.root, (count) => {
            if (request.shows?.(count.path) !== false) entries.push(count)
          })
      }).pipe(Effect.map((found) => ({ ...found, entries: byPath(found.entries) }))),
    grepLines: (request) =>
      collect<GrepLine>(command, {
        args: args.grepLinesArgs(request),
        timeoutMs: request.timeoutMs,
        reader: (entries) =>
          lineReader(request.root, (line) => {
            const isShown = line.kind === "separator" || request.shows?.(line.path) !== false
            return !isShown || entries.push(line) < request.stopAfter
          })
      }),
    engine: Effect.succeed(description)
  })
