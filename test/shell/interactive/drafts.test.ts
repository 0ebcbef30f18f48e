import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Draft } from "../../../src/tui/prompt/model.ts"
import { atDesk, type Desk, isNotice, openDesk } from "./desk.ts"

const SESSION = "11111111-2222-4333-8444-555555555555"

const DRAFT: Draft = {
  text: "half a \u{10f001} thought",
  caret: { line: 0, column: 4 },
  mode: "shell",
  chips: [
    { _tag: "Paste", number: 1, text: "pasted" },
    { _tag: "Paste", number: 2, text: undefined },
    { _tag: "Image", number: 3, reference: "a.png" }
  ]
}

const fileOf = ({ configHome }: Desk): string => join(configHome, "nacre", "drafts", `${SESSION}.json`)

const save = (desk: Desk, draft: Draft): void => desk.performer.perform({ _tag: "SaveDraft", session: SESSION, draft })

describe("a draft", () => {
  it(
    "is on disk when the program ends, private, and comes back whole",
    atDesk(async (desk) => {
      save(desk, DRAFT)
      expect(desk.performer.draftOf(SESSION)).toEqual(DRAFT)
      desk.performer.perform({ _tag: "Quit", code: 0 })
      expect(desk.quits).toEqual([0])
      expect(statSync(fileOf(desk)).mode & 0o777).toBe(0o600)
      expect(desk.performer.draftOf(SESSION)).toEqual(DRAFT)
    })
  )

  it("is written by itself soon after it was typed", async () => {
    const desk = openDesk()
    const written = new Promise<void>((resolve) => {
      const look = (): void => void (existsSync(fileOf(desk)) ? resolve() : setImmediate(look))
      look()
    })
    save(desk, { ...DRAFT, text: "first" })
    save(desk, { ...DRAFT, text: "last" })
    expect(existsSync(fileOf(desk))).toBe(false)
    await written
    expect(readFileSync(fileOf(desk), "utf8")).toContain("last")
    await desk.close()
  })

  it(
    "is gone once it is empty",
    atDesk(async (desk) => {
      save(desk, DRAFT)
      desk.performer.flush()
      save(desk, { text: "", caret: { line: 0, column: 0 }, mode: "prompt", chips: [] })
      expect(desk.performer.draftOf(SESSION)).toBeUndefined()
      desk.performer.flush()
      expect(existsSync(fileOf(desk))).toBe(false)
    })
  )

  it.each(["{", '{"text":1}', "null"])("that holds %s is left out with a notice", async (text) => {
    await atDesk(async (desk) => {
      mkdirSync(dirname(fileOf(desk)), { recursive: true })
      writeFileSync(fileOf(desk), text)
      expect(desk.performer.draftOf(SESSION)).toBeUndefined()
      await desk.until(isNotice("could not be read"))
    })()
  })

  it(
    "of a name that is not a session id leads nowhere",
    atDesk(async (desk) => {
      desk.performer.perform({ _tag: "SaveDraft", session: "../../settings", draft: DRAFT })
      desk.performer.flush()
      expect(existsSync(join(desk.configHome, "settings.json"))).toBe(false)
      expect(desk.performer.draftOf("../../settings")).toBeUndefined()
    })
  )
})

describe("a draft of a session in which nothing was said", () => {
  const NEXT = "99999999-2222-4333-8444-555555555555"
  const lost = (desk: Desk, unsaid: unknown): void => {
    mkdirSync(dirname(fileOf(desk)), { recursive: true })
    writeFileSync(fileOf(desk), JSON.stringify({ ...DRAFT, chips: [], unsaid }))
  }
  const DEAD = 2 ** 22 + 1

  it(
    "says so, and the next session of the folder takes it over, once",
    atDesk(async (desk) => {
      const handle = await desk.openSession()
      const { sessionId, cwd } = handle.facts
      desk.performer.perform({ _tag: "SaveDraft", session: sessionId, draft: DRAFT })
      desk.performer.flush()
      const path = join(desk.configHome, "nacre", "drafts", `${sessionId}.json`)
      expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ unsaid: { cwd, pid: process.pid } })
      expect(desk.performer.adoptDraft(NEXT, cwd)).toBeUndefined()
      lost(desk, { cwd, pid: DEAD })
      expect(desk.performer.adoptDraft(NEXT, cwd)?.text).toBe(DRAFT.text)
      expect(desk.performer.draftOf(NEXT)?.text).toBe(DRAFT.text)
      expect(existsSync(fileOf(desk))).toBe(false)
    })
  )

  it(
    "is left to its own folder, and a draft of a session with messages to that session",
    atDesk(async (desk) => {
      lost(desk, { cwd: "/elsewhere", pid: DEAD })
      expect(desk.performer.adoptDraft(NEXT, desk.cwd)).toBeUndefined()
      lost(desk, undefined)
      expect(desk.performer.adoptDraft(NEXT, desk.cwd)).toBeUndefined()
      writeFileSync(fileOf(desk), "broken")
      expect(desk.performer.adoptDraft(NEXT, desk.cwd)).toBeUndefined()
    })
  )
})
