import { Effect } from "effect"
import type { Env } from "../../core/domain/env.ts"
import type { LostFact } from "../../core/permission/facts.ts"
import type { Danger, ShellAnalysis } from "../../core/permission/bash/shell-analysis.ts"
import type { GitSettings } from "../system/run-git.ts"

/** What a command that loses work would lose right now, for the question about it. */
type Lossy = NonNullable<Danger["loses"]>

const STATUS = ["status", "--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=all"]
const LISTS: Partial<Record<Lossy, ReadonlyArray<ReadonlyArray<string>>>> = {
  stashes: [["stash", "list", "-z", "--format=%gd %s"]],
  // What a forced push overwrites, and what no other branch and no remote has.
  commits: [
    ["log", "-z", "-n", "100", "--format=%h %s", "HEAD..@{upstream}"],
    ["log", "-z", "-n", "100", "--format=%h %s", "--branches", "--not", "--remotes", "HEAD"]
  ]
}

const MOST_NAMED = 100

interface Place {
  readonly directory: string
  readonly env: Env
}

/** What is written at the beginning of a line about a file that git does not know. */
const UNKNOWN = "??"

const lostOf = async (kind: Lossy, place: Place, settings: GitSettings): Promise<ReadonlyArray<string> | undefined> => {
  const { runGit } = await import("../system/run-git.ts")
  const ask = async (args: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    const output = await runGit({ ...place, settings, args })
    return output
      .toString("utf8")
      .split("\0")
      .filter((entry) => entry !== "")
  }
  if (kind === "files" || kind === "untracked") {
    const entries = await ask(STATUS)
    return entries.filter((entry) => entry.startsWith(UNKNOWN) === (kind === "untracked")).map((entry) => entry.slice(3))
  }
  const lists = LISTS[kind]
  if (lists === undefined) return undefined
  // Without an upstream there is nothing to compare with.
  const found = await Promise.all(lists.map((args) => ask(args).catch(() => [])))
  return [...new Set(found.flat())]
}

const look = async (kinds: ReadonlyArray<Lossy>, place: Place): Promise<ReadonlyArray<LostFact>> => {
  const { withoutFilters } = await import("../system/run-git.ts")
  const settings = await withoutFilters(place)
  const facts: Array<LostFact> = []
  for (const kind of kinds) {
    const names = await lostOf(kind, place, settings).catch(() => undefined)
    if (names !== undefined) facts.push({ kind, names: names.slice(0, MOST_NAMED), count: names.length })
  }
  return facts
}

/** Nothing is looked up for commands that lose nothing. Without git the question only says what kind of thing goes. */
export const lossesOf = (analyses: ReadonlyArray<ShellAnalysis>, place: Place): Effect.Effect<ReadonlyArray<LostFact>> => {
  const kinds = new Set(
    analyses.flatMap(({ parts }) =>
      parts.flatMap(({ danger, program }) =>
        program === "git" && danger?.kind === "destructive" && danger.loses !== undefined ? [danger.loses] : []
      )
    )
  )
  if (kinds.size === 0) return Effect.succeed([])
  return Effect.tryPromise(() => look([...kinds], place)).pipe(Effect.orElseSucceed(() => []))
}
