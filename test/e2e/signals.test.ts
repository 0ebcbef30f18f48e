import { existsSync, readdirSync, readFileSync, watch } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { makePlace, type Place, start } from "../support/built-cli.ts"
import {
  ask,
  begin,
  endpointEnv,
  linesOf,
  object,
  readTranscript,
  saidBy,
  sentBlocks,
  serve,
  transcriptsOf
} from "../support/e2e-world.ts"
import { stallAfter } from "../support/messages-fault.ts"
import { blocks, text, toolUse } from "../support/messages-reply.ts"
import { streamProblems } from "../support/stream-json-schema.ts"

/** Signals and closed pipes: what ends, what is still said, and that nothing is left running. */
const ALLOW = ["--allowedTools", "Bash"]

/** A shell with a child and a grandchild; each writes down its number, then waits for ever. */
const FAMILY = [
  "echo $$ > shell.pid",
  "bash -c 'echo $$ > child.pid; bash -c \"echo \\$\\$ > grandchild.pid; while :; do sleep 1000; done\" & wait'",
  "wait"
].join("; ")

/** The same, and deaf to polite signals. */
const STUBBORN = `trap '' INT TERM; ${FAMILY}`

/** Deaf too, but it notes the first signal. */
const HEARING = `trap 'echo got > int.seen' INT; trap '' TERM; ( ${FAMILY} ) & while kill -0 $!; do wait $!; done`

const MEMBERS = ["shell", "child", "grandchild"] as const

const appeared = (directory: string, name: string): Promise<void> =>
  new Promise((resolve) => {
    const file = join(directory, name)
    const ready = (): boolean => existsSync(file) && readFileSync(file, "utf8").endsWith("\n")
    const watcher = watch(directory, () => {
      if (!ready()) return
      watcher.close()
      resolve()
    })
    if (!ready()) return
    watcher.close()
    resolve()
  })

const born: Array<number> = []

/** Whoever survives a failing test must not survive the test file. */
afterAll(() => {
  for (const pid of living(born)) process.kill(pid, "SIGKILL")
})

const family = async (place: Place): Promise<ReadonlyArray<number>> => {
  await Promise.all(MEMBERS.map((name) => appeared(place.cwd, `${name}.pid`)))
  const pids = MEMBERS.map((name) => Number(readFileSync(join(place.cwd, `${name}.pid`), "utf8")))
  born.push(...pids)
  return pids
}

/** A zombie that nobody has fetched yet is dead; only Linux tells it apart. */
const isAlive = (pid: number): boolean => {
  try {
    if (process.platform !== "linux") return process.kill(pid, 0)
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
    return !["Z", "X"].includes(stat.slice(stat.lastIndexOf(")") + 2)[0] ?? "")
  } catch {
    return false
  }
}

const living = (pids: ReadonlyArray<number>): ReadonlyArray<number> => pids.filter(isAlive)

/** Who is still there although killed; the system may take a moment after the killer itself is gone. */
const survivors = async (pids: ReadonlyArray<number>): Promise<ReadonlyArray<number>> => {
  const giveUpAt = performance.now() + 5_000
  while (living(pids).length > 0 && performance.now() < giveUpAt) await new Promise((resolve) => setImmediate(resolve))
  return living(pids)
}

const liveEntries = (place: Place): ReadonlyArray<string> => {
  const directory = join(place.config, "sessions")
  return existsSync(directory) ? readdirSync(directory) : []
}

const running = async (command: string, args: ReadonlyArray<string> = ALLOW) => {
  const place = makePlace()
  const server = await serve([toolUse("Bash", { command }, "toolu_long"), text("never")])
  const cli = await begin(server, "go", { place, args })
  const pids = await family(place)
  expect(living(pids)).toEqual(pids)
  return { place, server, cli, pids }
}

/** A parent may end by itself when its child is gone. */
const killIfAlive = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
  }
}

describe.concurrent("SIGINT", () => {
  it("during a command ends its whole family, still prints the result, and exits with 130", async () => {
    const { cli, pids, place, server } = await running(FAMILY)
    cli.signal("SIGINT")
    const { code, stdout, lines } = await cli.ended
    expect(code).toBe(130)
    expect(living(pids)).toEqual([])
    expect(streamProblems(stdout)).toEqual([])
    expect(linesOf(lines, "result")).toMatchObject([
      { subtype: "error_during_execution", terminal_reason: "aborted_tools", is_error: true }
    ])
    expect(server.requests).toHaveLength(1)
    expect(liveEntries(place)).toEqual([])
  })

  it("ends a family that ignores polite signals too", async () => {
    const { cli, pids } = await running(STUBBORN)
    cli.signal("SIGINT")
    const { code, lines } = await cli.ended
    expect({ code, living: living(pids) }).toEqual({ code: 130, living: [] })
    expect(linesOf(lines, "result")).toHaveLength(1)
  })

  it("a second one, while a deaf family is still being ended, leaves nobody behind either", async () => {
    const { cli, pids, place } = await running(HEARING)
    cli.signal("SIGINT")
    await appeared(place.cwd, "int.seen")
    cli.signal("SIGINT")
    const { code } = await cli.ended
    expect({ code, living: await survivors(pids), live: liveEntries(place) }).toEqual({ code: 130, living: [], live: [] })
  })

  it("in text mode says on stdout that the turn was interrupted", async () => {
    const place = makePlace()
    const server = await serve([toolUse("Bash", { command: FAMILY })])
    const cli = await start(["-p", "go", ...ALLOW], { place, env: endpointEnv(server) })
    await family(place)
    cli.signal("SIGINT")
    const { code, stdout } = await cli.ended
    expect(code).toBe(130)
    expect(stdout).toMatch(/interrupted/)
  })

  it("leaves a conversation that goes on well", async () => {
    const { cli, place } = await running(FAMILY)
    cli.signal("SIGINT")
    await cli.ended
    const { requests, code } = await ask([text("fine")], "go on", { place, args: ["--continue"] })
    expect(code).toBe(0)
    const told = sentBlocks(requests[0])
    expect(told.filter((block) => block["tool_use_id"] === "toolu_long").map(saidBy)).toEqual([
      expect.stringMatching(/[Ii]nterrupted/)
    ])
    expect(told.map((block) => block["text"])).toContain("[Request interrupted by user for tool use]")
  })

  it("while the prompt is still read exits without a word on stdout", async () => {
    const cli = await start(["-p"], { stdin: null })
    cli.write("more than a pipe holds ".repeat(200_000))
    await cli.flushed()
    cli.signal("SIGINT")
    const { code, stdout } = await cli.ended
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" })
  })
})

describe.concurrent("SIGTERM", () => {
  it("during a command exits with 143, without a result and without orphans", async () => {
    const { cli, pids, place } = await running(FAMILY)
    cli.signal("SIGTERM")
    const { code, lines } = await cli.ended
    expect({ code, living: living(pids), live: liveEntries(place) }).toEqual({ code: 143, living: [], live: [] })
    expect(linesOf(lines, "result")).toEqual([])
    const { requests } = await ask([text("fine")], "what now?", { place, args: ["--continue"] })
    expect(
      sentBlocks(requests[0])
        .filter((block) => block["tool_use_id"] === "toolu_long")
        .map(saidBy)
    ).toEqual([expect.stringMatching(/^\[Tool call interrupted: the session ended before this call's result/)])
  })

  it("ends a deaf family as well", async () => {
    const { cli, pids } = await running(STUBBORN)
    cli.signal("SIGTERM")
    expect({ code: (await cli.ended).code, living: living(pids) }).toEqual({ code: 143, living: [] })
  })

  it("during an answer exits with 143 and closes the connection", async () => {
    const server = await serve([stallAfter(3, text("a long answer"))])
    const cli = await begin(server, "go", { args: ["--include-partial-messages"] })
    const request = await server.arrived(1)
    await cli.line((line) => object(line["event"])["type"] === "content_block_delta")
    cli.signal("SIGTERM")
    const { code, lines } = await cli.ended
    await request.closed
    expect({ code, aborted: request.aborted, results: linesOf(lines, "result") }).toEqual({
      code: 143,
      aborted: true,
      results: []
    })
  })

  it("ends background commands too", async () => {
    const place = makePlace()
    const server = await serve([
      toolUse("Bash", { command: FAMILY, run_in_background: true }),
      stallAfter(2, text("waiting"))
    ])
    const cli = await begin(server, "go", { place, args: ALLOW })
    const pids = await family(place)
    await server.arrived(2)
    cli.signal("SIGTERM")
    expect({ code: (await cli.ended).code, living: living(pids) }).toEqual({ code: 143, living: [] })
  })

  it("while stdin is open and the host idle ends the program", async () => {
    const cli = await start(["--input-format", "stream-json", "--output-format", "stream-json"], { stdin: null })
    cli.write(`${JSON.stringify({ type: "user", message: { role: "user", content: "@say hi" } })}\n`)
    await cli.line((line) => line["type"] === "result")
    cli.signal("SIGTERM")
    expect((await cli.ended).code).toBe(143)
  })
})

describe.concurrent("other signals that end a program", () => {
  it.each([
    ["SIGHUP", 129],
    ["SIGQUIT", 131]
  ] as const)("%s leaves no command behind either", async (signal, expected) => {
    const { cli, pids } = await running(FAMILY)
    cli.signal(signal)
    expect({ code: (await cli.ended).code, living: living(pids) }).toEqual({ code: expected, living: [] })
  })
})

describe.concurrent("background commands", () => {
  it("are ended after the last result", async () => {
    const place = makePlace()
    const server = await serve([toolUse("Bash", { command: FAMILY, run_in_background: true }), text("started")])
    const cli = await begin(server, "go", { place, args: ALLOW })
    const pids = await family(place)
    const { code } = await cli.ended
    expect({ code, living: living(pids) }).toEqual({ code: 0, living: [] })
  })
})

describe.concurrent("a reader that leaves", () => {
  it("before the result makes the exit code 1, quietly, and ends what runs", async () => {
    const { cli, pids, place, server } = await running(FAMILY)
    expect(server.requests).toHaveLength(1)
    cli.closeStdout()
    // The next line finds the pipe closed: a prompt of its own would be one, here it is the end of the command.
    for (const pid of pids.toReversed()) killIfAlive(pid)
    const { code, stderr } = await cli.ended
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" })
    expect(living(pids)).toEqual([])
    const { lines } = readTranscript(transcriptsOf(place)[0] ?? "")
    expect(lines.some((line) => line["type"] === "user")).toBe(true)
  })

  it("during a long answer ends the request", async () => {
    const part = { type: "text", text: "a part of it ".repeat(400) } as const
    const endless = blocks(Array.from({ length: 400 }, () => part))
    const server = await serve([stallAfter(4_000, endless)])
    const cli = await begin(server, "go", { args: ["--include-partial-messages"] })
    await cli.line((line) => line["type"] === "assistant")
    cli.closeStdout()
    const { code, stderr } = await cli.ended
    const [request] = server.requests
    await request?.closed
    expect({ code, stderr, aborted: request?.aborted }).toEqual({ code: 1, stderr: "", aborted: true })
  })
})
