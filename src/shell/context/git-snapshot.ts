import { Effect } from "effect"
import type { GitValue } from "../../core/context/sources/source.ts"
import type { Env } from "../../core/domain/env.ts"

/** The repository as it is now, for the model. What git does not say in time, or at all, is left out. */

const TIMEOUT_MS = 5_000
const COMMITS = 5

const read = async (directory: string, env: Env): Promise<Omit<GitValue, "branch">> => {
  const { runGit, withoutFilters } = await import("../system/run-git.ts")
  const settings = withoutFilters({ directory, env })
  const ask = async (...args: ReadonlyArray<string>): Promise<string> =>
    (await runGit({ directory, env, args, settings: await settings })).toString("utf8").trimEnd()
  const orNothing = (answer: Promise<string>): Promise<string> => answer.catch(() => "")
  const [status, commits, userName, head] = await Promise.all([
    ask("status", "--short", "--ignore-submodules=all"),
    orNothing(ask("log", `-${COMMITS}`, "--format=%h %s")),
    orNothing(ask("config", "user.name")),
    orNothing(ask("symbolic-ref", "--short", "refs/remotes/origin/HEAD"))
  ])
  return {
    status,
    commits: commits === "" ? [] : commits.split("\n"),
    ...(userName === "" ? {} : { userName }),
    ...(head === "" ? {} : { defaultBranch: head.replace(/^origin\//, "") })
  }
}

export const gitSnapshot = (directory: string, branch: string, env: Env): Effect.Effect<GitValue | undefined> =>
  Effect.tryPromise(() => read(directory, env)).pipe(
    Effect.map((rest) => ({ branch, ...rest })),
    Effect.timeout(TIMEOUT_MS),
    Effect.orElseSucceed(() => undefined)
  )
