import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { onTestFinished } from "vitest"
import { nodeDisk, type Disk } from "../../../src/adapters/records/disk.ts"

/** A directory that goes away with the test. */
export const makeDirectory = (): string => {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "nacre-records-")))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A config directory of its own and a transcript path in it. */
export const makeHome = () => {
  const home = makeDirectory()
  const file = (sessionId: string, project = "-home-ada-orchard") =>
    path.join(home, "projects", project, `${sessionId}.jsonl`)
  return { home, file }
}

export class DiskError extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** What a write does instead of writing everything. */
export type Fault = { readonly bytes: number; readonly code?: string } | null

/** A disk whose writes misbehave as told, one fault per write; then it is well again. */
export const faultyDisk = (faults: ReadonlyArray<Fault>): Disk & { readonly writes: () => number } => {
  let count = 0
  const pending = [...faults]
  const state: { broken: string | null } = { broken: null }
  return {
    ...nodeDisk,
    writes: () => count,
    write: (fd, bytes, from) => {
      count++
      if (state.broken !== null) {
        const { broken } = state
        state.broken = null
        throw new DiskError(broken)
      }
      const fault = pending.shift() ?? null
      if (fault === null) return nodeDisk.write(fd, bytes, from)
      const length = Math.min(fault.bytes, bytes.length - from)
      if (fault.code !== undefined) {
        if (length === 0) throw new DiskError(fault.code)
        state.broken = fault.code
      }
      return nodeDisk.write(fd, bytes.subarray(0, from + Math.max(length, 1)), from)
    }
  }
}

/** Retries run when the test says so. */
export const manualSchedule = () => {
  const tasks: Array<{ task: () => void; delayMs: number }> = []
  return {
    delays: [] as Array<number>,
    schedule(task: () => void, delayMs: number) {
      const entry = { task, delayMs }
      tasks.push(entry)
      this.delays.push(delayMs)
      return () => void tasks.splice(tasks.indexOf(entry), 1)
    },
    /** Runs what is due; true when there was something. */
    run: (): boolean => {
      const next = tasks.shift()
      next?.task()
      return next !== undefined
    },
    waiting: () => tasks.length
  }
}
