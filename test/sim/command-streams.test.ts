import { createHash } from "node:crypto"
import { describe, it } from "vitest"
import type { Command } from "../../src/core/loop/machine/command.ts"
import { expectGolden } from "../golden/golden.ts"
import { runSeed } from "./lives.ts"

/** The shape of the state may change, the bytes of the commands may not: a digest of all commands for each life. */
const SEEDS = 200

/** What every request says alike, and what changes with every word of a tool. */
const LEFT_OUT: ReadonlySet<string> = new Set(["tools", "system"])

const textOf = (commands: ReadonlyArray<Command>): string =>
  JSON.stringify(commands, (key, value: unknown) => (LEFT_OUT.has(key) ? undefined : value))

const digestsOf = (seed: number): string => {
  const digests: Array<string> = []
  let hash = createHash("sha256")
  runSeed(seed, {
    onCommands: (commands) => void hash.update(textOf(commands)),
    onEnd: () => {
      digests.push(hash.digest("hex").slice(0, 12))
      hash = createHash("sha256")
    }
  })
  return `${seed} ${digests.join(" ")}`
}

describe("the commands of the simulated conversations", () => {
  it("are the same byte by byte", () => {
    const lines = Array.from({ length: SEEDS }, (_, seed) => digestsOf(seed))
    expectGolden("command-streams", `${lines.join("\n")}\n`)
  })
})
