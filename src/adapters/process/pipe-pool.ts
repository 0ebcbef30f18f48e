/** The named pipes of commands: made in batches on first need, in a private directory that is removed at the end. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { ProcessFailure } from "../../core/ports/Process.ts"
import { openOutputPipe, type OutputPipe } from "./output-pipe.ts"

const BATCH = 4

export interface LeasedPipe {
  readonly writeFd: number
  /** Takes what is left in the pipe and gives it back, unless descendants of the command hold it. */
  readonly finish: () => void
}

export interface PipePool {
  readonly lease: (onData: (chunk: Buffer) => void) => Effect.Effect<LeasedPipe, ProcessFailure>
  readonly dispose: () => void
}

const pipeFailure = (cause: unknown): ProcessFailure =>
  new ProcessFailure({
    reason: "not-startable",
    message:
      `Could not make a pipe for the command's output in ${tmpdir()}: ` +
      `${cause instanceof Error ? cause.message : String(cause)}. ` +
      "Check that this directory is writable and that mkfifo is installed."
  })

const mkfifo = (paths: ReadonlyArray<string>): Effect.Effect<void, ProcessFailure> =>
  Effect.callback((resume) => {
    const child = spawn("mkfifo", ["-m", "600", ...paths], { stdio: "ignore" })
    child.once("error", (cause) => resume(Effect.fail(pipeFailure(cause))))
    child.once("exit", (code) =>
      resume(code === 0 ? Effect.void : Effect.fail(pipeFailure(`mkfifo ended with exit code ${code}`)))
    )
  })

export const makePipePool = (): PipePool => {
  const paths: Array<string> = []
  const free: Array<OutputPipe> = []
  let directory: string | undefined
  let made = 0

  const nextPaths = Effect.try({
    try: () => {
      const base = (directory ??= mkdtempSync(join(tmpdir(), "nacre-pipes-")))
      return Array.from({ length: BATCH }, () => join(base, String(made++)))
    },
    catch: pipeFailure
  })

  const makeBatch = nextPaths.pipe(
    Effect.tap(mkfifo),
    Effect.map((batch) => paths.push(...batch))
  )

  const leaseOf = (pipe: OutputPipe, onData: (chunk: Buffer) => void): LeasedPipe => {
    const writeFd = pipe.open(onData)
    return {
      writeFd,
      finish: () => {
        if (pipe.finish() === "free") free.push(pipe)
      }
    }
  }

  const lease: PipePool["lease"] = (onData) =>
    Effect.suspend(() => {
      const ready = free.pop()
      if (ready !== undefined) return Effect.try({ try: () => leaseOf(ready, onData), catch: pipeFailure })
      const path = paths.pop()
      if (path === undefined) return Effect.andThen(makeBatch, lease(onData))
      return Effect.try({ try: () => leaseOf(openOutputPipe(path), onData), catch: pipeFailure })
    })

  return {
    lease,
    dispose: () => {
      for (const pipe of free.splice(0)) pipe.destroy()
      paths.length = 0
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
      directory = undefined
    }
  }
}
