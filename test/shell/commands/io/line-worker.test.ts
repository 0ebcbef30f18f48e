import { describe, expect, it } from "vitest"
import type { CommandInvocation } from "../../../../src/shell/cli/options.ts"
import { runPermissions } from "../../../../src/shell/commands/permissions/permissions.ts"
import type { LineAnswerer } from "../../../../src/shell/commands/io/line-worker.ts"
import { commandIo } from "../../../support/command-io.ts"

const BATCH: CommandInvocation = { sub: "explain", operands: [], flags: { jsonl: true } }
const LINES = Array.from({ length: 600 }, (_, id) => JSON.stringify({ id, command: "ls" }))

const idsWith = async (beside: LineAnswerer): Promise<ReadonlyArray<unknown>> => {
  const run = commandIo({ input: LINES, secondThread: () => Promise.resolve(beside) })
  await runPermissions(BATCH, run.io)
  return run
    .out()
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line).id)
}

const ALL = LINES.map((_, id) => id)

describe("a second thread", () => {
  it("answers a part of the lines, which are printed where they belong", async () => {
    const given: Array<string> = []
    let hasEnded = false
    const echo: LineAnswerer = {
      answer: async (lines) => (given.push(...lines), lines),
      end: () => void (hasEnded = true)
    }
    expect(await idsWith(echo)).toEqual(ALL)
    expect(given).toEqual(LINES.slice(300))
    expect(hasEnded).toBe(true)
  })

  it("that fails loses no line", async () => {
    const failing: LineAnswerer = { answer: () => Promise.resolve(undefined), end: () => {} }
    expect(await idsWith(failing)).toEqual(ALL)
  })
})
