import { type CallFacts, globFact } from "../facts.ts"
import { componentsAsSpelled } from "../../domain/path/path-components.ts"
import type { ShellAnalysis, Touch } from "../bash/shell-analysis.ts"

/** What is put into a directory is written there under its own name. */
export const putPlaces = ({ path, into }: Touch, facts: Pick<CallFacts, "globs" | "directories">): ReadonlyArray<string> => {
  if (path === undefined || into === undefined) return []
  if (into.isDirectory !== true && facts.directories?.includes(path) !== true) return []
  const matched = into.globs.flatMap((glob) => globFact(facts, glob)?.matches ?? [])
  const names = [...into.names, ...matched.map((match) => componentsAsSpelled(match).at(-1) ?? "")]
  return names.map((name) => `${path === "/" ? "" : path}/${name}`)
}

export interface Targets {
  /** Something is put there, and whether that is a directory must be looked up. */
  readonly asked: ReadonlyArray<string>
  /** The same, but an earlier part of the text makes it a directory. */
  readonly made: ReadonlyArray<string>
}

/** Places that something is put into or becomes. */
export const targetsOf = (analyses: ReadonlyArray<ShellAnalysis>): Targets => {
  const parts = analyses.flatMap((analysis) => analysis.parts)
  const targets = parts.flatMap(({ touches }) =>
    touches.flatMap(({ into, path }) =>
      into === undefined || into.isDirectory === true || path === undefined ? [] : [path]
    )
  )
  if (targets.length === 0) return { asked: [], made: [] }
  const made = new Set(
    parts.flatMap(({ program, touches }) => (program === "mkdir" ? touches.flatMap(({ path }) => path ?? []) : []))
  )
  const all = [...new Set(targets)]
  return { asked: all.filter((path) => !made.has(path)), made: all.filter((path) => made.has(path)) }
}
