import { rmSync, symlinkSync } from "node:fs"
import { Effect } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import type { Occurrence } from "../../../src/core/loop/machine/event.ts"
import { decisionDigest } from "../../../src/core/permission/decide/digest.ts"
import { type CallFacts, NO_FACTS } from "../../../src/core/permission/facts.ts"
import type { FactsWanted } from "../../../src/core/permission/decide/facts-wanted.ts"
import { sessionFactPorts } from "../../support/fact-ports.ts"
import { Decoded } from "../../../src/core/tools/contract/decoded.ts"
import { todoWriteTool } from "../../../src/core/tools/conversation/todo-write.ts"
import { prepareCall, startCall, type ToolRun } from "../../../src/shell/runtime/run-tool.ts"
import { freshDirectory, putFile } from "../../support/temp-world.ts"

/** A decision is bound to what it was made about: right before a call runs, everything is looked at again. */
const ports = await sessionFactPorts()

let work = ""
let events: Array<Occurrence> = []
let ran = 0

beforeEach(() => {
  work = freshDirectory()
  putFile(`${work}/a.txt`, "a")
  events = []
  ran = 0
})

const run = (): ToolRun<never> => ({
  executorOf: () => ({
    name: "Fake",
    maxResultChars: 1_000,
    prepare: () => Effect.void,
    run: () =>
      Effect.sync(() => {
        ran += 1
        return { data: {}, content: "done" }
      })
  }),
  offer: (event) => void events.push(event),
  sandboxProblem: Effect.succeed({ sentence: "no bubblewrap", mayLeave: true }),
  session: {
    sessionId: "s",
    projectDir: work,
    additionalDirs: [],
    sessionDir: `${work}/.session`,
    nonInteractive: true,
    env: {}
  }
})

const wantedFor = (command?: string): FactsWanted => ({
  paths: command === undefined ? [`${work}/a.txt`] : [],
  commands: command === undefined ? [] : [command],
  place: { cwd: work, home: "/home/u", workingDirs: [work], platform: "posix" },
  watched: [],
  ruleStarts: [],
  confined: false
})

const INPUT = { todos: [] }
const DECODED = Decoded.by(todoWriteTool, INPUT)

const prepared = async (wanted: FactsWanted): Promise<CallFacts> => {
  const command = { _tag: "PrepareCall", callId: "c", tool: "Fake", input: DECODED, wanted, cwd: work } as const
  await Effect.runPromiseWith(ports)(prepareCall(run(), command))
  const event = events.at(-1)
  return event?._tag === "CallPrepared" ? event.facts : NO_FACTS
}

const started = async (wanted: FactsWanted, facts: CallFacts, digest?: string): Promise<Occurrence | undefined> => {
  const command = {
    _tag: "StartCall",
    callId: "c",
    tool: "Fake",
    input: DECODED,
    cwd: work,
    model: "m",
    facts,
    digest: digest ?? decisionDigest({ tool: { name: "Fake" }, input: INPUT, cwd: work, facts }),
    wanted,
    onlyReads: false,
    outside: false
  } as const
  await Effect.runPromiseWith(ports)(startCall(run(), command))
  return events.at(-1)
}

describe("before a decision", () => {
  it("whether the sandbox can start is found out for calls that need it, and for no others", async () => {
    expect((await prepared({ ...wantedFor("ls"), confined: true })).sandboxProblem?.sentence).toBe("no bubblewrap")
    expect((await prepared(wantedFor("ls"))).sandboxProblem).toBeUndefined()
  })
})

describe("right before a call runs", () => {
  it("nothing changed: it runs", async () => {
    const wanted = wantedFor()
    expect(await started(wanted, await prepared(wanted))).toMatchObject({
      _tag: "CallSettled",
      outcome: { content: "done" }
    })
    expect(ran).toBe(1)
  })

  it("a path that leads elsewhere by now goes back to be decided", async () => {
    const wanted = wantedFor()
    const facts = await prepared(wanted)
    rmSync(`${work}/a.txt`)
    symlinkSync("/etc/hosts", `${work}/a.txt`)
    const event = await started(wanted, facts)
    expect(event).toMatchObject({ _tag: "CallOutdated", facts: { paths: [{ realPath: "/etc/hosts" }] } })
    expect(ran).toBe(0)
  })

  it.each([
    ["cat a.txt", () => symlinkSync("/etc", `${work}/b`), "CallSettled"],
    ["cat *.txt", () => putFile(`${work}/b.txt`, ""), "CallOutdated"],
    ["git status", () => putFile(`${work}/.git/config`, "[core]\nfsmonitor = x\n"), "CallOutdated"]
  ])("%s is held to the world it was decided in", async (command, change, expected) => {
    const wanted = wantedFor(command)
    const facts = await prepared(wanted)
    expect(facts.syntax.map(({ text }) => text)).toEqual([command])
    change()
    expect((await started(wanted, facts))?._tag).toBe(expected)
  })

  it("another input than the one that was decided about does not run", async () => {
    const wanted = wantedFor()
    expect((await started(wanted, await prepared(wanted), "0".repeat(32)))?._tag).toBe("CallOutdated")
    expect(ran).toBe(0)
  })
})
