import { readdirSync, readFileSync } from "node:fs"
import { Effect } from "effect"
import { expect, it } from "vitest"
import type { SessionHandle } from "../../../../src/shell/session/session-handle.ts"
import { atDesk, type Desk, isToldThat } from "../desk.ts"

const MOST_SESSIONS = 32

const openOne = (desk: Desk): Promise<SessionHandle> => Effect.runPromise(desk.sessions.open({ _tag: "New" }, undefined))

/** Processes that have this in their command line. */
const runs = (words: string): boolean =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim() === words
      } catch {
        return false
      }
    })

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

it(
  "as many sessions as may be open listen for the end of the process with one listener, and leave none",
  atDesk(async (desk) => {
    const warnings: Array<string> = []
    const onWarning = ({ message }: Error): void => void warnings.push(message)
    process.on("warning", onWarning)
    const before = process.listenerCount("exit")
    await desk.openSession()
    await Promise.all(Array.from({ length: MOST_SESSIONS - 1 }, () => openOne(desk)))
    await expect(openOne(desk)).rejects.toContain("32 sessions are open")
    expect(process.listenerCount("exit")).toBe(before + 1)
    await Effect.runPromise(Effect.andThen(desk.sessions.closeAll, desk.application.close))
    expect(process.listenerCount("exit")).toBe(before)
    await new Promise((resolve) => setImmediate(resolve))
    process.off("warning", onWarning)
    expect(warnings).toEqual([])
  })
)

it(
  "a session that is closed ends its own commands and nobody else's",
  atDesk(async (desk) => {
    const [left, right] = [await desk.openSession(), await openOne(desk)]
    const commands = [`sleep 100.${process.pid}1`, `sleep 100.${process.pid}2`]
    for (const [index, session] of [left, right].entries()) {
      const { sessionId } = session.facts
      const rule = { toolName: "Bash", ruleContent: "sleep:*" }
      session.offer({
        _tag: "PermissionsUpdated",
        updates: [{ type: "addRules", rules: [rule], behavior: "allow", destination: "session" }]
      })
      session.submit(`run \`${commands[index]}\` in the background`)
      await desk.until(
        isToldThat(
          "Session",
          ({ session: id, news }) => id === sessionId && news._tag === "Emitted" && news.emission._tag === "TurnFinished"
        )
      )
    }
    await until(() => commands.every(runs))
    await Effect.runPromise(desk.sessions.close(left.facts.sessionId))
    expect(commands.map(runs)).toEqual([false, true])
    await Effect.runPromise(desk.sessions.close(right.facts.sessionId))
    expect(commands.map(runs)).toEqual([false, false])
  })
)
