import { execFileSync } from "node:child_process"
import { createReadStream } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { freshDirectory } from "./temp-world.ts"

/** A command that runs until it is killed, and a way to see when it began and when its last process has gone. */
export interface EndlessCommand {
  readonly command: string
  readonly begun: Promise<void>
  readonly gone: Promise<void>
}

/** The command and its child hold the writing end of a pipe: the reader meets its end only when both are dead. */
export const endlessCommand = (): EndlessCommand => {
  const pipe = join(freshDirectory(), "pipe")
  execFileSync("mkfifo", [pipe])
  const lines = createInterface({ input: createReadStream(pipe) })
  return {
    command: `exec 9>'${pipe}'; echo begun >&9; tail -f /dev/null & tail -f /dev/null; wait`,
    begun: new Promise((resolve) => lines.once("line", () => resolve())),
    gone: new Promise((resolve) => lines.once("close", () => resolve()))
  }
}
