import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Happening } from "../../../../../src/tui/model/msg.ts"
import { atDesk, type Desk, isToldThat } from "../../desk.ts"

const isExplained = isToldThat("Session", ({ news }) => news._tag === "Explained")

const explain = (desk: Desk, session: string, command: string): void =>
  desk.performer.perform({
    _tag: "ExplainCall",
    session,
    callId: "call",
    tool: "Bash",
    input: { command },
    whyAsked: "no rule allows it",
    sandbox: false
  })

const newsOf = (happening: Happening): unknown => (happening._tag === "Session" ? happening.news : undefined)

describe("the risk of a call", () => {
  it(
    "is explained by the model of the session, and the session pays",
    atDesk(async (desk) => {
      const session = await desk.openSession()
      explain(desk, session.facts.sessionId, "rm -rf build")
      expect(newsOf(await desk.until(isExplained))).toMatchObject({
        callId: "call",
        risk: { _tag: "Said", text: expect.stringContaining("destroys data") as string }
      })
      expect(session.state().totals.models["offline"]?.usage.output_tokens).toBeGreaterThan(0)
      expect(session.state().conversation.messages).toHaveLength(0)
    })
  )

  it(
    "is not asked about where explanations are switched off",
    atDesk(async (desk) => {
      const session = await desk.openSession()
      writeFileSync(join(desk.configHome, ".claude.json"), JSON.stringify({ permissionExplainerEnabled: false }))
      explain(desk, session.facts.sessionId, "rm -rf build")
      expect(newsOf(await desk.until(isExplained))).toMatchObject({ risk: { _tag: "Failed" } })
      expect(session.state().totals.models).toEqual({})
    })
  )

  it(
    "says why the model did not answer",
    atDesk(
      async (desk) => {
        writeFileSync(join(desk.cwd, "script.json"), JSON.stringify({ risk: [{ fault: "overloaded" }] }))
        const session = await desk.openSession()
        explain(desk, session.facts.sessionId, "make")
        expect(newsOf(await desk.until(isExplained))).toMatchObject({
          risk: { _tag: "Failed", why: expect.stringMatching(/overload|529/i) as string }
        })
      },
      { env: { NACRE_OFFLINE_SCRIPT: "script.json" } }
    )
  )
})
