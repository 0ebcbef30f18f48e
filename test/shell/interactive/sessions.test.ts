import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { projectSlug } from "../../../src/core/session/slug.ts"
import { atDesk, type Desk, isNotice, isTold, isToldThat } from "./desk.ts"

const A = "aaaaaaaa-0000-4000-8000-000000000001"
const B = "bbbbbbbb-0000-4000-8000-000000000002"
const SIDE = "cccccccc-0000-4000-8000-000000000003"

interface Line {
  readonly type: "user" | "assistant"
  readonly text: string
}

const said = (type: Line["type"], text: string): Line => ({ type, text })

const store = (desk: Desk, at: { readonly id: string; readonly cwd: string; readonly side?: boolean }, lines: ReadonlyArray<Line>): string => {
  const path = join(desk.configHome, "projects", projectSlug(at.cwd), `${at.id}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  const records = lines.map(({ type, text }, index) => ({
    type, uuid: `${at.id}-${index}`, parentUuid: index === 0 ? null : `${at.id}-${index - 1}`, sessionId: at.id, cwd: at.cwd,
    timestamp: "2026-01-01T00:00:00.000Z", isSidechain: at.side === true, entrypoint: "cli", gitBranch: "main",
    message: type === "user" ? { role: "user", content: text } : { id: `m${index}`, role: "assistant", model: "x", content: [{ type: "text", text }] }
  }))
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""))
  return path
}

describe("sessions on disk", () => {
  it("are listed from here first, then from everywhere", atDesk(async (desk) => {
    store(desk, { id: A, cwd: desk.cwd }, [said("user", "near")])
    store(desk, { id: B, cwd: "/else/where" }, [said("user", "far")])
    store(desk, { id: SIDE, cwd: desk.cwd, side: true }, [said("user", "of an agent")])
    desk.performer.perform({ _tag: "ListSessions" })
    const first = await desk.until(isTold("SessionsListed"))
    expect(first.sessions.map(({ sessionId }) => sessionId)).toEqual([A])
    const { sessions } = await desk.until(isToldThat("SessionsListed", ({ sessions }) => sessions.length === 2))
    expect(sessions).toMatchObject([
      { sessionId: A, title: "near", cwd: desk.cwd, branch: "main", isLive: false, firstPrompt: "near" },
      { sessionId: B, title: "far", cwd: "/else/where" }
    ])
  }))

  it("show their last words", atDesk(async (desk) => {
    store(desk, { id: A, cwd: desk.cwd }, [said("user", "what?\nreally"), said("assistant", "this")])
    desk.performer.perform({ _tag: "PreviewSession", sessionId: A })
    const { lines } = await desk.until(isTold("SessionPreviewed"))
    expect(lines).toEqual(["> what?", "> really", "", "this"])
  }))

  it("get a name although they are closed", atDesk(async (desk) => {
    const path = store(desk, { id: A, cwd: desk.cwd }, [said("user", "hi")])
    desk.performer.perform({ _tag: "Rename", session: A, title: "  a \u001B[31m new\nname " })
    desk.performer.perform({ _tag: "Rename", session: B, title: "nobody" })
    await desk.until(isNotice(`No conversation found with session ID: ${B}`))
    desk.performer.perform({ _tag: "ListSessions" })
    const { sessions } = await desk.until(isTold("SessionsListed"))
    expect(sessions[0]?.title).toBe("a [31m new name")
    expect(readFileSync(path, "utf8").trimEnd().split("\n").at(-1)).toContain('"type":"custom-title"')
  }))

  it("are refused with the reason", atDesk(async (desk) => {
    desk.performer.perform({ _tag: "OpenSession", which: { _tag: "Resume", sessionId: A }, replaces: undefined })
    const { reason } = await desk.until(isTold("SessionRefused"))
    expect(reason).toContain(`No conversation found with session ID: ${A}`)
  }))
})

describe("open sessions", () => {
  it("open with the text that came with the wish, and close", atDesk(async (desk) => {
    desk.performer.perform({ _tag: "OpenSession", which: { _tag: "New" }, replaces: undefined })
    desk.performer.perform({ _tag: "DraftNext", text: "again" })
    const { session, text } = await desk.until(isTold("InsertText"))
    expect(text).toBe("again")
    const opened = desk.heard.findIndex(isTold("SessionOpened"))
    expect(opened).toBeLessThan(desk.heard.findIndex(isTold("InsertText")))
    desk.performer.perform({ _tag: "CloseSession", session })
    expect(desk.sessions.get(session)).toBeUndefined()
  }))

  it("take prompts, names, modes and models", atDesk(async (desk) => {
    const session = await desk.openSession()
    const id = session.facts.sessionId
    desk.performer.perform({ _tag: "Submit", session: id, text: "hello", priority: "next" })
    await desk.until(isToldThat("Session", ({ news }) => news._tag === "Emitted" && news.emission._tag === "TurnFinished"))
    desk.performer.perform({ _tag: "Rename", session: id, title: "named" })
    desk.performer.perform({ _tag: "SetMode", session: id, mode: "plan" })
    expect(session.state().permission.mode).toBe("plan")
    desk.performer.perform({ _tag: "SetModel", session: id, model: "" })
    desk.performer.perform({ _tag: "ListTasks", session: id })
    expect((await desk.until(isTold("TasksListed"))).tasks).toEqual([])
    desk.performer.perform({ _tag: "MoveToBackground", session: id, callId: "none" })
    await desk.until(isNotice("runs no command"))
    desk.performer.perform({ _tag: "ShowTask", session: id, taskId: "none" })
    await desk.until(isNotice("not known any more"))
    await Effect.runPromise(desk.sessions.close(id))
    expect(readFileSync(session.facts.transcriptPath, "utf8")).toContain('"customTitle":"named"')
    desk.performer.perform({ _tag: "Submit", session: id, text: "too late", priority: "next" })
    await desk.until(isNotice("not open any more"))
  }))

  it("show the end of the program what it must still do", atDesk(async (desk) => {
    desk.performer.perform({ _tag: "ShowStats" })
    const { lines } = await desk.until(isTold("Listed"))
    expect(lines.join("\n")).toContain("0 frames")
  }))
})
