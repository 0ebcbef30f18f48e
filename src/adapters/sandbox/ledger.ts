/** A file per process with the places it holds, in a directory that all processes of the user share. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isAlive } from "../system/process-alive.ts"

const SEPARATOR = "\0"

const placesIn = (path: string): ReadonlyArray<string> => {
  try {
    return readFileSync(path, "utf8")
      .split(SEPARATOR)
      .filter((place) => place !== "")
  } catch {
    return []
  }
}

export interface Ledgers {
  /** Places of other processes that live. */
  readonly needed: ReadonlySet<string>
  /** Places of processes that ended without a chance to clean up. */
  readonly orphans: ReadonlyArray<string>
  /** To be called when the orphans are gone. */
  readonly forgetDead: () => void
}

export const readLedgers = (directory: string): Ledgers => {
  const others = readdirSync(directory).filter((name) => name !== `${process.pid}`)
  const dead = others.filter((name) => !isAlive(Number(name))).map((name) => join(directory, name))
  const living = others.filter((name) => isAlive(Number(name))).map((name) => join(directory, name))
  return {
    needed: new Set(living.flatMap(placesIn)),
    orphans: dead.flatMap(placesIn),
    forgetDead: () => {
      for (const path of dead) rmSync(path, { force: true })
    }
  }
}

/** What this process holds, for the others to see. */
export const ownLedger = (directory: string) => {
  const own = join(directory, `${process.pid}`)
  return {
    write: (places: Iterable<string>): void => {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      writeFileSync(own, [...places].join(SEPARATOR), { mode: 0o600 })
    },
    forget: (): void => rmSync(own, { force: true })
  }
}
