import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { appendHistory, MOST_BYTES, MOST_ENTRIES, readHistory } from "../../../src/shell/interactive/stores/history-file.ts"
import type { HistoryEntry } from "../../../src/tui/prompt/model.ts"
import { atDesk, type Desk, isTold, isToldThat } from "./desk.ts"

const entry = (display: string, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  display,
  chips: [],
  timestamp: 1,
  project: "/p",
  sessionId: "s",
  ...more
})

const fileOf = ({ configHome }: Desk): string => join(configHome, "history.jsonl")

const remember = (desk: Desk, display: string): void =>
  desk.performer.perform({ _tag: "Remember", session: "s", display, chips: [] })

describe("the file of the history", () => {
  it(
    "no longer gives a prompt that was taken back, and keeps what was sent before",
    atDesk(async (desk) => {
      remember(desk, "one")
      remember(desk, "two")
      desk.performer.perform({ _tag: "Unremember", session: "s", display: "two" })
      desk.performer.perform({ _tag: "Unremember", session: "s", display: "never sent" })
      expect(readHistory(desk.configHome, MOST_BYTES).entries.map(({ display }) => display)).toEqual(["one"])
      expect(readFileSync(fileOf(desk), "utf8").trim().split("\n")).toHaveLength(3)
    })
  )

  it(
    "is private and written as Claude Code writes it",
    atDesk(async (desk) => {
      appendHistory(entry("!ls", { timestamp: 7 }), desk.plan)
      expect(JSON.parse(readFileSync(fileOf(desk), "utf8"))).toEqual({
        display: "!ls",
        pastedContents: {},
        timestamp: 7,
        project: "/p",
        sessionId: "s"
      })
      expect(statSync(fileOf(desk)).mode & 0o777).toBe(0o600)
    })
  )

  it(
    "keeps long pastes in a cache and reads one when it is wanted",
    atDesk(async (desk) => {
      const chips = [
        { _tag: "Paste", number: 1, text: "short" },
        { _tag: "Paste", number: 2, text: "x".repeat(2_000) },
        { _tag: "Image", number: 3, reference: "picture.png" }
      ] as const
      appendHistory(entry("[Pasted text #1]", { chips }), desk.plan)
      expect(readFileSync(fileOf(desk), "utf8")).not.toContain("xxxx")
      const [short, long, image] = readHistory(desk.configHome, MOST_BYTES).entries[0]?.chips ?? []
      expect([short, image]).toEqual([chips[0], chips[2]])
      expect(long).toMatchObject({ _tag: "Paste", number: 2, text: undefined })
      const stored = long?._tag === "Paste" ? (long.stored ?? "") : ""
      const read = async (session: string) => {
        desk.performer.perform({ _tag: "ReadPastes", session, stored: [stored, "../history"] })
        return [...(await desk.until(isToldThat("PastesRead", (told) => told.session === session))).texts]
      }
      expect(await read("s")).toEqual([[stored, "x".repeat(2_000)]])
      const cache = join(desk.configHome, "paste-cache")
      const [name = ""] = readdirSync(cache)
      expect(statSync(join(cache, name)).mode & 0o777).toBe(0o600)
      writeFileSync(join(cache, name), Buffer.from([0xff]))
      expect(await read("t")).toEqual([])
    })
  )

  it(
    "survives half a line and lines that are not entries",
    atDesk(async (desk) => {
      writeFileSync(fileOf(desk), '{"display":"one","timestamp":1}\n{"other":1}\n[]\nnonsense\n{"display":"hal')
      chmodSync(fileOf(desk), 0o644)
      appendHistory(entry("two", { timestamp: 2 }), desk.plan)
      expect(readHistory(desk.configHome, MOST_BYTES).entries.map(({ display }) => display)).toEqual(["two", "one"])
      expect(statSync(fileOf(desk)).mode & 0o777).toBe(0o600)
    })
  )

  it(
    "leaves out what was taken back",
    atDesk(async (desk) => {
      appendHistory(entry("kept", { timestamp: 1 }), desk.plan)
      appendHistory(entry("regretted", { timestamp: 2 }), desk.plan)
      appendFileSync(fileOf(desk), '{"removed":true,"timestamp":2,"sessionId":"s"}\n')
      expect(readHistory(desk.configHome, MOST_BYTES).entries.map(({ display }) => display)).toEqual(["kept"])
    })
  )

  it.each(["CLAUDE_CODE_SKIP_PROMPT_HISTORY", "NACRE_NO_HISTORY"])("is not written with %s", async (name) => {
    await atDesk(
      async (desk) => {
        remember(desk, "secret")
        expect(existsSync(fileOf(desk))).toBe(false)
      },
      { env: { [name]: "1" } }
    )()
  })
})

describe("the history in use", () => {
  it(
    "is loaded for a session and told again when something is sent",
    atDesk(async (desk) => {
      appendHistory(entry("before"), desk.plan)
      desk.performer.perform({ _tag: "LoadHistory", session: "s" })
      remember(desk, "now")
      const { entries } = await desk.until(isToldThat("HistoryLoaded", ({ entries }) => entries.length === 2))
      expect(entries.map(({ display }) => display)).toEqual(["now", "before"])
      expect(entries[0]).toMatchObject({ project: desk.cwd, sessionId: "s" })
    })
  )

  it(
    "keeps the newest in memory, however many are sent and however much is pasted",
    atDesk(
      async (desk) => {
        desk.performer.perform({ _tag: "LoadHistory", session: "s" })
        for (let count = 0; count < MOST_ENTRIES + 10; count++) remember(desk, `prompt ${count}`)
        const isLast = isToldThat("HistoryLoaded", ({ entries }) => entries[0]?.display === `prompt ${MOST_ENTRIES + 9}`)
        expect((await desk.until(isLast)).entries.length).toBe(MOST_ENTRIES)
        const chips = [{ _tag: "Paste", number: 1, text: "x".repeat(MOST_BYTES) }] as const
        desk.performer.perform({ _tag: "Remember", session: "s", display: "pasted", chips })
        desk.performer.perform({ _tag: "Remember", session: "s", display: "after", chips: [] })
        const after = await desk.until(isToldThat("HistoryLoaded", ({ entries }) => entries[0]?.display === "after"))
        expect(after.entries.map(({ display }) => display)).toEqual(["after"])
      },
      { env: { NACRE_NO_HISTORY: "1" } }
    )
  )

  it(
    "comes with its end first when it is long",
    atDesk(async (desk) => {
      const lines = Array.from({ length: 4_000 }, (_, index) =>
        JSON.stringify({ display: `prompt ${index} ${"-".repeat(100)}`, timestamp: index })
      )
      writeFileSync(fileOf(desk), `${lines.join("\n")}\n`)
      desk.performer.perform({ _tag: "LoadHistory", session: "s" })
      const first = await desk.until(isTold("HistoryLoaded"))
      expect(first.entries[0]?.display).toContain("prompt 3999 ")
      expect(first.entries.length).toBeLessThan(4_000)
      await desk.until(isToldThat("HistoryLoaded", ({ entries }) => entries.length === 4_000))
    })
  )

  it(
    "is told as unwritable without losing the prompt",
    atDesk(async (desk) => {
      mkdirSync(fileOf(desk))
      desk.performer.perform({ _tag: "LoadHistory", session: "s" })
      remember(desk, "kept in memory")
      const { entries } = await desk.until(isToldThat("HistoryLoaded", ({ entries }) => entries.length === 1))
      expect(entries[0]?.display).toBe("kept in memory")
      expect(desk.heard.some((happening) => isTold("Told")(happening) && happening.notice.text.includes("Fix:"))).toBe(true)
    })
  )

  it(
    "stays bounded in memory: so many entries, and no long paste",
    atDesk(async (desk) => {
      const lines = Array.from({ length: MOST_ENTRIES + 50 }, (_, index) =>
        JSON.stringify({ display: `prompt ${index}`, timestamp: index })
      )
      writeFileSync(fileOf(desk), `${lines.join("\n")}\n`)
      desk.performer.perform({ _tag: "LoadHistory", session: "s" })
      const chips = [{ _tag: "Paste", number: 1, text: "y".repeat(5_000) }] as const
      desk.performer.perform({ _tag: "Remember", session: "s", display: "see [Pasted text #1]", chips })
      const isNewest = isToldThat("HistoryLoaded", ({ entries }) => entries[0]?.display.startsWith("see ") === true)
      const { entries } = await desk.until(isNewest)
      expect(entries.length).toBe(MOST_ENTRIES)
      expect(JSON.stringify(entries)).not.toContain("yyyy")
      expect(entries[0]?.chips).toMatchObject([{ _tag: "Paste", number: 1 }])
    })
  )
})
