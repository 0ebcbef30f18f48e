import { Effect, Scope } from "effect"
import { describe, expect, it } from "vitest"
import type { Message } from "../../../src/core/domain/message.ts"
import { type EncodedView, encodeView, type SessionView } from "../../../src/core/loop/machine/session-view.ts"
import type { Published, Wants } from "../../../src/shell/runtime/publications.ts"
import type { SessionHandle } from "../../../src/shell/session/session-handle.ts"
import { atDesk } from "../interactive/desk.ts"

/** As another process would get it. */
const sent = (view: SessionView): EncodedView => JSON.parse(JSON.stringify(encodeView(view))) as EncodedView

const messagesIn = (heard: ReadonlyArray<Published>): ReadonlyArray<Message> =>
  heard.flatMap(({ item }) =>
    item._tag === "Emitted" && item.emission._tag === "MessageAdded" ? [item.emission.message] : []
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
})
