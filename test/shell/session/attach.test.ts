import { existsSync } from "node:fs"
import { join } from "node:path"
import { Deferred, Effect, Scope } from "effect"
import { describe, expect, it } from "vitest"
import { MAIN_AGENT } from "../../../src/core/domain/id.ts"
import type { Message } from "../../../src/core/domain/message.ts"
import type { PermissionAnswer } from "../../../src/core/loop/machine/event.ts"
import { type EncodedView, encodeView, type SessionView } from "../../../src/core/loop/machine/session-view.ts"
import type { Published, Wants } from "../../../src/shell/runtime/publications.ts"
import type { SessionHandle } from "../../../src/shell/session/session-handle.ts"
import { atDesk } from "../interactive/desk.ts"

/** As another process would get it. */
const sent = (view: SessionView): EncodedView => JSON.parse(JSON.stringify(encodeView(view))) as EncodedView

const messagesIn = (heard: ReadonlyArray<Published>): ReadonlyArray<Message> =>
  heard.flatMap(({ agent, item }) =>
    agent === MAIN_AGENT && item._tag === "Emitted" && item.emission._tag === "MessageAdded" ? [item.emission.message] : []
  )

const attachTo = (session: SessionHandle, wants: Wants): SessionView =>
  Effect.runSync(Scope.provide(session.attach(wants), Effect.runSync(Scope.make())))

const listener = () => {
  const heard: Array<Published> = []
  return { heard, onItem: (published: Published) => void heard.push(published) }
}

describe("a second audience", () => {
  it(
    "attached in the middle of a turn sees what the first one sees",
    atDesk(async (desk) => {
      const session = await desk.openSession()
      const [first, second] = [listener(), listener()]
      let early: SessionView | undefined
      const finished = new Promise<void>((resolve) => {
        attachTo(session, {
          onItem: (published) => {
            first.onItem(published)
            if (published.item._tag === "Emitted" && published.item.emission._tag === "TurnFinished") resolve()
          },
          onGrowth: () => {
            early ??= attachTo(session, second)
          }
        })
      })
      session.submit("hello")
      await finished
      const view = sent(early ?? expect.fail())
      expect(view).toEqual(encodeView(early ?? expect.fail()))
      expect(view.agents).toHaveLength(1)
      expect(view.agents[0]).toMatchObject({
        agent: "main",
        run: { _tag: "Running", phase: "Streaming" },
        mode: "default",
        cwd: desk.cwd
      })
      expect(second.heard).toEqual(first.heard.filter(({ seq }) => seq > view.seq))
      const now = sent(session.view()).agents[0]
      expect(now?.run).toEqual({ _tag: "Done", reason: "completed" })
      expect([...(view.agents[0]?.messages ?? []), ...messagesIn(second.heard)]).toEqual(now?.messages)
    })
  )

  it(
    "sees the open question, may answer it, and everybody hears what was answered, once",
    atDesk(async (desk) => {
      const [first, second] = [listener(), listener()]
      const put: Array<(answer: PermissionAnswer) => void> = []
      const withdrawn: Array<string> = []
      const asked = Deferred.makeUnsafe<void>()
      const finished = Deferred.makeUnsafe<void>()
      const session = await Effect.runPromise(
        desk.application.open(desk.plan, {
          onItem: (published) => {
            first.onItem(published)
            if (published.item._tag === "Emitted" && published.item.emission._tag === "TurnFinished")
              Deferred.doneUnsafe(finished, Effect.void)
          },
          ask: ({ callId }, reply) => {
            put.push(reply)
            Deferred.doneUnsafe(asked, Effect.void)
            return () => void withdrawn.push(callId)
          }
        })
      )
      session.submit("run `touch made.txt`")
      await Effect.runPromise(Deferred.await(asked))
      const view = sent(attachTo(session, second))
      const [question] = view.agents[0]?.questions ?? []
      expect(question).toMatchObject({ tool: "Bash", input: { command: "touch made.txt" } })
      const { callId } = question ?? expect.fail()
      session.answer(callId, { behavior: "allow" })
      expect([withdrawn, session.view().agents[0]?.questions]).toEqual([[callId], []])
      put[0]?.({ behavior: "deny", message: "too late" })
      session.answer(callId, { behavior: "deny", message: "too late" })
      await Effect.runPromise(Deferred.await(finished))
      expect(existsSync(join(desk.cwd, "made.txt"))).toBe(true)
      const closed = { _tag: "QuestionClosed", callId, answer: { behavior: "allow" } }
      for (const { heard } of [first, second]) {
        expect(heard.map(({ item }) => item).filter(({ _tag }) => _tag === "QuestionClosed")).toEqual([closed])
      }
      expect(second.heard).toEqual(first.heard.filter(({ seq }) => seq > view.seq))
      expect(first.heard.filter(({ item }) => item._tag === "QuestionOpened")).toHaveLength(1)
      await Effect.runPromise(session.close(0))
    })
  )
})
