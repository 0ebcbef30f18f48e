import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import type { CheckoutFacts } from "../../core/settings/trust/trusted-folder.ts"
import type { GitValue } from "../../core/context/sources/source.ts"
import type { Env } from "../../core/domain/env.ts"

/** The repository as it is now, for the model. What git does not say in time, or at all, is left out. */

const TIMEOUT_MS = 5_000
const COMMITS = 5

const USER_NAME = "user.name"

/** The file in which git keeps the branch that the remote one is about; a linked worktree shares that of its repository. */
const defaultBranchOf = async ({ root, linked }: CheckoutFacts): Promise<string | undefined> => {
  const directory = linked === undefined ? join(root, ".git") : join(linked.gitDir, "..", "..")
  const head = await readFile(join(directory, "refs", "remotes", "origin", "HEAD"), "utf8").catch(() => "")
  return /^ref: refs\/remotes\/origin\/(\S+)\s*$/.exec(head)?.[1]
}

/** Every process that is started holds up the session, so there are as few as can be. */
const read = async ({ directory, env, checkout }: SnapshotPlace): Promise<Omit<GitValue, "branch">> => {
  const { FILTERS, readConfiguration, runGit, turnOffFilters } = await import("../system/run-git.ts")
  const configuration = readConfiguration({ directory, env }, `${FILTERS}|^user\\.name$`)
  const status = async (): Promise<Buffer> => {
    const settings = turnOffFilters((await configuration).map(([key]) => key))
    return runGit({ directory, env, settings, args: ["status", "--short", "--ignore-submodules=all"] })
  }
  const log = runGit({ directory, env, args: ["log", `-${COMMITS}`, "--format=%h %s"] }).catch(() => Buffer.alloc(0))
  const [found, commits, configured, defaultBranch] = await Promise.all([
    status(),
    log,
    configuration,
    defaultBranchOf(checkout)
  ])
  const userName = configured.findLast(([key]) => key === USER_NAME)?.[1].trim() ?? ""
  return {
    status: found.toString("utf8").trimEnd(),
    commits: commits
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== ""),
    ...(userName === "" ? {} : { userName }),
    ...(defaultBranch === undefined ? {} : { defaultBranch })
  }
}

export interface SnapshotPlace {
  readonly directory: string
  readonly env: Env
  readonly checkout: CheckoutFacts
}

export const gitSnapshot = (place: SnapshotPlace, branch: string): Effect.Effect<GitValue | undefined> =>
  Effect.tryPromise(() => read(place)).pipe(
    Effect.map((rest) => ({ branch, ...rest })),
    Effect.timeout(TIMEOUT_MS),
    Effect.orElseSucceed(() => undefined)
  )
