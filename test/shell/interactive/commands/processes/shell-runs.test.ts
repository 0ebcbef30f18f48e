import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { promptText } from "../../../../../src/core/loop/turn/queue.ts"
import { toArray } from "../../../../../src/core/domain/append-list.ts"
import type { SessionHandle } from "../../../../../src/shell/session/session-handle.ts"
import { sessionDirOf } from "../../../../../src/shell/plan/session-plan.ts"
import type { ShellRun } from "../../../../../src/tui/transcript/entries/shell-run.ts"
import { atDesk, type Desk, isNotice, isToldThat } from "../../desk.ts"
import { phaseOf } from "../../../../../src/core/loop/machine/transition.ts"

const shellNews = (fits: (run: ShellRun) => boolean) =>
  isToldThat("Session", ({ news }) => news._tag === "Shell" && fits(news.run))

const finished = isToldThat("Session", ({ news }) => news._tag === "Emitted" && news.emission._tag === "TurnFinished")

const said = (session: SessionHandle): ReadonlyArray<string> =>
  toArray(session.state().conversation.messages).flatMap((message) =>
    message.type === "user" && message.isMeta !== true ? [promptText(message.message.content)] : []
  )

const run = (desk: Desk, session: SessionHandle, command: string, inContext: boolean): void =>
  desk.performer.perform({ _tag: "RunShell", session: session.facts.sessionId, command, inContext })

describe("a command of the user", () => {
  it(
    "is told to the model with its output, and answered",
    atDesk(async (desk) => {
      const session = await desk.openSession()
      run(desk, session, "echo hello; echo oops >&2; exit 3", true)
      await desk.until(finished)
      expect(said(session)).toEqual([
        "<bash-input>echo hello; echo oops >&2; exit 3</bash-input>",
        "<bash-stdout>hello\noops</bash-stdout><bash-stderr>Exit code 3</bash-stderr>"
      ])
      await desk.until(shellNews(({ state }) => state === "failed"))
    })
  )

  it(
    "has the id of its message, so that the screen can hand it over",
    atDesk(async (desk) => {
      const session = await desk.openSession()
      run(desk, session, "echo hello", true)
      await desk.until(finished)
      const { news } = await desk.until(shellNews(({ state }) => state === "ok"))
      const first = toArray(session.state().conversation.messages)[0]
      expect(news).toMatchObject({ run: { id: first?.uuid, output: "hello" } })
    })
  )

  it(
    "runs where the session is and without our credentials",
    atDesk(
      async (desk) => {
        const session = await desk.openSession()
        run(desk, session, 'pwd; echo "key:$ANTHROPIC_API_KEY:"', false)
        const { news } = await desk.until(shellNews(({ state }) => state === "ok"))
        expect(news).toMatchObject({ run: { output: `${desk.cwd}\nkey::` } })
      },
      { env: { ANTHROPIC_API_KEY: "sk-secret" } }
    )
  )

  it(
    "does not get what sounds like a secret, as no command does, and a failure that it may explain says so once",
    atDesk(
      async (desk) => {
        const session = await desk.openSession()
        const command = 'test -n "$DEPLOY_TOKEN" && echo "got:$DEPLOY_TOKEN"'
        run(desk, session, command, false)
        const first = await desk.until(shellNews(({ state }) => state === "failed"))
        expect(first.news).toMatchObject({
          run: { output: expect.stringMatching(/^Exit code 1\nDEPLOY_TOKEN is not passed to commands.*nacre\.env\.keep/) }
        })
        run(desk, session, `${command} again`, false)
        const second = await desk.until(
          shellNews(({ state, command: text }) => state === "failed" && text.endsWith("again"))
        )
        expect(second.news).toMatchObject({ run: { output: "Exit code 1" } })
      },
      { env: { DEPLOY_TOKEN: "d-1" } }
    )
  )

  it(
    "leaves no trace in the conversation when it is quiet",
    atDesk(async (desk) => {
      const session = await desk.openSession()
      run(desk, session, "echo only for me", false)
      await desk.until(shellNews(({ state, output }) => state === "ok" && output === "only for me"))
      expect(said(session)).toEqual([])
      const tasks = join(sessionDirOf(session.facts.transcriptPath), "tasks")
      await expect.poll(() => readdirSync(tasks)).toEqual([])
    })
  )

  it(
    "shows what it prints while it runs, and stops when it is interrupted",
    atDesk(async (desk) => {
      const session = await desk.openSession()
      run(desk, session, "echo begun; sleep 60", true)
      await desk.until(shellNews(({ state, output }) => state === "running" && output.includes("begun")))
      desk.performer.perform({ _tag: "Interrupt", session: session.facts.sessionId })
      await desk.until(shellNews(({ state }) => state === "cancelled"))
      await expect.poll(() => said(session).length).toBe(2)
      expect(said(session)).toEqual([
        "<bash-input>echo begun; sleep 60</bash-input>",
        "<bash-stdout>begun</bash-stdout><bash-stderr>The user stopped the command.</bash-stderr>"
      ])
      expect(phaseOf(session.state())._tag).toBe("Idle")
    })
  )

  it(
    "cannot end the tag that its output stands in",
    atDesk(async (desk) => {
      const session = await desk.openSession()
      run(desk, session, "echo 'a</bash-stdout>b'", true)
      await desk.until(finished)
      expect(said(session)[1]).toBe("<bash-stdout>a<\\/bash-stdout>b</bash-stdout><bash-stderr></bash-stderr>")
    })
  )

  it(
    "says so when the session is gone",
    atDesk(async (desk) => {
      desk.performer.perform({ _tag: "RunShell", session: "gone", command: "true", inContext: true })
      await desk.until(isNotice("not open any more"))
    })
  )

  it(
    "gets a text as its input and shows what it made of it",
    atDesk(async (desk) => {
      const session = await desk.openSession()
      const { sessionId } = session.facts
      desk.performer.perform({ _tag: "PipeThrough", session: sessionId, command: "tr a-z A-Z; exit 4", input: "loud" })
      const { text } = await desk.until(isToldThat("OutputLoaded", () => true))
      expect(text).toBe("LOUD\nIt ended with status 4.")
    })
  )
})
