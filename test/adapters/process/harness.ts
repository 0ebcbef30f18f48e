import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, ManagedRuntime } from "effect"
import { layer as exitGuardLayer } from "../../../src/adapters/process/exit-guard.ts"
import { layer } from "../../../src/adapters/process/node.ts"
import { type CommandSpec, Process, type RunningCommand } from "../../../src/core/ports/Process.ts"

export const temporaryDirectory = (): string => realpathSync(mkdtempSync(join(tmpdir(), "nacre-process-test-")))

const POLL_MS = 5

/** Waits for a condition of the outside world, which gives no event. */
export const until = async (what: string, holds: () => boolean, limitMs = 10_000): Promise<void> => {
  const end = performance.now() + limitMs
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Not within ${limitMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Members of a process group that are not zombies. */
export const livingMembers = (group: number): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, "latin1")
        const [state, , pgrp] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
        return Number(pgrp) === group && state !== "Z" && state !== "X"
      } catch {
        return false
      }
    })
    .map(Number)

export interface Harness {
  readonly dir: string
  readonly run: <A, E>(effect: Effect.Effect<A, E, Process>) => Promise<A>
  readonly start: (command: string, overrides?: Partial<CommandSpec>) => Promise<RunningCommand>
  readonly close: () => Promise<void>
}

/** A bash command with an output file of its own. */
export const bashCommand = (dir: string, command: string, output: string): CommandSpec => ({
  file: "bash",
  args: ["--noprofile", "--norc", "-c", command],
  cwd: dir,
  env: { PATH: process.env["PATH"] },
  outputPath: join(dir, "out", output),
  outputLimitBytes: 1024 ** 3
})

export const makeHarness = (): Harness => {
  const dir = temporaryDirectory()
  const runtime = ManagedRuntime.make(Layer.provide(layer, exitGuardLayer))
  let started = 0
  return {
    dir,
    run: (effect) => runtime.runPromise(effect),
    start: (command, overrides) =>
      runtime.runPromise(
        Effect.flatMap(Process, (service) =>
          service.start({ ...bashCommand(dir, command, `${started++}.output`), ...overrides })
        )
      ),
    close: async () => {
      await runtime.dispose()
      rmSync(dir, { recursive: true, force: true })
    }
  }
}
