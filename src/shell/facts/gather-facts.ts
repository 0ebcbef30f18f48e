import { Effect } from "effect"
import { analyse, globsOf, pathsOf } from "../../core/permission/bash/analysis/analyse.ts"
import type { ShellAnalysis } from "../../core/permission/bash/shell-analysis.ts"
import type { ParseShell } from "../../core/permission/bash/syntax.ts"
import { type CallFacts, NO_FACTS, parserFrom, recordingParser } from "../../core/permission/facts.ts"
import type { FactsWanted } from "../../core/permission/decide/facts-wanted.ts"
import { escapePath } from "../../core/domain/path/glob.ts"
import type { PathFact } from "../../core/domain/path/path-components.ts"
import { Files } from "../../core/ports/Files.ts"
import { Git } from "../../core/ports/Git.ts"
import { ShellParser } from "../../core/ports/ShellParser.ts"
import { reachesBelow, takesAll } from "../../core/permission/decide/touch-check.ts"
import { expandGlob } from "./expand-glob.ts"
import { scanDirectory, type ScanDirectory } from "./scan-directory.ts"
import { knownDirectories, putInto } from "./copy-destinations.ts"
import { trackedBelow } from "./tracked-files.ts"

/** Finds out what a decision depends on: where paths lead, how commands parse, what a repository configures. */
export type FactPorts = Files | Git | ShellParser

/** Where paths lead. One that cannot be followed gets no fact, and the decision treats it as unknown. */
const resolved = (files: Files["Service"], paths: Iterable<string>): Effect.Effect<ReadonlyArray<PathFact>> =>
  Effect.map(files.resolveAll([...new Set(paths)]), (found) => found.filter((fact): fact is PathFact => fact !== undefined))

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

/** How commands are read. */
export interface Reader {
  readonly parse: ParseShell
  readonly parserProblem?: string
}

/** Without a parser every command asks, and the question says why; deny rules still see the raw text. */
export const loadedReader: Effect.Effect<Reader, never, ShellParser> = Effect.flatMap(ShellParser, ({ load }) =>
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

/** Facts, and what was made of the commands on the way. */
export interface Gathered {
  readonly facts: CallFacts
  readonly analysed: ReadonlyMap<string, ShellAnalysis>
}

/** What the commands say by themselves, before anybody looked at the places that they name. */
export interface CommandsRead {
  readonly analysed: Gathered["analysed"]
  readonly known: Pick<CallFacts, "syntax" | "parserProblem" | "repository">
}

const NOTHING_READ: CommandsRead = { analysed: new Map(), known: { syntax: NO_FACTS.syntax } }

export const readCommands = (wanted: FactsWanted, { parse, ...problem }: Reader, git: Git["Service"]): CommandsRead => {
  const { commands, place } = wanted
  if (commands.length === 0) return NOTHING_READ
  const recording = recordingParser(parse)
  const repository = commands.some((command) => RUNS_GIT.test(command)) ? git.configuration(place.cwd) : undefined
  const configured = repository === undefined ? {} : { repository }
  const analysed = new Map(
    commands.map((command) => [command, analyse(command, { ...place, parse: recording.parse, ...configured })])
  )
  return { analysed, known: { syntax: recording.parsed(), ...problem, ...configured } }
}

export interface FactSources {
  readonly look: ScanDirectory
  readonly git: Git["Service"]
}

/** Looks at the places that the call and its commands name. */
export const gatherPlaces = Effect.fnUntraced(function* (
  wanted: FactsWanted,
  { analysed, known }: CommandsRead,
  { look, git }: FactSources
): Effect.fn.Return<Gathered, never, Files> {
  const files = yield* Files
  const analyses = [...analysed.values()]
  const patterns = analyses.flatMap(globsOf)
  const globs = patterns.length === 0 ? [] : yield* Effect.forEach(new Set(patterns), expandGlob)
  const starts = wanted.ruleStarts.length === 0 ? [] : yield* resolved(files, wanted.ruleStarts)
  const ruleLinks = starts.filter(({ path, realPath }) => path !== realPath)
  const watched = followed(wanted.watched, ruleLinks)
  const whole = wholeDirectories(analyses, watched.length > 0)
  const below = whole.length === 0 ? [] : yield* Effect.forEach(whole, (path) => look(path, watched))
  const directories = yield* knownDirectories(analyses)
  const tracked = trackedBelow(analyses, { watched, repository: known.repository, git })
  const paths = yield* resolved(files, [
    ...wanted.paths,
    ...analyses.flatMap(pathsOf),
    ...globs.flatMap(({ matches }) => matches),
    ...putInto(analyses, { globs, ...directories })
  ])
  const links = ruleLinks.length === 0 ? {} : { ruleLinks }
  return { facts: { paths, ...links, ...known, globs, ...directories, ...tracked, below }, analysed }
})

export const gather = Effect.fnUntraced(function* (
  wanted: FactsWanted,
  reader?: Reader
): Effect.fn.Return<Gathered, never, FactPorts> {
  const git = yield* Git
  const read = wanted.commands.length === 0 ? NOTHING_READ : readCommands(wanted, reader ?? (yield* loadedReader), git)
  return yield* gatherPlaces(wanted, read, { look: scanDirectory, git })
})

/** With facts of an earlier look the commands need not be parsed again. */
export const gatherFacts = (wanted: FactsWanted, earlier?: CallFacts): Effect.Effect<CallFacts, never, FactPorts> =>
  Effect.map(gather(wanted, earlier === undefined ? undefined : readerFrom(earlier)), ({ facts }) => facts)
