import { spawn } from "node:child_process"
import { LIMITS } from "../../core/domain/limits.ts"
import type { OutputReader } from "./ripgrep-output.ts"

/** It needs nothing of the environment, so that no credential gets there. */
const BARE = {}

/** One run of the ripgrep program: output to a reader as it comes, ended when the reader has enough. */
export interface Run {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly reader: OutputReader
  readonly signal: AbortSignal
}

export type Ending =
  /** The exit code is ripgrep's answer. */
  | { readonly _tag: "Exited"; readonly code: number; readonly stderr: string }
  /** The reader had enough. */
  | { readonly _tag: "Stopped" }
  /** More output than can be kept. */
  | { readonly _tag: "Overflowed" }
  /** Could not be started or was ended by somebody else. */
  | { readonly _tag: "Broken"; readonly reason: string }

const STDERR_CHARS = 8_000

export const runRipgrep = ({ command, args, reader, signal }: Run): Promise<Ending> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd: "/", env: BARE, stdio: ["ignore", "pipe", "pipe"], windowsHide: true })
    let ending: Ending | undefined
    let stderr = ""
    let received = 0
    const finish = (result: Ending): void => {
      ending ??= result
      child.kill("SIGKILL")
    }
    const abort = (): void => finish({ _tag: "Stopped" })
    signal.addEventListener("abort", abort, { once: true })
    child.stdout.on("data", (chunk: Buffer) => {
      if (ending !== undefined) return
      received += chunk.length
      if (!reader.read(chunk)) finish({ _tag: "Stopped" })
      else if (received > LIMITS.spillBytes) finish({ _tag: "Overflowed" })
    })
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderr.length < STDERR_CHARS) stderr += chunk.toString("utf8")
    })
    child.once("error", (error) => finish({ _tag: "Broken", reason: error.message }))
    child.once("close", (code, killedBy) => {
      signal.removeEventListener("abort", abort)
      if (ending === undefined) reader.end()
      if (code !== null) ending ??= { _tag: "Exited", code, stderr }
      resolve(ending ?? { _tag: "Broken", reason: `ended by ${killedBy}` })
    })
    if (signal.aborted) abort()
  })
