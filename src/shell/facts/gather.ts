import { Effect } from "effect"
import { analyse, globsOf, pathsOf } from "../../core/permission/shell/analyse.ts"
import type { ShellAnalysis } from "../../core/permission/shell/analysis.ts"
import type { ParseShell } from "../../core/permission/shell/syntax.ts"
import { type CallFacts, NO_FACTS, parserFrom, recordingParser } from "../../core/permission/facts.ts"
import type { FactsWanted } from "../../core/permission/facts-wanted.ts"
import type { PathFact } from "../../core/permission/need.ts"
import { Files } from "../../core/ports/Files.ts"
import { Git } from "../../core/ports/Git.ts"
import { ShellParser } from "../../core/ports/ShellParser.ts"
import { takesAll } from "../../core/permission/touch-check.ts"
import { expandGlob } from "./expand-glob.ts"
import { lookBelow } from "./look-below.ts"

/** Finds out what a decision depends on: where paths lead, how commands parse, what a repository configures. */
export type FactPorts = Files | Git | ShellParser

const CONCURRENT = 8

/** Where paths lead. One that cannot be followed gets no fact, and the decision treats it as unknown. */
const resolved = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
  const files = yield* Files
  const found = yield* Effect.forEach(
    [...new Set(paths)],
    (path) =>
      files.resolve(path).pipe(
        Effect.map((fact): ReadonlyArray<PathFact> => [fact]),
        Effect.orElseSucceed((): ReadonlyArray<PathFact> => [])
      ),
    { concurrency: CONCURRENT }
  )
  return found.flat()
})

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

/** Directories that go away, move, are copied or searched as a whole. */
const wholeDirectories = (analyses: ReadonlyArray<ShellAnalysis>): ReadonlyArray<string> => [
  ...new Set(
    analyses.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.touches.flatMap((touch) => (touch.path !== undefined && takesAll(part, touch) ? [touch.path] : []))
      )
    )
  )
]

const commandFacts = Effect.fnUntraced(function* (wanted: FactsWanted, { parse, ...problem }: Reader) {
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
  const below = yield* Effect.forEach(wholeDirectories(analyses), lookBelow)
  const paths = yield* resolved([
    ...wanted.paths,
    ...analyses.flatMap(pathsOf),
    ...globs.flatMap(({ matches }) => matches)
  ])
  const facts: CallFacts = { paths, syntax: recording.parsed(), ...problem, ...known, globs, below }
  return { facts, analysed } satisfies Gathered
})

/** Facts, and what was made of the commands on the way. */
export interface Gathered {
  readonly facts: CallFacts
  readonly analysed: ReadonlyMap<string, ShellAnalysis>
}

const NOTHING_ANALYSED: Gathered["analysed"] = new Map()

/** With facts of an earlier look the commands need not be parsed again. */
export const gather = Effect.fnUntraced(function* (
  wanted: FactsWanted,
  earlier?: CallFacts
): Effect.fn.Return<Gathered, never, FactPorts> {
  if (wanted.commands.length === 0) {
    return { facts: { ...NO_FACTS, paths: yield* resolved(wanted.paths) }, analysed: NOTHING_ANALYSED }
  }
  return yield* commandFacts(wanted, earlier === undefined ? yield* loadedParser : readerFrom(earlier))
})

export const gatherFacts = (
  wanted: FactsWanted,
  earlier?: CallFacts
): Effect.Effect<CallFacts, never, FactPorts> => Effect.map(gather(wanted, earlier), ({ facts }) => facts)
