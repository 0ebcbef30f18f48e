/** Whether the sandbox works here, found out by running something harmless in it. */
import { readFileSync, realpathSync } from "node:fs"
import { delimiter, join } from "node:path"
import { Effect } from "effect"
import { searchPathOutside, isForeignDirectory } from "../../core/domain/path/search-path.ts"
import type { Process } from "../../core/ports/Process.ts"
import type { SandboxProbe } from "../../core/sandbox/availability.ts"
import { isExecutable } from "../system/is-executable.ts"

export const SANDBOX_EXEC = "/usr/bin/sandbox-exec"

const TRIAL_MS = 10_000
const TRIAL_OUTPUT_BYTES = 16_384

const realOrSelf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const here = (): ReadonlyArray<string> => [realOrSelf(process.cwd())]

/** Without what the folder at hand could have put there. */
export const searchPath = (): string => searchPathOutside(process.env["PATH"], here())

/** The first `bwrap` in PATH, never one of the folder at hand, also not by a link. */
export const findBwrap = (named: string | undefined): string | undefined =>
  named ??
  searchPath()
    .split(delimiter)
    .map((directory) => join(directory, "bwrap"))
    .find((program) => isExecutable(program) && isForeignDirectory(realOrSelf(program), here()))

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

const kernelFacts = () => {
  const apparmorRestricts = textOf("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
  const namespacesAllowed = textOf("/proc/sys/kernel/unprivileged_userns_clone")
  const namespaceLimit = textOf("/proc/sys/user/max_user_namespaces")
  return {
    ...(apparmorRestricts === undefined ? {} : { apparmorRestricts }),
    ...(namespacesAllowed === undefined ? {} : { namespacesAllowed }),
    ...(namespaceLimit === undefined ? {} : { namespaceLimit })
  }
}

export interface Trial {
  readonly file: string
  readonly args: ReadonlyArray<string>
}

/** What the system offers, with the outcome of the trial; none is made when there is no program for it. */
export const probe = Effect.fnUntraced(function* (processes: Process["Service"], trial: Trial | undefined) {
  const facts = {
    platform: process.platform,
    architecture: process.arch,
    isRoot: process.getuid?.() === 0,
    ...(trial === undefined ? {} : { program: trial.file }),
    ...kernelFacts()
  }
  if (trial === undefined) return { ...facts, trial: null } satisfies SandboxProbe
  const outcome = yield* processes
    .run({
      ...trial,
      cwd: "/",
      env: { PATH: searchPath(), LC_ALL: "C" },
      timeoutMs: TRIAL_MS,
      maxOutputBytes: TRIAL_OUTPUT_BYTES
    })
    .pipe(
      Effect.map(({ code, stderr }) => ({ code, stderr })),
      Effect.catch(({ reason, message }) =>
        Effect.succeed(reason === "program-missing" ? null : { code: null, stderr: message })
      )
    )
  return { ...facts, trial: outcome } satisfies SandboxProbe
})
