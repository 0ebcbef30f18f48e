/** The one place that starts a child process: always in a new session, never with our terminal. */
import { type ChildProcess, spawn, type StdioOptions } from "node:child_process"
import { statSync } from "node:fs"
import { Deferred, Effect } from "effect"
import { type ProcessEnv, ProcessFailure } from "../../core/ports/Process.ts"
import type { Group } from "./group.ts"
import type { Registry } from "./registry.ts"

export interface Launch {
  readonly file: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: ProcessEnv
  readonly stdio: StdioOptions
  /** Runs inside the event that reports the end, before anybody waiting on the group goes on. */
  readonly onExit: (code: number | null, signal: string | null) => void
}

export interface Launched {
  readonly child: ChildProcess
  readonly group: Group
}

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** The system reports a missing program and a missing directory with the same code. */
const launchFailure = (launch: Launch, cause: unknown): ProcessFailure => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  const detail = cause instanceof Error ? cause.message : String(cause)
  if (!isDirectory(launch.cwd)) {
    return new ProcessFailure({
      reason: "directory-missing",
      message: `The directory ${launch.cwd} does not exist or is no directory. Start from an existing one.`
    })
  }
  if (code === "ENOENT") {
    return new ProcessFailure({
      reason: "program-missing",
      message: `The program ${launch.file} was not found. Install it or give its full path.`
    })
  }
  if (code === "E2BIG") {
    return new ProcessFailure({
      reason: "not-startable",
      message: "The command is longer than the system accepts. Write it to a script file and run that."
    })
  }
  return new ProcessFailure({ reason: "not-startable", message: `Could not start ${launch.file}: ${detail}` })
}

/** Spawns and listens in one step: an end that comes at once must not be missed. */
const spawnDetached = (registry: Registry, launch: Launch): Effect.Effect<Launched, ProcessFailure> => {
  const { file, args, cwd, env, stdio } = launch
  const child = spawn(file, args, { cwd, env: { ...env }, stdio, detached: true })
  if (child.pid === undefined) {
    return Effect.callback((resume) => {
      child.once("error", (cause) => resume(Effect.fail(launchFailure(launch, cause))))
    })
  }
  const group = registry.add(child.pid)
  child.once("exit", (code, signal) => {
    launch.onExit(code, signal)
    Deferred.doneUnsafe(group.leaderEnd, Effect.void)
    registry.prune()
  })
  return Effect.succeed({ child, group })
}

export const launchInGroup = (registry: Registry, launch: Launch): Effect.Effect<Launched, ProcessFailure> =>
  Effect.suspend(() => {
    if (registry.isClosed()) {
      const message = "Nothing was started: Nacre is shutting down."
      return Effect.fail(new ProcessFailure({ reason: "closed", message }))
    }
    registry.prune()
    return spawnDetached(registry, launch)
  }).pipe(Effect.catchDefect((cause) => Effect.fail(launchFailure(launch, cause))))
