import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import type { AgentKind } from "../../../src/core/agents/agent-kind.ts"
import type { PermissionQuestion } from "../../../src/core/loop/machine/command.ts"
import type { PermissionAnswer } from "../../../src/core/loop/machine/event.ts"
import type { TurnResult } from "../../../src/core/loop/machine/emission.ts"
import type { Audience } from "../../../src/shell/runtime/audience.ts"
import type { Published } from "../../../src/shell/runtime/publications.ts"
import type { SessionPlan } from "../../../src/shell/plan/session-plan.ts"
import { replayFile } from "../../../src/shell/trace/replay.ts"
import type { SessionHandle } from "../../../src/shell/session/session-handle.ts"
import { atDesk, type Desk } from "../interactive/desk.ts"

const ANY: AgentKind = { name: "any" }

interface Asked {
  readonly question: PermissionQuestion
  readonly reply: (answer: PermissionAnswer) => void
}

/** A session whose audience writes down what it hears and is asked. */
const openAt = async (desk: Desk, plan: SessionPlan = desk.plan) => {
  const heard: Array<Published> = []
  const asked: Array<Asked> = []
  const waiting = new Set<() => void>()
  const audience: Audience = {
    onItem: (published) => {
      heard.push(published)
      for (const look of waiting) look()
    },
    ask: (question, reply) => {
      const open = { question, reply }
      asked.push(open)
      for (const look of waiting) look()
      return () => void asked.splice(asked.indexOf(open), 1)
    }
  }
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  const session = await Effect.runPromise(desk.application.open(plan, audience))
  return { session, heard, asked, until }
}

const spawned = (session: SessionHandle, id: string, prompt: string, kind = ANY, parent = "main") =>
  Effect.runPromise(session.agents.spawn({ id, parent, kind, prompt }))

const resultOf = (fiber: Fiber.Fiber<TurnResult, unknown>): Promise<TurnResult> => Effect.runPromise(Fiber.join(fiber))

const agentsOf = (session: SessionHandle): Promise<ReadonlyArray<string>> =>
  Effect.runPromise(Effect.map(session.agents.list, (agents) => agents.map(({ agent }) => agent)))

const transcriptOf = (session: SessionHandle, id: string) =>
  readFileSync(join(session.facts.transcriptPath.replace(/\.jsonl$/, ""), "subagents", `agent-${id}.jsonl`), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)

const close = (session: SessionHandle): Promise<void> => Effect.runPromise(session.close(0))

describe("agents that the session starts", () => {
  it(
    "call tools, ask for permission and end with their own questions and transcripts",
    atDesk(async (desk) => {
      const { session, heard, asked, until } = await openAt(desk)
      const one = await spawned(session, "one", "run `touch one.txt`")
      const two = await spawned(session, "two", "run `touch two.txt`")
      await until(() => asked.length === 2)
      expect(session.view().agents.map(({ agent, parent, run }) => [agent, parent, run._tag])).toEqual([
        ["main", null, "Idle"],
        ["one", "main", "Running"],
        ["two", "main", "Running"]
      ])
      const inputs = asked.map(({ question }) => JSON.stringify(question.input))
      expect(["one.txt", "two.txt"].map((name) => inputs.filter((input) => input.includes(name)).length)).toEqual([1, 1])
      for (const { reply } of asked.toReversed()) reply({ behavior: "allow" })
      const results = await Promise.all([resultOf(one), resultOf(two)])
      expect(results.map(({ isError }) => isError)).toEqual([false, false])
      expect(["one.txt", "two.txt"].map((name) => existsSync(join(desk.cwd, name)))).toEqual([true, true])

      for (const id of ["one", "two"]) {
        const lines = transcriptOf(session, id)
        expect(lines.length).toBeGreaterThan(3)
        const messages = lines.filter(({ type }) => type === "user" || type === "assistant")
        for (const line of messages) {
          expect(line).toMatchObject({ isSidechain: true, agentId: id, sessionId: session.facts.sessionId })
        }
        expect(JSON.stringify(messages)).toContain(`touch ${id}.txt`)
        expect(JSON.stringify(messages)).not.toContain(`touch ${id === "one" ? "two" : "one"}.txt`)
        const own = heard.filter(({ agent }) => agent === id).map(({ item }) => item._tag)
        expect([own[0], own.at(-1)]).toEqual(["AgentOpened", "AgentClosed"])
      }
      expect(await agentsOf(session)).toEqual(["main"])
      expect(session.state().conversation.messages.length).toBe(0)
      await close(session)
    })
  )

  it(
    "are in the session's recording, which replays all of them",
    atDesk(async (desk) => {
      const path = join(desk.configHome, "run.jsonl")
      const { start } = desk.plan
      const { session } = await openAt(desk, { ...desk.plan, start: { ...start, debug: { ...start.debug, record: path } } })
      session.submit("hello")
      const fibers = [await spawned(session, "one", "hello"), await spawned(session, "two", "read notes.txt")]
      await Promise.all(fibers.map(resultOf))
      await close(session)
      const text = readFileSync(path, "utf8")
      expect(await replayFile(path)).toMatchObject({ _tag: "Agreed", phase: "Done" })
      const lines = text.trimEnd().split("\n")
      expect(lines.filter((line) => line.startsWith('{"agent":"one"'))).toHaveLength(1)
      expect(lines.filter((line) => line.includes('"agent":"two"')).length).toBeGreaterThan(5)

      writeFileSync(path, text.replace('{"agent":"one","initial":{', '{"agent":"one","initial":{ '))
      expect(await replayFile(path)).toMatchObject({ _tag: "Unreadable", why: expect.stringContaining("changed") as string })
      writeFileSync(path, `${lines.filter((line) => !line.startsWith('{"agent":"one"')).join("\n")}\n`)
      expect(await replayFile(path)).toMatchObject({
        _tag: "Unreadable",
        why: expect.stringContaining("one began") as string
      })
    })
  )

  it(
    "are paid for by whoever started them",
    atDesk(async (desk) => {
      const { session } = await openAt(desk)
      const fibers = [await spawned(session, "one", "hello"), await spawned(session, "two", "hello again")]
      const results = await Promise.all(fibers.map(resultOf))
      const tokens = (models: TurnResult["models"]) =>
        Object.values(models).reduce((sum, { usage }) => sum + usage.output_tokens, 0)
      const spent = results.reduce((sum, { models }) => sum + tokens(models), 0)
      expect(spent).toBeGreaterThan(0)
      expect(tokens(session.state().totals.models)).toBe(spent)
      await close(session)
    })
  )

  it(
    "that are interrupted give up their question and report what they said",
    atDesk(async (desk) => {
      const { session, asked, until } = await openAt(desk)
      const fiber = await spawned(session, "one", "run `touch one.txt`")
      await until(() => asked.length === 1)
      await Effect.runPromise(session.agents.interrupt("one"))
      expect(asked).toEqual([])
      expect(await resultOf(fiber)).toMatchObject({ isError: true, terminalReason: "aborted_tools" })
      expect(existsSync(join(desk.cwd, "one.txt"))).toBe(false)
      expect(await agentsOf(session)).toEqual(["main"])
      const late = Effect.exit(session.agents.tell("one", { _tag: "Interrupted" }))
      expect(Exit.isFailure(await Effect.runPromise(late))).toBe(true)
      await close(session)
    })
  )

  it(
    "that break take nobody with them",
    atDesk(async (desk) => {
      const { session } = await openAt(desk)
      const broken = { name: "broken", tools: { includes: () => JSON.parse("{") as boolean } }
      const bad = await spawned(session, "bad", "hello", broken as never)
      const good = await spawned(session, "good", "hello")
      const exit = await Effect.runPromise(Fiber.await(bad))
      expect(Exit.isFailure(exit) && String(exit.cause)).toContain("AgentFailed")
      expect((await resultOf(good)).isError).toBe(false)
      expect(await agentsOf(session)).toEqual(["main"])
      await close(session)
    })
  )

  it(
    "are not too many and not too deep, and have names of their own",
    atDesk(async (desk) => {
      const { session } = await openAt(desk)
      const refused = (id: string, parent: string) => spawned(session, id, "run `touch x`", ANY, parent)
      await expect(refused("a", "nobody")).rejects.toThrow(/nobody.*has ended/)
      await expect(refused("main", "main")).rejects.toThrow("main is at work already")
      const line = ["main", "1", "2", "3", "4", "5"]
      for (const [index, id] of line.slice(1).entries()) await refused(id, line[index] ?? "")
      await expect(refused("6", "5")).rejects.toThrow("5 deep")
      await expect(refused("5", "main")).rejects.toThrow("5 is at work already")
      for (let count = 5; count < 20; count++) await refused(`more-${count}`, "main")
      await expect(refused("last", "main")).rejects.toThrow("20 agents are at work")
      expect(await agentsOf(session)).toHaveLength(21)
      await close(session)
    })
  )

  it(
    "end with the session",
    atDesk(async (desk) => {
      const { session, asked, until, heard } = await openAt(desk)
      const fiber = await spawned(session, "one", "run `touch one.txt`")
      await until(() => asked.length === 1)
      await close(session)
      expect(Exit.isFailure(await Effect.runPromise(Fiber.await(fiber)))).toBe(true)
      expect(heard.filter(({ item }) => item._tag === "AgentClosed").map(({ agent }) => agent)).toEqual(["main", "one"])
    })
  )

  it(
    "that are stopped at any moment have reported or never began",
    atDesk(async (desk) => {
      const { session, heard } = await openAt(desk)
      const { agents } = session
      const ends = new Set<string>()
      for (let turns = 0; turns < 40; turns++) {
        const id = `agent-${turns}`
        const exit = await Effect.runPromise(
          Effect.gen(function* () {
            const order = { id, parent: "main", kind: ANY, prompt: "hello" }
            const call = Effect.acquireUseRelease(agents.spawn(order), Fiber.await, () => agents.interrupt(id))
            const fiber = yield* Effect.forkChild(call)
            for (let turn = 0; turn < turns; turn++) yield* Effect.yieldNow
            yield* Fiber.interrupt(fiber)
            return yield* Fiber.await(fiber)
          })
        )
        if (exit._tag === "Success") expect(exit.value._tag).toBe("Success")
        expect(await agentsOf(session)).toEqual(["main"])
        const own = heard.filter(({ agent }) => agent === id).map(({ item }) => item._tag)
        const finished = heard.some(
          ({ agent, item }) => agent === id && item._tag === "Emitted" && item.emission._tag === "TurnFinished"
        )
        ends.add(own.length === 0 ? "never began" : "reported")
        expect([own.at(0), own.at(-1), finished]).toEqual(
          own.length === 0 ? [undefined, undefined, false] : ["AgentOpened", "AgentClosed", true]
        )
      }
      expect([...ends]).toEqual(["never began", "reported"])
      expect(readdirSync(desk.cwd)).toEqual([])
      await close(session)
    })
  )
})
