import { Effect } from "effect"
import type { CallFacts } from "../../core/permission/facts.ts"
import { putPlaces, targetsOf } from "../../core/permission/decide/copy-destinations.ts"
import type { ShellAnalysis } from "../../core/permission/bash/shell-analysis.ts"
import { Files } from "../../core/ports/Files.ts"

type Directories = Pick<CallFacts, "directories">

const NO_DIRECTORIES: Effect.Effect<Directories> = Effect.succeed({})

const isDirectory = (path: string): Effect.Effect<boolean, never, Files> =>
  Effect.flatMap(Files, (files) =>
    files.stat(path).pipe(
      Effect.map(({ kind }) => kind === "directory"),
      Effect.orElseSucceed(() => false)
    )
  )

/** Which of the places that something is put into are directories, now or by then. */
export const knownDirectories = (analyses: ReadonlyArray<ShellAnalysis>): Effect.Effect<Directories, never, Files> => {
  const { asked, made } = targetsOf(analyses)
  if (asked.length + made.length === 0) return NO_DIRECTORIES
  return Effect.map(Effect.filter(asked, isDirectory), (found) => ({ directories: [...found, ...made] }))
}

/** The places that come to be where something is put into a directory. */
export const putInto = (analyses: ReadonlyArray<ShellAnalysis>, facts: Pick<CallFacts, "globs" | "directories">) =>
  analyses.flatMap(({ parts }) => parts.flatMap(({ touches }) => touches.flatMap((touch) => putPlaces(touch, facts))))
