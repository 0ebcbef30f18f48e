import { fork, type ChildProcess } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"
import * as fc from "fast-check"
import { build } from "rolldown"
import { beforeAll, describe, expect, it } from "vitest"
import { scanFile } from "../../../src/adapters/records/jsonl.ts"
import { TranscriptWriter } from "../../../src/adapters/records/writer.ts"
import { emptyLedger, addLine } from "../../../src/core/session/load/transcript-index.ts"
import { messagesOf } from "../../../src/core/session/load/restore.ts"
import { rawOf } from "../../../src/core/domain/json/json-object.ts"
import { selectConversation } from "../../../src/core/session/load/conversation-lines.ts"
import { Maker, SESSION } from "../../support/session/build.ts"
import { makeDirectory, makeHome } from "../../support/session/disk.ts"
import { histories, play } from "../../support/session/histories.ts"

const ledgerAt = async (place: string) => {
  const ledger = emptyLedger()
  const report = await scanFile(place, (value, span) => addLine(ledger, value, span))
  return { ledger, report }
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

describe("a file cut at any byte", () => {
  const cut = fc.double({ min: 0, max: 1, noNaN: true })
  const cuts = fc.array(cut, { minLength: 20, maxLength: 20 })

  it("holds every line that was whole, and goes on as if nothing had happened", async () => {
    let count = 0
    const { home, file } = makeHome()
    await fc.assert(
      fc.asyncProperty(histories({ branches: true }), cuts, async (history, points) => {
        const { lines } = play(history)
        const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
        for (const point of points) {
          const place = file(SESSION, `p${count++}`)
          const kept = bytes.subarray(0, Math.round(point * bytes.length))
          const writer = new TranscriptWriter({ home, path: place })
          const prompt = new Maker().prompt("after the crash", { uuid: "ffffffff-0000-4000-8000-000000000000" })
          mkdirSync(path.dirname(place), { recursive: true })
          writeFileSync(place, kept)
          writer.append([JSON.stringify({ ...prompt, parentUuid: null, sessionId: SESSION })])
          const { ledger, report } = await ledgerAt(place)
          const whole = kept
            .toString()
            .split("\n")
            .map(parsed)
            .filter((value) => value !== undefined)
          expect(ledger.order.length).toBe(whole.length + 1)
          expect(report.invalid).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 40 }
    )
  })

  it("shows what was said before the cut", async () => {
    const place = path.join(makeDirectory(), "t.jsonl")
    await fc.assert(
      fc.asyncProperty(histories({ branches: false }), cut, async (history, point) => {
        const { lines } = play(history)
        const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
        writeFileSync(place, bytes.subarray(0, Math.round(point * bytes.length)))
        const { ledger } = await ledgerAt(place)
        const view = selectConversation(ledger)
        const reachable = new Set([...view.earlier, ...view.lines].map((entry) => entry.links.uuid))
        const spoken = ledger.order.filter((entry) => entry.links.type === "user" || entry.links.type === "assistant")
        expect(spoken.filter((entry) => !reachable.has(entry.links.uuid))).toEqual([])
        expect(spoken.length === 0 || view.lines.length > 0).toBe(true)
        expect(messagesOf(view.lines).unreadable).toBeLessThanOrEqual(view.lines.length)
      }),
      { numRuns: 200 }
    )
  })
})

const WRITER = fileURLToPath(new URL("../../../src/adapters/records/writer.ts", import.meta.url))

/** The writer in a process of its own: appends numbered lines and tells after each how far it is. */
const CHILD = `
  import { TranscriptWriter } from ${JSON.stringify(WRITER)}
  const [home, path, name, count] = process.argv.slice(2)
  const writer = new TranscriptWriter({ home, path })
  process.on("message", () => {
    for (let index = 0; index < Number(count); index++) {
      writer.append([JSON.stringify({ name, index, fill: "x".repeat((index * 7919) % 20000) })])
      process.send(index)
    }
    process.send("done")
  })
  process.send("ready")
`

const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ index }))

describe("processes", () => {
  let program = ""
  beforeAll(async () => {
    const entry = "virtual:child"
    const { output } = await build({
      input: entry,
      platform: "node",
      write: false,
      logLevel: "silent",
      plugins: [
        {
          name: "child",
          resolveId: (id) => (id === entry ? id : null),
          load: (id) => (id === entry ? CHILD : null)
        }
      ],
      output: { format: "esm" }
    })
    program = output[0].code
  })

  const started = async (args: ReadonlyArray<string>): Promise<ChildProcess> => {
    const script = path.join(makeDirectory(), "child.mjs")
    writeFileSync(script, program)
    const child = fork(script, args, { stdio: "ignore" })
    await new Promise<void>((resolve) => child.once("message", () => resolve()))
    return child
  }

  /** Runs a child until `until` says so; the number of the last line it confirmed. */
  const confirmedBy = (child: ChildProcess, until: (confirmed: number) => void): Promise<number> =>
    new Promise((resolve) => {
      let confirmed = -1
      child.on("message", (message) => {
        if (typeof message !== "number") return child.disconnect()
        confirmed = message
        until(confirmed)
      })
      child.once("exit", () => resolve(confirmed))
      child.send("go")
    })

  it("that are killed have written everything they confirmed", async () => {
    for (const killAt of [0, 13, 57]) {
      const { home, file } = makeHome()
      const place = file(SESSION)
      const child = await started([home, place, "a", "5000"])
      const confirmed = await confirmedBy(child, (at) => void (at === killAt && child.kill("SIGKILL")))
      const lines = readFileSync(place, "utf8").split("\n").slice(0, -1).map(parsed)
      expect(confirmed).toBeGreaterThanOrEqual(killAt)
      expect(lines.slice(0, confirmed + 1)).toMatchObject(numbered(confirmed + 1))
    }
  })

  it("that write to one file never cut into each other's lines", async () => {
    const { home, file } = makeHome()
    const place = file(SESSION)
    const names = ["a", "b"]
    const children = await Promise.all(names.map((name) => started([home, place, name, "300"])))
    await Promise.all(children.map((child) => confirmedBy(child, () => {})))
    // Whoever opens the file while a line is being written may begin with a line break; that cuts nothing.
    const lines = readFileSync(place, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map(parsed)
    expect(lines.length).toBe(600)
    for (const name of names) {
      expect(lines.filter((line) => rawOf(line)?.["name"] === name)).toMatchObject(numbered(300))
    }
  })
})
