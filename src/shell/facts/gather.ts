import { Effect } from "effect"
import { analyse, globsOf, pathsOf } from "../../core/permission/shell/analyse.ts"
import type { RepositoryFacts, ShellAnalysis } from "../../core/permission/shell/analysis.ts"
import type { ParseShell } from "../../core/permission/shell/syntax.ts"
import { type CallFacts, NO_FACTS, parserFrom, recordingParser } from "../../core/permission/facts.ts"
import type { FactsWanted } from "../../core/permission/facts-wanted.ts"
import { isInside } from "../../core/permission/path-scope.ts"
import { escapePath } from "../../core/permission/path-pattern.ts"
import type { PathFact } from "../../core/permission/need.ts"
import { Files } from "../../core/ports/Files.ts"
import { Git } from "../../core/ports/Git.ts"
import { ShellParser } from "../../core/ports/ShellParser.ts"
import { putPlaces, targetsOf } from "../../core/permission/put-into.ts"
import { remembered } from "../../core/permission/remember.ts"
import { reachesBelow, takesAll } from "../../core/permission/touch-check.ts"
import { expandGlob } from "./expand-glob.ts"
import { lookBelow, type LookBelow } from "./look-below.ts"
import { watchedAmong } from "./watched-among.ts"

/** Finds out what a decision depends on: where paths lead, how commands parse, what a repository configures. */
export type FactPorts = Files | Git | ShellParser

/** Where paths lead. One that cannot be followed gets no fact, and the decision treats it as unknown. */
const resolved = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
  const files = yield* Files
  const found = yield* Effect.forEach(new Set(paths), (path) =>
    Effect.orElseSucceed(files.resolve(path), () => undefined)
  )
  return found.filter((fact): fact is PathFact => fact !== undefined)
})

/** Links that rules spell out. */
const rulesLinks = Effect.fnUntraced(function* ({ ruleStarts }: FactsWanted): Effect.fn.Return<Pick<CallFacts, "ruleLinks">, never, Files> {
  const links = (yield* resolved(ruleStarts)).filter(({ path, realPath }) => path !== realPath)
  return links.length === 0 ? {} : { ruleLinks: links }
})

const escaped = (path: string): string => path.split("/").map(escapePath).join("/")

/** What rules name through a link, under the names that it has where the link leads. */
const followed = (watched: ReadonlyArray<string>, links: ReadonlyArray<PathFact>): ReadonlyArray<string> => [
  ...watched,
  ...links.flatMap(({ path, realPath }) => [
    escaped(realPath),
    ...watched
      .filter((pattern) => pattern.startsWith(`${escaped(path)}/`))
      .map((pattern) => `${escaped(realPath)}${pattern.slice(escaped(path).length)}`)
  ])
]

interface Reader {
  readonly parse: ParseShell
  readonly parserProblem?: string
}

/** Without a parser every command asks, and the question says why; deny rules still see the raw text. */
const loadedParser: Effect.Effect<Reader, never, ShellParser> = Effect.flatMap(ShellParser, ({ load }) =>
  load.pipe(
    Effect.map((parse): Reader => ({ parse })),
    Effect.catchTag("ShellParserFailure", ({ message }) =>
      Effect.succeed<Reader>({ parse: () => undefined, parserProblem: message })
    )
  )
)

const readerFrom = (facts: CallFacts): Reader => ({
  parse: parserFrom(facts),
  ...(facts.parserProblem === undefined ? {} : { parserProblem: facts.parserProblem })
})

const RUNS_GIT = /\bgit\b/

/** Directories that go away, move, are copied or searched as a whole; with rules about paths, whatever is gone into. */
const wholeDirectories = (analyses: ReadonlyArray<ShellAnalysis>, hasWatched: boolean): ReadonlyArray<string> => [
  ...new Set(
    analyses.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.touches.flatMap((touch) => {
          const isWhole = takesAll(part, touch) || (hasWatched && reachesBelow(part, touch))
          return touch.path !== undefined && touch.tracked !== true && isWhole ? [touch.path] : []
        })
      )
    )
  )
]

/** Which of the places that something is put into are directories, now or by then. */
const knownDirectories = Effect.fnUntraced(function* (analyses: ReadonlyArray<ShellAnalysis>) {
  const { asked, made } = targetsOf(analyses)
  if (asked.length + made.length === 0) return {}
  const files = yield* Files
  const found = yield* Effect.filter(asked, (path) =>
    files.stat(path).pipe(
      Effect.map(({ kind }) => kind === "directory"),
      Effect.orElseSucceed(() => false)
    )
  )
  return { directories: [...found, ...made] }
})

const putInto = (analyses: ReadonlyArray<ShellAnalysis>, facts: Pick<CallFacts, "globs" | "directories">) =>
  analyses.flatMap(({ parts }) => parts.flatMap(({ touches }) => touches.flatMap((touch) => putPlaces(touch, facts))))

interface Watching {
  readonly watched: ReadonlyArray<string>
  readonly repository: RepositoryFacts | undefined
  readonly git: Git["Service"]
}

/** What rules name among the files that git goes through, where it goes through all that it knows. */
const trackedBelow = (
  analyses: ReadonlyArray<ShellAnalysis>,
  { watched, repository, git }: Watching
): Pick<CallFacts, "tracked"> => {
  if (watched.length === 0) return {}
  const trees = new Set(
    analyses.flatMap(({ parts }) =>
      parts.flatMap(({ touches }) => touches.flatMap(({ tracked, path }) => (tracked === true && path !== undefined ? [path] : [])))
    )
  )
  if (trees.size === 0) return {}
  const root = repository?.root
  const around = remembered(git.trackedFiles)
  return {
    tracked: Array.from(trees, (path) => {
      const start = root !== undefined && isInside(root, path) ? root : path
      const files = around(start)?.filter((file) => isInside(path, file))
      return { path, watched: files === undefined ? undefined : watchedAmong(files, watched) }
    })
  }
}

const commandFacts = Effect.fnUntraced(function* (wanted: FactsWanted, { parse, ...problem }: Reader, look: LookBelow) {
  const { commands, place } = wanted
  const git = yield* Git
  const recording = recordingParser(parse)
  const repository = commands.some((command) => RUNS_GIT.test(command)) ? git.configuration(place.cwd) : undefined
  const known = repository === undefined ? {} : { repository }
  const analysed = new Map(
    commands.map((command) => [command, analyse(command, { ...place, parse: recording.parse, ...known })])
  )
  const analyses = [...analysed.values()]
  const globs = yield* Effect.forEach(new Set(analyses.flatMap(globsOf)), expandGlob)
  const links = yield* rulesLinks(wanted)
  const watched = followed(wanted.watched, links.ruleLinks ?? [])
  const below = yield* Effect.forEach(wholeDirectories(analyses, watched.length > 0), (path) =>
    look(path, watched)
  )
  const directories = yield* knownDirectories(analyses)
  const tracked = trackedBelow(analyses, { watched, repository, git })
  const paths = yield* resolved([
    ...wanted.paths,
    ...analyses.flatMap(pathsOf),
    ...globs.flatMap(({ matches }) => matches),
    ...putInto(analyses, { globs, ...directories })
  ])
  const facts: CallFacts = { paths, ...links, syntax: recording.parsed(), ...problem, ...known, globs, ...directories, ...tracked, below }
  return { facts, analysed } satisfies Gathered
})

/** Facts, and what was made of the commands on the way. */
export interface Gathered {
  readonly facts: CallFacts
  readonly analysed: ReadonlyMap<string, ShellAnalysis>
}

const NOTHING_ANALYSED: Gathered["analysed"] = new Map()

export interface GatherOptions {
  /** With facts of an earlier look the commands need not be parsed again. */
  readonly earlier?: CallFacts | undefined
  readonly look?: LookBelow
}

export const gather = Effect.fnUntraced(function* (
  wanted: FactsWanted,
  { earlier, look = lookBelow }: GatherOptions = {}
): Effect.fn.Return<Gathered, never, FactPorts> {
  if (wanted.commands.length === 0) {
    const paths = yield* resolved(wanted.paths)
    return { facts: { ...NO_FACTS, paths, ...(yield* rulesLinks(wanted)) }, analysed: NOTHING_ANALYSED }
  }
  return yield* commandFacts(wanted, earlier === undefined ? yield* loadedParser : readerFrom(earlier), look)
})

export const gatherFacts = (
  wanted: FactsWanted,
  earlier?: CallFacts
): Effect.Effect<CallFacts, never, FactPorts> => Effect.map(gather(wanted, { earlier }), ({ facts }) => facts)
