import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { FrameLog } from "../../../../src/shell/interactive/terminal/frame-log.ts"
import type { FrameSample } from "../../../../src/tui/terminal/render/stats.ts"
import { freshDirectory } from "../../../support/temp-world.ts"

const SAMPLE: FrameSample = {
  cells: 3,
  ops: 2,
  bytes: 20,
  viewUs: 1,
  diffUs: 1,
  encodeUs: 1,
  drainUs: 1,
  fullRedraw: false,
  dropped: 0
}

const eventually = async <A>(look: () => A | undefined): Promise<A> => {
  for (;;) {
    const found = look()
    if (found !== undefined) return found
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe("the log of frames", () => {
  it("has a line of JSON for each frame, in order, for the owner's eyes", async () => {
    const path = join(freshDirectory(), "frames.jsonl")
    const log = new FrameLog(path, (text) => {
      throw new Error(text)
    })
    for (let at = 1; at <= 50; at++) log.add({ ...SAMPLE, cells: at }, at)
    const lines = await eventually(() => {
      const written =
        statSync(path, { throwIfNoEntry: false }) === undefined ? [] : readFileSync(path, "utf8").split("\n").slice(0, -1)
      return written.length === 50 ? written : undefined
    })
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(
      Array.from({ length: 50 }, (_, index) => ({ at: index + 1, ...SAMPLE, cells: index + 1 }))
    )
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it("says once that it cannot be written", async () => {
    const said: Array<string> = []
    const log = new FrameLog(join(freshDirectory(), "none", "frames"), (text) => said.push(text))
    log.add(SAMPLE, 1)
    await eventually(() => said[0])
    for (let at = 2; at < 10; at++) log.add(SAMPLE, at)
    await new Promise((resolve) => setImmediate(resolve))
    expect(said).toEqual([expect.stringContaining("NACRE_FRAME_LOG")])
  })
})
