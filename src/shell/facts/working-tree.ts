import { Effect } from "effect"
import { cutText } from "../../core/tools/contract/result-size.ts"
import type { Env } from "../../core/domain/env.ts"

const MOST_CHARS = 4_000

const STATUS = ["status", "--porcelain=v1", "--branch", "--no-renames", "--ignore-submodules=all"]

const statusOf = async (directory: string, env: Env): Promise<string> => {
  const { runGit, withoutFilters } = await import("../system/run-git.ts")
  const settings = await withoutFilters({ directory, env })
  const output = await runGit({ directory, env, settings, args: STATUS })
  return cutText(output.toString("utf8").trimEnd(), MOST_CHARS, "the list is long")
}

/** What stands uncommitted in the repository around a directory; undefined outside of any, or when git does not say. */
export const workingTreeOf = (directory: string, env: Env): Effect.Effect<string | undefined> =>
  Effect.tryPromise(() => statusOf(directory, env)).pipe(Effect.orElseSucceed(() => undefined))
