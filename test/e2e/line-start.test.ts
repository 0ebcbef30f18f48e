import { describe, expect, it } from "vitest"
import { makePlace } from "../support/built-cli.ts"
import { endpointEnv, sentText, serve } from "../support/e2e-world.ts"
import { endlessCommand } from "../support/endless-command.ts"
import { text } from "../support/messages-reply.ts"
import { expectAppendOnly, KEYS, Terminal } from "./line-terminal.ts"

/** How a session in lines begins: from a pipe, without a keyboard, where an earlier one was left. */
const leave = async (terminal: Terminal): Promise<void> => {
  terminal.type(KEYS.end)
  expect(await terminal.ended).toBe(0)
  expectAppendOnly(terminal)
}

describe("piped input", () => {
  it("is the first prompt, and the keys are read from the terminal", async () => {
    const terminal = new Terminal({ shell: "echo '@say from the pipe' | $NACRE" })
    await terminal.until("you: @say from the pipe")
    await terminal.until("nacre: from the pipe")
    await terminal.until("you: ")
    terminal.enter("@say from the keyboard")
    await terminal.until("nacre: from the keyboard")
    await terminal.until("you: ")
    await leave(terminal)
  })

  it("follows the argument, and nothing at all is not a prompt", async () => {
    const joined = new Terminal({ shell: "echo 'and this' | $NACRE 'say this'" })
    await joined.until("you: say this\r\nand this")
    const empty = new Terminal({ shell: "$NACRE < /dev/null" })
    await empty.until("you: ")
    await leave(empty)
  })

  it("without a terminal to type on is answered as in print mode", async () => {
    const terminal = new Terminal({ shell: "echo '@say printed' | setsid -w $NACRE" })
    expect(await terminal.ended).toBe(0)
    expect(terminal.raw).toContain("printed\r\n")
    expect(terminal.raw).not.toContain("you:")
  })
})

describe("--continue", () => {
  it("shows the end of the conversation before the prompt", async () => {
    const place = makePlace()
    const server = await serve([text("Answer one."), text("Answer two."), text("Answer three."), text("Answer four.")])
    const env = endpointEnv(server)
    const first = new Terminal({ place, env })
    for (const number of ["one", "two", "three"]) {
      await first.until("you: ")
      first.enter(`Prompt ${number}`)
      await first.until(`nacre: Answer ${number}.`)
    }
    await first.until("you: ")
    await leave(first)
    const second = new Terminal({ place, env, args: ["--continue"] })
    const start = await second.until(/three\.\r\n.*you: /)
    expect(start).toContain("Resumed conversation:\r\n(1 earlier prompt not shown)\r\nyou: Prompt two\r\n")
    expect(start).toContain("nacre: Answer two.\r\nyou: Prompt three\r\nnacre: Answer three.\r\n")
    expect(start).not.toContain("Prompt one")
    second.enter("Prompt four")
    await second.until("nacre: Answer four.")
    await second.until("you: ")
    expect(sentText(server.requests[3])).toContain("Prompt one")
    await leave(second)
  })

  it("shows calls and their results", async () => {
    const place = makePlace()
    const first = new Terminal({ place })
    await first.until("you: ")
    first.enter("run `echo hello`")
    await first.until("tool: Bash")
    await first.until("you: ")
    await leave(first)
    const second = new Terminal({ place, args: ["--continue"] })
    const start = await second.until(/Resumed conversation:[\s\S]*```\r\n.*you: /)
    expect(start).toMatch(/you: run `echo hello`\r\nnacre: .*\r\ntool: Bash echo hello\r\n {2}hello\r\n/)
    await leave(second)
  })

  it("without a conversation says so and ends", async () => {
    const terminal = new Terminal({ args: ["--continue"] })
    await terminal.until("No conversation found to continue")
    expect(await terminal.ended).toBe(1)
  })

  it("puts a prompt that was never sent back into the input line", async () => {
    const endless = endlessCommand()
    const place = makePlace()
    const first = new Terminal({ place, args: ["--allowedTools", "Bash"] })
    await first.until("you: ")
    first.enter(`@tool Bash ${JSON.stringify({ command: endless.command })}`)
    await endless.begun
    first.enter("@say the unsent one")
    await first.until("note: queued")
    first.type(KEYS.end)
    await first.ended
    await endless.gone
    const second = new Terminal({ place, args: ["--continue"] })
    await second.until("note: the last run ended before this was sent:")
    await second.until("you: ")
    await second.until("@say the unsent one")
    second.type("\r")
    await second.until("nacre: the unsent one")
    await second.until("you: ")
    await leave(second)
  })
})
