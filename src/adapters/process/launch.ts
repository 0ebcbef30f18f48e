/** The one place that starts a child process: always in a new session, never with our terminal. */
import { type ChildProcess, spawn, type StdioOptions } from "node:child_process"
import { closeSync, openSync, statSync } from "node:fs"
import { Duplex } from "node:stream"
import { Deferred, Effect } from "effect"
import { type Confinement, type ProcessEnv, ProcessFailure } from "../../core/ports/Process.ts"
import { type Group, signalGroup } from "./group.ts"
import type { Registry } from "./registry.ts"

export interface Launch {
  readonly file: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: ProcessEnv
  readonly stdio: ReadonlyArray<"ignore" | "pipe" | number>
  readonly confinement?: Confinement
  /** Adds a line to what the command wrote. */
  readonly say?: (line: string) => void
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
      message: `The directory ${launch.cwd} does not exist or is not a directory. Start from an existing one.`
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

const detached = ({ file, args, cwd, env }: Launch, stdio: StdioOptions): ChildProcess =>
  spawn(file, args, { cwd, env: { ...env }, stdio, detached: true })

/** The program that confines starts instead of the command, with the descriptors it needs behind the usual three. */
const spawnConfined = (launch: Launch, confinement: Confinement): ChildProcess => {
  const { file, args, env, inputs, adopt } = confinement
  const descriptors: Array<number> = []
  try {
    for (const path of inputs) descriptors.push(openSync(path, "r"))
    const stdio = [...launch.stdio, ...descriptors, ...(adopt === undefined ? [] : ["pipe" as const])]
    const confined = { ...launch, file, args: [...args, launch.file, ...launch.args], env: { ...launch.env, ...env } }
    const child = detached(confined, stdio)
    const channel = child.stdio[stdio.length - 1]
    if (adopt !== undefined && channel instanceof Duplex) adopt(channel)
    return child
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor)
  }
}

/** Spawns and listens in one step: an end that comes at once must not be missed. */
const spawnDetached = (registry: Registry, launch: Launch): Effect.Effect<Launched, ProcessFailure> => {
  const { confinement } = launch
  const child = confinement === undefined ? detached(launch, [...launch.stdio]) : spawnConfined(launch, confinement)
  if (child.pid === undefined) {
    return Effect.callback((resume) => {
      child.once("error", (cause) => resume(Effect.fail(launchFailure(launch, cause))))
    })
  }
  const group = registry.add(child.pid, confinement !== undefined)
  child.once("exit", (code, signal) => {
    confinement?.onEnd()
    launch.onExit(code, signal)
    Deferred.doneUnsafe(group.leaderEnd, Effect.void)
    registry.prune()
  })
  confinement?.onStart?.({ end: () => signalGroup(group, "SIGKILL"), say: launch.say ?? (() => undefined) })
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
  }).pipe(
    Effect.catchDefect((cause) => Effect.fail(launchFailure(launch, cause))),
    Effect.onError(() => Effect.sync(() => launch.confinement?.onEnd()))
  )
