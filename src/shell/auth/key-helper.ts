import { Effect, Result } from "effect"
import { secretFrom } from "../../core/domain/secrets/secret.ts"
import type { Env } from "../../core/domain/env.ts"
import type { Process, RunResult } from "../../core/ports/Process.ts"

/** The command of `apiKeyHelper` as a source of keys: run when one is needed, and again when it grew old or was refused. */
export interface HelperOptions {
  readonly command: string
  /** Never the project: what a repository holds must not change what the command means. */
  readonly cwd: string
  readonly env: Env
  readonly ttlMs: number
  readonly complain: (text: string) => void
}

const LIMIT_MS = 30_000
const SLOW_MS = 10_000
const MOST_BYTES = 65_536
const ATTEMPTS = 3

const firstLine = (text: string): string => text.trim().split("\n")[0] ?? ""

const keyIn = ({ code, signal, stdout, stderr, timedOut }: RunResult): Result.Result<string, string> => {
  if (timedOut) return Result.fail(`it took longer than ${LIMIT_MS / 1_000} s`)
  if (code !== 0) return Result.fail(firstLine(stderr) || `it ended with ${signal ?? `exit code ${code}`}`)
  return Result.mapError(secretFrom(stdout), (why) => (stdout.trim() === "" ? "it printed nothing" : why))
}

const runOnce = async (processes: Process["Service"], options: HelperOptions): Promise<Result.Result<string, string>> => {
  const slow = setTimeout(() => options.complain(`apiKeyHelper has been running for ${SLOW_MS / 1_000} s`), SLOW_MS)
  const ran = await Effect.runPromise(
    Effect.result(
      processes.run({
        file: "/bin/sh",
        args: ["-c", options.command],
        cwd: options.cwd,
        env: options.env,
        timeoutMs: LIMIT_MS,
        maxOutputBytes: MOST_BYTES
      })
    )
  )
  clearTimeout(slow)
  return Result.isFailure(ran) ? Result.fail(ran.failure.message) : keyIn(ran.success)
}

/** Whoever asks while the command runs shares its answer; an old key is used while a new one is fetched. */
export const makeKeyHelper = (processes: Process["Service"], options: HelperOptions, now: () => number = Date.now) => {
  let known: { readonly key: string; readonly at: number } | undefined
  let running: Promise<string> | undefined
  const fetched = async (): Promise<string> => {
    let why = ""
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const outcome = await runOnce(processes, options)
      if (Result.isSuccess(outcome)) {
        known = { key: outcome.success, at: now() }
        return outcome.success
      }
      why = outcome.failure
    }
    throw new Error(`apiKeyHelper is failing: ${why}`)
  }
  const refresh = (): Promise<string> =>
    (running ??= fetched().finally(() => {
      running = undefined
    }))
  return {
    key: async (): Promise<string> => {
      if (known === undefined) return refresh()
      if (now() - known.at >= options.ttlMs) refresh().catch(() => undefined)
      return known.key
    },
    refused: (): void => {
      known = undefined
    }
  }
}
