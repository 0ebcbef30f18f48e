import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { linkSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect } from "vitest"
import { atEndOfFile } from "./end-of-file.ts"
import { inSoak } from "./seeds.ts"
import { freshDirectory, putFile } from "./temp-world.ts"

/**
 * A directory `work/d` in whose place another process puts a link to `outside`, and back again, as fast as it can.
 * Both hold a file `f` and a file `twin` that has a second name; the directory also a file `mine`.
 */
export interface FlippingWorld {
  readonly work: string
  readonly place: string
  /** What nobody may ever have touched or seen is as it was. */
  readonly expectOutsideUntouched: () => void
  /** Ends the flipping; the answer says how often it happened. */
  readonly stop: () => Promise<number>
}

export const INSIDE = "inside!"
export const OUTSIDE = "OUTSIDE"

/** How long each attempt goes on. */
const SECONDS = inSoak(1, 30)

const FLIPPER = join(dirname(fileURLToPath(import.meta.url)), "link-flipper.mjs")
const running = new Set<ChildProcess>()

atEndOfFile(() => {
  for (const child of running) child.kill("SIGKILL")
})

/** Everything that shows whether somebody was there. */
const stateOf = (directory: string): unknown =>
  readdirSync(directory).map((name) => {
    const { ino, ctimeNs, nlink } = statSync(join(directory, name), { bigint: true })
    return { name, ino, ctimeNs, nlink, text: readFileSync(join(directory, name), "utf8") }
  })

export const flippingWorld = async (outsideText = OUTSIDE): Promise<FlippingWorld> => {
  const root = freshDirectory()
  const [work, outside] = [join(root, "work"), join(root, "outside")]
  for (const [directory, text] of [
    [join(work, "d"), INSIDE],
    [outside, outsideText]
  ] as const) {
    putFile(join(directory, "f"), text)
    putFile(join(directory, "twin"), text)
    linkSync(join(directory, "twin"), join(root, `twin-of-${basename(directory)}`))
  }
  putFile(join(work, "d/mine"), "")
  const before = stateOf(outside)
  const child = spawn(process.execPath, [FLIPPER, join(work, "d"), outside], { stdio: ["pipe", "pipe", "inherit"] })
  running.add(child)
  await once(child.stdout, "data")
  return {
    work,
    place: join(work, "d"),
    expectOutsideUntouched: () => expect(stateOf(outside)).toEqual(before),
    stop: async () => {
      if (child.exitCode !== null) throw new Error("the flipper has ended by itself")
      child.stdin.end()
      const [count] = (await once(child.stdout, "data")) as [Buffer]
      running.delete(child)
      return Number(String(count))
    }
  }
}

/** On a busy machine a second may be too short for both outcomes. */
const MOST_SECONDS = SECONDS + 30

/** Tries over and over while the link flips, and counts what came out; at least until two things have come out. */
export const tryWhileFlipping = async (attempt: (round: number) => Promise<string>): Promise<Map<string, number>> => {
  const outcomes = new Map<string, number>()
  const from = performance.now()
  const seconds = (): number => (performance.now() - from) / 1_000
  for (let round = 0; seconds() < SECONDS || (outcomes.size < 2 && seconds() < MOST_SECONDS); round++) {
    const outcome = await attempt(round)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  return outcomes
}
