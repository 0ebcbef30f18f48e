import { describe, expect, it } from "vitest"
import { endpointEnv, sentText, serve } from "../support/e2e-world.ts"
import { gatedAt, gatedHead } from "../support/messages-fault.ts"
import { gate, text, toolUse } from "../support/messages-reply.ts"
import type { MessagesServer, Script } from "../support/messages-server.ts"
import { expectAppendOnly, KEYS, Terminal, type TerminalOptions } from "./line-terminal.ts"

/** Typing while others write: nothing typed is lost, nothing written is changed, nothing is answered by accident. */
interface Talk {
  readonly server: MessagesServer
  readonly terminal: Terminal
}

const talk = async (script: Script, options: TerminalOptions = {}): Promise<Talk> => {
  const server = await serve(script)
  const terminal = new Terminal({
    ...options,
    env: { ...endpointEnv(server), CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", ...options.env }
  })
  await terminal.until("you: ")
  return { server, terminal }
}

const leave = async (terminal: Terminal): Promise<void> => {
  terminal.type(KEYS.end)
  expect(await terminal.ended).toBe(0)
  expectAppendOnly(terminal)
}

describe("a draft", () => {
  it("never answers a question that comes while it is typed", async () => {
    const asks = gate()
    const { server, terminal } = await talk([
      gatedHead(asks.opened, toolUse("Bash", { command: "echo yes > out" })),
      text("Done.")
    ])
    terminal.enter("go ahead")
    await server.arrived(1)
    terminal.type("1 more thing")
    await terminal.until("you: ")
    await terminal.until("1 more thing")
    asks.open()
    await terminal.until("Permission Required: Bash")
    await terminal.until("you: ")
    await terminal.until("1 more thing")
    terminal.type("\r")
    await terminal.until("note: queued")
    await terminal.until("answer: ")
    expect(server.requests).toHaveLength(1)
    terminal.enter("1")
    await terminal.until("nacre: Done.")
    await terminal.until("you: ")
    expect(sentText(server.requests[1])).toContain("1 more thing")
    await leave(terminal)
  })

  it("stands below the answer, which then comes line by line", async () => {
    const [second, third] = [gate(), gate()]
    const answer = text("The first half of it\nand the second half of it\nand a rest.")
    const { terminal } = await talk([gatedAt(3, second.opened, gatedAt(4, third.opened, answer))])
    terminal.enter("talk")
    await terminal.until("nacre: The first half of it")
    terminal.type("next time")
    await terminal.until("you: ")
    await terminal.until("next time")
    second.open()
    await terminal.until("the second half of it")
    await terminal.until("you: ")
    await terminal.until("next time")
    expect(terminal.screen.rows.at(-1)).toBe("you: next time")
    third.open()
    await terminal.until("and a rest.")
    await terminal.until("Cost: ")
    await terminal.until("next time")
    await terminal.until("next time")
    terminal.type(KEYS.interrupt)
    await leave(terminal)
  })

  it("longer than a row survives what is written above it", async () => {
    const answers = gate()
    const long = "a draft that is so much longer than one row of this narrow terminal that it takes three of them"
    const { server, terminal } = await talk([gatedHead(answers.opened, text("An answer.")), text("Another.")], {
      columns: 40
    })
    terminal.enter("question")
    await server.arrived(1)
    terminal.type(long)
    await terminal.until("three of them")
    answers.open()
    await terminal.until("nacre: An answer.")
    await terminal.untilScreen((rows) => rows.join("").split("three of them").length === 2)
    const { rows } = terminal.screen
    const whole = rows.join("")
    expect(whole.split("a draft that is").length).toBe(2)
    expect(
      rows
        .filter((row) => row !== "")
        .slice(-3)
        .join("")
    ).toBe(`you: ${long}`.replace(/ $/, ""))
    terminal.type("\r")
    await terminal.until("nacre: Another.")
    await terminal.until("you: ")
    expect(sentText(server.requests[1])).toContain(long)
    await leave(terminal)
  })
})

describe("several lines", () => {
  it("that are pasted are one prompt, sent by Enter alone", async () => {
    const { server, terminal } = await talk([text("Understood.")])
    terminal.type(KEYS.paste("first line\rsecond line"))
    await terminal.until("second line")
    expect(server.requests).toHaveLength(0)
    terminal.type("\r")
    await terminal.until("nacre: Understood.")
    await terminal.until("you: ")
    expect(sentText(server.requests[0])).toContain(String.raw`first line\nsecond line`)
    expect(server.requests).toHaveLength(1)
    expect(terminal.screen.rows.join("\n")).toContain("you: first line\n     second line")
    await leave(terminal)
  })

  it("are made with a backslash at the end of a line", async () => {
    const { server, terminal } = await talk([text("Understood.")])
    terminal.enter("first line\\")
    await terminal.until("     ")
    terminal.enter("second line")
    await terminal.until("nacre: Understood.")
    await terminal.until("you: ")
    expect(sentText(server.requests[0])).toContain(String.raw`first line\nsecond line`)
    await leave(terminal)
  })

  it("pasted into a question answer nothing until Enter", async () => {
    const { server, terminal } = await talk([toolUse("Bash", { command: "echo yes > out" }), text("All right.")])
    terminal.enter("go ahead")
    await terminal.until("answer: ")
    terminal.type(KEYS.paste("1\r1\r"))
    await terminal.until(/1\r+\n.*1\r+\n/)
    expect(server.requests).toHaveLength(1)
    terminal.type("no thanks\r")
    await terminal.until("denied: Bash")
    await terminal.until("nacre: All right.")
    await terminal.until("you: ")
    await leave(terminal)
  })
})

describe("the arrow keys", () => {
  it("recall prompts, but not answers to questions", async () => {
    const { terminal } = await talk([toolUse("Bash", { command: "echo yes > out" }), text("Done."), text("Again.")])
    terminal.enter("the prompt to recall")
    await terminal.until("answer: ")
    terminal.enter("1")
    await terminal.until("nacre: Done.")
    await terminal.until("you: ")
    terminal.type(KEYS.up)
    await terminal.until("the prompt to recall")
    terminal.type("\r")
    await terminal.until("nacre: Again.")
    await terminal.until("you: ")
    await leave(terminal)
  })
})

describe("Enter on an empty line", () => {
  it("sends nothing, neither idle nor in the middle of an answer", async () => {
    const more = gate()
    const numbers = "one two three four five six seven eight nine ten"
    const { server, terminal } = await talk([gatedAt(4, more.opened, text(numbers))])
    terminal.enter("")
    await terminal.until("you: ")
    terminal.enter("count")
    await terminal.until("nacre: one two")
    terminal.type("\r")
    more.open()
    await terminal.until("nine ten")
    await terminal.until("you: ")
    expect(server.requests).toHaveLength(1)
    expect(terminal.screen.rows).toContain(`nacre: ${numbers}`)
    await leave(terminal)
  })
})
