/** The private directory of this process: the filter, and the temporary directory that commands get as TMPDIR. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { filterProgram, type FilterOptions } from "../../core/sandbox/platform/seccomp.ts"

export interface Scratch {
  /** Commands may write here, and nowhere else in the private directory. */
  readonly tempDir: () => string
  /** A file with the system call filter. */
  readonly filterFile: (options: FilterOptions) => string
  readonly remove: () => void
}

export const makeScratch = (): Scratch => {
  let directory: string | undefined
  const written = new Set<string>()
  const opened = (): string => {
    if (directory !== undefined) return directory
    directory = mkdtempSync(join(realpathSync(tmpdir()), "nacre-"))
    mkdirSync(join(directory, "tmp"), { mode: 0o700 })
    return directory
  }
  return {
    tempDir: () => join(opened(), "tmp"),
    filterFile: (options) => {
      const path = join(opened(), options.unixSockets ? "filter-unix" : "filter")
      if (!written.has(path)) writeFileSync(path, filterProgram(options), { mode: 0o400 })
      written.add(path)
      return path
    },
    remove: () => {
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
      directory = undefined
      written.clear()
    }
  }
}
