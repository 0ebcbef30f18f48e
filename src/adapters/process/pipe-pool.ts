/** The named pipes of commands: made in batches on first need, in private directories that are gone by the end. */
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
    const child = spawn("mkfifo", ["-m", "600", ...paths], { stdio: "ignore", cwd: "/" })
    child.once("error", (cause) => resume(Effect.fail(pipeFailure(cause))))
    child.once("exit", (code) =>
      resume(code === 0 ? Effect.void : Effect.fail(pipeFailure(`mkfifo ended with exit code ${code}`)))
    )
  })

/** Makes the pipes in a directory of their own, which is gone again if their names are not needed. */
const makeBatch = Effect.fnUntraced(function* (onDirectory: (directory: string) => void) {
  const directory = yield* Effect.try({ try: () => mkdtempSync(join(tmpdir(), "nacre-pipes-")), catch: pipeFailure })
  onDirectory(directory)
  const paths = Array.from({ length: BATCH }, (_, index) => join(directory, String(index)))
  yield* mkfifo(paths)
  return yield* Effect.try({ try: () => paths.map(openOutputPipe), catch: pipeFailure })
})

export const makePipePool = (): PipePool => {
  const free: Array<OutputPipe> = []
  const directories = new Set<string>()

  const remove = (directory: string): void => {
    rmSync(directory, { recursive: true, force: true })
    directories.delete(directory)
  }

  const fill = Effect.suspend(() => {
    let directory = ""
    return makeBatch((made) => directories.add((directory = made))).pipe(
      Effect.map((pipes) => {
        free.push(...pipes)
        if (!pipes.some(({ isNamed }) => isNamed)) remove(directory)
      }),
      Effect.onError(() => Effect.sync(() => remove(directory)))
    )
  })

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
      const pipe = free.pop()
      if (pipe === undefined) return Effect.andThen(fill, lease(onData))
      return Effect.try({ try: () => leaseOf(pipe, onData), catch: pipeFailure })
    })

  return {
    lease,
    dispose: () => {
      for (const pipe of free.splice(0)) pipe.destroy()
      for (const directory of directories) remove(directory)
    }
  }
}
