import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { projectSlug } from "../../../src/core/session/slug.ts"
import { restoreFromTrash, moveToTrash, sweepTrash } from "../../../src/shell/interactive/commands/sessions/session-trash.ts"
import { worktreesOf } from "../../../src/shell/interactive/commands/sessions/worktrees.ts"
import { atDesk, type Desk, isNotice, isTold, isToldThat } from "./desk.ts"

const A = "aaaaaaaa-0000-4000-8000-000000000001"
const B = "bbbbbbbb-0000-4000-8000-000000000002"
const SIDE = "cccccccc-0000-4000-8000-000000000003"

interface Line {
  readonly type: "user" | "assistant"
  readonly text: string
}

const said = (type: Line["type"], text: string): Line => ({ type, text })

const store = (
  desk: Desk,
  at: { readonly id: string; readonly cwd: string; readonly side?: boolean },
  lines: ReadonlyArray<Line>
): string => {
  const path = join(desk.configHome, "projects", projectSlug(at.cwd), `${at.id}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  const records = lines.map(({ type, text }, index) => ({
    type,
    uuid: `${at.id}-${index}`,
    parentUuid: index === 0 ? null : `${at.id}-${index - 1}`,
    sessionId: at.id,
    cwd: at.cwd,
    timestamp: "2026-01-01T00:00:00.000Z",
    isSidechain: at.side === true,
    entrypoint: "cli",
    gitBranch: "main",
    message:
      type === "user"
        ? { role: "user", content: text }
        : { id: `m${index}`, role: "assistant", model: "x", content: [{ type: "text", text }] }
  }))
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""))
  return path
}

describe("sessions on disk", () => {
  it(
    "are listed from here first, then from everywhere",
    atDesk(async (desk) => {
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
    })
  )

  it(
    "show their last words",
    atDesk(async (desk) => {
      store(desk, { id: A, cwd: desk.cwd }, [said("user", "what?\nreally"), said("assistant", "this")])
      desk.performer.perform({ _tag: "PreviewSession", sessionId: A })
      const { lines } = await desk.until(isTold("SessionPreviewed"))
      expect(lines).toEqual(["> what?", "> really", "", "this"])
    })
  )

  it(
    "are exported beside the work, never over a file, without tokens",
    atDesk(async (desk) => {
      const token = `ghp_${"a".repeat(36)}`
      store(desk, { id: A, cwd: desk.cwd }, [said("user", `what is ${token}?`), said("assistant", "a token")])
      writeFileSync(join(desk.cwd, "what-s-this.md"), "mine")
      desk.performer.perform({ _tag: "ExportSession", sessionId: A, title: "What's this" })
      await desk.until(isNotice(`exported to ${join(desk.cwd, "what-s-this-2.md")}`))
      const text = readFileSync(join(desk.cwd, "what-s-this-2.md"), "utf8")
      expect(text).toContain("# What's this\n\n> what is")
      expect(text).toContain("a token")
      expect(text).not.toContain(token)
      expect(readFileSync(join(desk.cwd, "what-s-this.md"), "utf8")).toBe("mine")
    })
  )

  it(
    "get a name although they are closed",
    atDesk(async (desk) => {
      const path = store(desk, { id: A, cwd: desk.cwd }, [said("user", "hi")])
      desk.performer.perform({ _tag: "Rename", session: A, title: "  a \u001B[31m new\nname " })
      desk.performer.perform({ _tag: "Rename", session: B, title: "nobody" })
      await desk.until(isNotice(`No conversation found with session ID: ${B}`))
      desk.performer.perform({ _tag: "ListSessions" })
      const { sessions } = await desk.until(isTold("SessionsListed"))
      expect(sessions[0]?.title).toBe("a [31m new name")
      expect(readFileSync(path, "utf8").trimEnd().split("\n").at(-1)).toContain('"type":"custom-title"')
    })
  )

  it(
    "go to the trash with what lies beside them, and come back",
    atDesk(async (desk) => {
      const path = store(desk, { id: A, cwd: desk.cwd }, [said("user", "hi")])
      mkdirSync(path.replace(".jsonl", ""))
      writeFileSync(join(path.replace(".jsonl", ""), "note.txt"), "beside")
      desk.performer.perform({ _tag: "DeleteSession", sessionId: A })
      await desk.until(isNotice("u brings it back"))
      expect(existsSync(path)).toBe(false)
      expect(existsSync(join(desk.configHome, "nacre", "trash", A, `${A}.jsonl`))).toBe(true)
      desk.performer.perform({ _tag: "RestoreSession", sessionId: A })
      await desk.until(isNotice("the session is back"))
      expect(readFileSync(path, "utf8")).toContain("hi")
      expect(readFileSync(join(path.replace(".jsonl", ""), "note.txt"), "utf8")).toBe("beside")
      expect(existsSync(join(desk.configHome, "nacre", "trash", A))).toBe(false)
    })
  )

  it(
    "stay where they are while they are open, and the list is read again",
    atDesk(async (desk) => {
      const handle = await desk.openSession()
      desk.performer.perform({ _tag: "DeleteSession", sessionId: handle.facts.sessionId })
      await desk.until(isNotice("open here"))
      await desk.until(isTold("SessionsListed"))
    })
  )

  it("leave the trash after 30 days", () => {
    const home = mkdtempSync(join(tmpdir(), "nacre-trash-"))
    const path = join(home, "projects", "p", `${A}.jsonl`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, "{}\n")
    moveToTrash(home, path, 0)
    const day = 24 * 60 * 60 * 1_000
    sweepTrash(home, 30 * day)
    expect(existsSync(join(home, "nacre", "trash", A))).toBe(true)
    sweepTrash(home, 30 * day + 1)
    expect(existsSync(join(home, "nacre", "trash", A))).toBe(false)
    expect(restoreFromTrash(home, A)).toContain("not in the trash")
    expect(restoreFromTrash(home, "../../etc")).toContain("not in the trash")
  })

  it(
    "are searched in all their text, with progress, newest first",
    atDesk(async (desk) => {
      store(desk, { id: A, cwd: desk.cwd }, [
        said("user", "where is the lost line?"),
        said("assistant", "The LINE was lost here")
      ])
      store(desk, { id: B, cwd: "/else/where" }, [said("user", "a line that nobody lost"), said("assistant", "other words")])
      store(desk, { id: SIDE, cwd: desk.cwd, side: true }, [said("user", "lost line of an agent")])
      desk.performer.perform({ _tag: "SearchSessions", query: "lost line -nobody", request: 3 })
      const done = await desk.until(isToldThat("SessionsSearched", ({ isDone }) => isDone))
      expect(done).toMatchObject({ request: 3, searched: 3, total: 3 })
      expect(done.hits.map(({ sessionId, role }) => [sessionId, role])).toEqual([
        [A, "title"],
        [A, "agent"],
        [A, "you"]
      ])
      expect(done.hits[1]?.snippet).toBe("The LINE was lost here")
    })
  )

  it(
    "are not searched any further when another search begins",
    atDesk(async (desk) => {
      store(desk, { id: A, cwd: desk.cwd }, [said("user", "words")])
      desk.performer.perform({ _tag: "SearchSessions", query: "words", request: 1 })
      desk.performer.perform({ _tag: "SearchSessions", query: "words", request: 2 })
      const done = await desk.until(isToldThat("SessionsSearched", ({ isDone }) => isDone))
      expect(done.request).toBe(2)
      expect(desk.heard.filter(isTold("SessionsSearched")).every(({ request }) => request === 2)).toBe(true)
    })
  )

  it(
    "of other worktrees of the repository are near",
    atDesk(async (desk) => {
      const linked = join(desk.cwd, "..", "linked")
      const entry = join(desk.cwd, ".git", "worktrees", "linked")
      mkdirSync(entry, { recursive: true })
      mkdirSync(linked)
      writeFileSync(join(entry, "gitdir"), `${join(linked, ".git")}\n`)
      writeFileSync(join(entry, "commondir"), "../..\n")
      writeFileSync(join(linked, ".git"), `gitdir: ${entry}\n`)
      expect(worktreesOf(desk.cwd)).toEqual([desk.cwd, linked])
      expect(worktreesOf(linked)).toEqual([linked, desk.cwd])
      store(desk, { id: A, cwd: linked }, [said("user", "over there"), said("assistant", "yes")])
      desk.performer.perform({ _tag: "ListSessions" })
      const { sessions } = await desk.until(isTold("SessionsListed"))
      expect(sessions).toMatchObject([{ sessionId: A, isNear: true, isInterrupted: false }])
    })
  )

  it(
    "get one tag, and lose it when it is given again",
    atDesk(async (desk) => {
      const handle = await desk.openSession()
      const { sessionId } = handle.facts
      handle.submit("hello")
      await desk.until(isToldThat("Session", ({ news }) => news._tag === "Emitted" && news.emission._tag === "TurnFinished"))
      desk.performer.perform({ _tag: "TagSession", session: sessionId, tag: "bugs" })
      await desk.until(isNotice("tagged bugs"))
      desk.performer.perform({ _tag: "TagSession", session: sessionId, tag: "bugs" })
      await desk.until(isNotice("no longer tagged bugs"))
      desk.performer.perform({ _tag: "TagSession", session: sessionId, tag: "two\nlines" })
      await desk.until(isNotice("one line"))
    })
  )

  it(
    "are refused with the reason",
    atDesk(async (desk) => {
      desk.performer.perform({ _tag: "OpenSession", which: { _tag: "Resume", sessionId: A }, replaces: undefined })
      const { reason } = await desk.until(isTold("SessionRefused"))
      expect(reason).toContain(`No conversation found with session ID: ${A}`)
    })
  )
})

describe("open sessions", () => {
  it(
    "open with the text that came with the wish, and close",
    atDesk(async (desk) => {
      desk.performer.perform({ _tag: "OpenSession", which: { _tag: "New" }, replaces: undefined })
      desk.performer.perform({ _tag: "DraftNext", text: "again" })
      const { session, text } = await desk.until(isTold("InsertText"))
      expect(text).toBe("again")
      const opened = desk.heard.findIndex(isTold("SessionOpened"))
      expect(opened).toBeLessThan(desk.heard.findIndex(isTold("InsertText")))
      desk.performer.perform({ _tag: "CloseSession", session })
      expect(desk.sessions.get(session)).toBeUndefined()
    })
  )

  it(
    "take prompts, names, modes and models",
    atDesk(async (desk) => {
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
    })
  )

  it(
    "show the end of the program what it must still do",
    atDesk(async (desk) => {
      desk.performer.perform({ _tag: "ShowStats" })
      const { lines } = await desk.until(isTold("Listed"))
      expect(lines.join("\n")).toContain("0 frames")
      expect(lines).toContain("pools: 3 glyphs, 1 styles, 1 links, generation 1")
      expect(lines).toContain("input that was not understood: 3")
    })
  )
})
