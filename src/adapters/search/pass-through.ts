/** `nacre --ripgrep ...`: the ripgrep that searches here, as a program of its own. */
import { spawn } from "node:child_process"
import { constants } from "node:os"
import { Effect } from "effect"
import { type Environment, ripgrepFor } from "./layer.ts"

const NO_PROGRAM = 127

const exitOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  signal === null ? (code ?? 1) : 128 + constants.signals[signal]

/** Its input, output and exit code are ours. Undefined when no ripgrep runs here. */
export const passToRipgrep = async (args: ReadonlyArray<string>, env: Environment): Promise<number | undefined> => {
  const found = await Effect.runPromise(ripgrepFor(env))
  if (found === undefined) return undefined
  return new Promise((resolve) => {
    spawn(found.command, args, { stdio: "inherit" })
      .once("error", () => resolve(NO_PROGRAM))
      .once("exit", (code, signal) => resolve(exitOf(code, signal)))
  })
}
