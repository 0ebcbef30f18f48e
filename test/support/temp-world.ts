import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { atEndOfFile } from "./end-of-file.ts"

/** Fresh directories on the real disk, removed when the test file is done. Their paths contain no links. */
const made: Array<string> = []

atEndOfFile(() => {
  for (const directory of made.splice(0)) fs.rmSync(directory, { recursive: true, force: true })
})

export const freshDirectory = (): string => {
  const directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-test-")))
  made.push(directory)
  return directory
}

export const putFile = (file: string, content: string | Uint8Array, mode = 0o644): void => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, content)
  fs.chmodSync(file, mode)
}

export const putLink = (file: string, target: string): void => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.symlinkSync(target, file)
}

export const putPipe = (file: string): void => {
  execFileSync("mkfifo", [file])
}
