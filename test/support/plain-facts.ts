import { Effect } from "effect"
import { layer } from "../../src/adapters/shell-parser/layer.ts"
import { type CallFacts, recordingParser } from "../../src/core/permission/facts.ts"
import type { FactsWanted } from "../../src/core/permission/decide/facts-wanted.ts"
import type { PathFact } from "../../src/core/domain/path/path-components.ts"
import { putPlaces } from "../../src/core/permission/decide/copy-destinations.ts"
import { analyse } from "../../src/core/permission/bash/analysis/analyse.ts"
import type { RepositoryFacts } from "../../src/core/permission/bash/shell-analysis.ts"
import { ShellParser } from "../../src/core/ports/ShellParser.ts"

/** Real syntax, and a file system in which every path leads where it says unless a test says otherwise. */
export const parseShell = await Effect.runPromise(
  Effect.provide(
    Effect.flatMap(ShellParser, ({ load }) => load),
    layer
  )
)

export const plainPath = (path: string, realPath = path): PathFact => ({ path, realPath, exists: true })

export interface World {
  readonly paths?: ReadonlyArray<PathFact>
  readonly globs?: CallFacts["globs"]
  readonly below?: CallFacts["below"]
  readonly directories?: ReadonlyArray<string>
  readonly tracked?: CallFacts["tracked"]
  readonly lost?: CallFacts["lost"]
  readonly repository?: RepositoryFacts
}

/** An ordinary repository. */
const PLAIN_REPOSITORY: RepositoryFacts = { entries: [], looksBare: false }

export const plainFacts = (wanted: FactsWanted, world: World = {}): CallFacts => {
  const recording = recordingParser(parseShell)
  const repository = world.repository ?? PLAIN_REPOSITORY
  const touches = wanted.commands.flatMap((command) =>
    analyse(command, { ...wanted.place, parse: recording.parse, repository }).parts.flatMap((part) => part.touches)
  )
  const globs = touches.flatMap(({ glob }) =>
    glob === undefined ? [] : [world.globs?.find((known) => known.glob === glob) ?? { glob, matches: [], complete: true }]
  )
  const directories = world.directories ?? []
  const paths = new Set([
    ...wanted.paths,
    ...touches.flatMap(({ path }) => (path === undefined ? [] : [path])),
    ...globs.flatMap(({ matches }) => matches),
    ...touches.flatMap((touch) => putPlaces(touch, { globs, directories }))
  ])
  return {
    paths: Array.from(paths, (path) => world.paths?.find((known) => known.path === path) ?? plainPath(path)),
    syntax: recording.parsed(),
    repository,
    globs,
    directories,
    ...(world.tracked === undefined ? {} : { tracked: world.tracked }),
    ...(world.lost === undefined ? {} : { lost: world.lost }),
    below: world.below ?? []
  }
}
