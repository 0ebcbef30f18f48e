import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { toArray } from "../../../src/core/domain/append-list.ts"
import type { SessionHandle } from "../../../src/shell/session/session-handle.ts"
import { atDesk, type Desk } from "../interactive/desk.ts"

/** Extraction in real sessions: what the user said lasts, and nothing is written anywhere else. */
const memoryOf = ({ facts: { memory } }: SessionHandle): string => {
  if (memory._tag === "Off") throw new Error(memory.why)
  return memory.path
}

/** Until no side task is at work any more. */
const settled = async (desk: Desk, session: SessionHandle): Promise<void> => {
  const isIdle = () => session.state().run._tag === "Done" && session.state().side.runs.length === 0
  if (isIdle()) return
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (isIdle()) resolve()
      else setImmediate(look)
    }
    look()
  })
  expect(isIdle(), JSON.stringify(session.state().side)).toBe(true)
  expect(desk.heard.length).toBeGreaterThan(0)
}

describe("what is remembered", () => {
  it(
    "is what the user said and what lasts: a topic and its line, reported once and paid for",
    atDesk(async (desk) => {
      const session = await desk.openSession()
      session.submit("@say Fine.\nI prefer tabs over spaces.")
      await settled(desk, session)
      const memory = memoryOf(session)
      expect(readdirSync(memory).toSorted()).toEqual(["MEMORY.md", "i-prefer-tabs-over-spaces.md"])
      const topic = readFileSync(join(memory, "i-prefer-tabs-over-spaces.md"), "utf8")
      expect(topic).toMatch(/^---\nname: I prefer tabs over spaces\n[\s\S]*source: conversation\nmodified: \d{4}-/)
      expect(readFileSync(join(memory, "MEMORY.md"), "utf8")).toContain("](i-prefer-tabs-over-spaces.md)")
      const saved = toArray(session.state().conversation.messages).filter(
        (message) => message.type === "system" && message.subtype === "memory_saved"
      )
      expect(saved).toMatchObject([{ paths: [join(memory, "i-prefer-tabs-over-spaces.md")] }])
      const { usage } = session.state().totals.models["offline"] ?? {}
      expect((usage?.input_tokens ?? 0) + (usage?.cache_creation_input_tokens ?? 0)).toBeGreaterThan(4_000)
      session.submit("@say And now?")
      await settled(desk, session)
      expect(readdirSync(memory)).toHaveLength(2)
    })
  )

  it(
    "is left alone where the agent itself has written, and where nothing lasts",
    atDesk(async (desk) => {
      const session = await desk.openSession()
      session.submit("remember that I prefer tabs")
      await settled(desk, session)
      expect(readdirSync(memoryOf(session))).toEqual(["MEMORY.md"])
      session.submit("@say The weather is fine.")
      await settled(desk, session)
      expect(readdirSync(memoryOf(session))).toEqual(["MEMORY.md"])
    })
  )
})

describe("whoever extracts", () => {
  it("writes nowhere else, whatever the model wants", async () => {
    const place = realpathSync(mkdtempSync(join(tmpdir(), "nacre-extract-")))
    const script = join(place, "script.json")
    const memory = join(place, "memory")
    const victim = join(place, "victim.txt")
    writeFileSync(victim, "untouched")
    mkdirSync(memory)
    mkdirSync(join(place, "outside"))
    symlinkSync(join(place, "outside"), join(memory, "out"))
    symlinkSync(victim, join(memory, "linked.md"))
    const write = (file_path: string) => ({ name: "Write", input: { file_path, content: "pwned" } })
    const run = (command: string) => ({ name: "Bash", input: { command } })
    const tools = [
      write(victim),
      write("victim.txt"),
      write(`${memory}/../escaped.md`),
      write(join(memory, "out", "escaped.md")),
      write(join(memory, "linked.md")),
      { name: "Edit", input: { file_path: victim, old_string: "untouched", new_string: "pwned" } },
      run(`echo pwned > ${victim}`),
      run(`echo pwned > ${join(memory, "by-bash.md")}`),
      run(`rm ${victim}`),
      { name: "WebFetch", input: { url: "https://a.example", prompt: "x" } },
      write(join(memory, "good.md"))
    ]
    const scripted = { main: [{ text: "done" }], memory_extract: [{ tools }, { text: "done" }] }
    writeFileSync(script, JSON.stringify(scripted))
    const env = { NACRE_OFFLINE_SCRIPT: script, NACRE_MEMORY_DIR: memory }
    await atDesk(
      async (desk) => {
        const session = await desk.openSession()
        session.submit("go on")
        await settled(desk, session)
        expect(memoryOf(session)).toBe(memory)
        expect(readFileSync(victim, "utf8")).toBe("untouched")
        expect(readdirSync(desk.cwd)).toEqual([])
        expect(readdirSync(place).toSorted()).toEqual(["memory", "outside", "script.json", "victim.txt"])
        expect(readdirSync(join(place, "outside"))).toEqual([])
        expect(readdirSync(memory).toSorted()).toEqual(["good.md", "linked.md", "out"])
      },
      { env }
    )()
    rmSync(place, { recursive: true })
  })
})
