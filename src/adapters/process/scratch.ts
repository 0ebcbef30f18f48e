/** A private directory for what commands need while they run, for when the session's own cannot be written. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { ProcessFailure } from "../../core/ports/Process.ts"

export interface Scratch {
  /** Made on first need; the same one for the rest of the program's life. */
  readonly directory: Effect.Effect<string, ProcessFailure>
  readonly dispose: () => void
}

const scratchFailure = (cause: unknown): ProcessFailure =>
  new ProcessFailure({
    reason: "output",
    message:
      `Could not make a directory for the command's output in ${tmpdir()}: ` +
      `${cause instanceof Error ? cause.message : String(cause)}. Check that it is writable.`
  })

export const makeScratch = (): Scratch => {
  let made: string | undefined
  return {
    directory: Effect.try({ try: () => (made ??= mkdtempSync(join(tmpdir(), "nacre-output-"))), catch: scratchFailure }),
    dispose: () => {
      if (made !== undefined) rmSync(made, { recursive: true, force: true })
      made = undefined
    }
  }
}
