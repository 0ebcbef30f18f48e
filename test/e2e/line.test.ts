import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { endlessCommand } from "../support/endless-command.ts"
import { expectAppendOnly, KEYS, Terminal } from "./line-terminal.ts"

/** The interactive session in plain lines, in a real pseudo terminal. */
const fileIn = (terminal: Terminal, name: string): string | undefined => {
  const path = join(terminal.place.cwd, name)
  return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined
}

const leave = async (terminal: Terminal): Promise<void> => {
  terminal.type(KEYS.end)
  expect(await terminal.ended).toBe(0)
  expectAppendOnly(terminal)
}

describe("a session in lines", () => {
  it("starts without a key, answers a prompt and waits for the next", async () => {
    const terminal = new Terminal()
    const header = await terminal.until("you: ")
    expect(header).toContain("offline (scripted, not an LLM)")
    expect(header).toContain("No credential was found")
    expect(header).toContain(terminal.place.cwd)
    terminal.enter("@say Hello from the script.")
    await terminal.until("nacre: Hello from the script.")
    await terminal.until("you: ")
    await leave(terminal)
  })

  it("sends the argument at once and shows it", async () => {
    const terminal = new Terminal({ args: ["@say at once"] })
    await terminal.until("you: @say at once")
    await terminal.until("nacre: at once")
    await terminal.until("you: ")
    await leave(terminal)
  })

  it("leaves at the end of input, on Ctrl-C and on /exit", async () => {
    for (const keys of [KEYS.end, KEYS.interrupt, "/exit\r", "quit\r"]) {
      const terminal = new Terminal()
      await terminal.until("you: ")
      terminal.type(keys)
      expect(await terminal.ended).toBe(0)
    }
  })

  it("drops a draft on the first Ctrl-C and leaves on the second", async () => {
    const terminal = new Terminal()
    await terminal.until("you: ")
    terminal.type("half a sentence")
    await terminal.until("half a sentence")
    terminal.type(KEYS.interrupt)
    await terminal.until("you: ")
    terminal.type(KEYS.interrupt)
    expect(await terminal.ended).toBe(0)
    expectAppendOnly(terminal)
  })

  it("keeps words behind a slash to itself", async () => {
    const terminal = new Terminal()
    await terminal.until("you: ")
    terminal.enter("/help")
    await terminal.until("Type a prompt and press Enter.")
    await terminal.until("you: ")
    terminal.enter("/frobnicate")
    await terminal.until("error: there is no command /frobnicate")
    await terminal.until("you: ")
    await leave(terminal)
    expect(terminal.raw).not.toContain("nacre:")
  })
})

describe("a permission question", () => {
  it("is a numbered list answered with 1 and Enter", async () => {
    const terminal = new Terminal()
    await terminal.until("you: ")
    terminal.enter("run `echo yes > out`")
    const dialog = await terminal.until("answer: ")
    expect(dialog).toMatch(/Permission Required: Bash\r\n {2}echo yes > out\r\nIn: .* · no sandbox\r\nWhy: .*\r\n/)
    expect(dialog).toMatch(/1\. Yes\r\n2\. Yes, always .*\r\n3\. No\r\nEnter selection \(1-3\)/)
    terminal.enter("1")
    await terminal.until("tool: Bash echo yes > out")
    await terminal.until("you: ")
    expect(fileIn(terminal, "out")).toBe("yes")
    await leave(terminal)
  })

  it("is refused with words that reach the model", async () => {
    const terminal = new Terminal()
    await terminal.until("you: ")
    terminal.enter("run `echo no > out`")
    await terminal.until("answer: ")
    terminal.enter("use printf instead")
    await terminal.until("denied: Bash")
    await terminal.until(/The reason given:[\s\S]*use printf instead/)
    await terminal.until("you: ")
    expect(fileIn(terminal, "out")).toBeUndefined()
    await leave(terminal)
  })

  it("is asked again after a number that chooses nothing, and taken back by Escape", async () => {
    const terminal = new Terminal()
    await terminal.until("you: ")
    terminal.enter("run `echo no > out`")
    await terminal.until("answer: ")
    terminal.enter("7")
    await terminal.until("There is no choice 7.")
    await terminal.until("answer: ")
    terminal.enter("")
    await terminal.until("Nothing was chosen.")
    await terminal.until("answer: ")
    terminal.type(KEYS.escape)
    await terminal.until("[interrupted]")
    await terminal.until("you: ")
    expect(fileIn(terminal, "out")).toBeUndefined()
    await leave(terminal)
  })

  it("remembers a yes for the session", async () => {
    const terminal = new Terminal()
    await terminal.until("you: ")
    terminal.enter("run `echo once > out`")
    await terminal.until("answer: ")
    terminal.enter("2")
    await terminal.until("you: ")
    terminal.enter("run `echo once > out`")
    const second = await terminal.until("you: ")
    expect(second).not.toContain("Permission Required")
    await leave(terminal)
  })

  it("shows what would be written, line by line", async () => {
    const terminal = new Terminal()
    await terminal.until("you: ")
    const input = { file_path: join(terminal.place.cwd, "poem"), content: "one\ntwo\n" }
    terminal.enter(`@tool Write ${JSON.stringify(input)}`)
    const dialog = await terminal.until("answer: ")
    expect(dialog).toContain(`  ${input.file_path}\r\n  + one\r\n  + two\r\n`)
    terminal.enter("yes")
    await terminal.until("you: ")
    expect(fileIn(terminal, "poem")).toBe("one\ntwo")
    await leave(terminal)
  })
})

describe("questions of the model", () => {
  const colours = {
    question: "Which colours?",
    header: "Colours",
    options: [
      { label: "Red", description: "Warm" },
      { label: "Green", description: "Fresh" },
      { label: "Blue", description: "Cold" }
    ],
    multiSelect: true
  }
  const size = {
    question: "Which size?",
    header: "Size",
    options: [
      { label: "Small", description: "" },
      { label: "Large", description: "" }
    ]
  }

  it("are numbered choices: one, several with commas, or own words", async () => {
    const terminal = new Terminal({ columns: 200 })
    await terminal.until("you: ")
    terminal.enter(`@tool AskUserQuestion ${JSON.stringify({ questions: [colours, size] })}`)
    const first = await terminal.until("answer: ")
    expect(first).toContain("Question 1 of 2: Which colours?\r\n1. Red: Warm\r\n2. Green: Fresh\r\n3. Blue: Cold\r\n")
    terminal.enter("1, 3")
    const second = await terminal.until("answer: ")
    expect(second).toContain("Question 2 of 2: Which size?\r\n1. Small\r\n2. Large\r\n")
    terminal.enter("as large as it gets")
    const answers = await terminal.until("you: ")
    expect(answers).toMatch(/Which colours\?\s+Red, Blue/)
    expect(answers).toMatch(/Which size\?\s+as large as it gets/)
    await leave(terminal)
  })

  it("are asked again when a number chooses nothing", async () => {
    const terminal = new Terminal({ columns: 200 })
    await terminal.until("you: ")
    terminal.enter(`@tool AskUserQuestion ${JSON.stringify({ questions: [size] })}`)
    await terminal.until("Question: Which size?")
    await terminal.until("answer: ")
    terminal.enter("3")
    await terminal.until("There is no choice 3.")
    await terminal.until("answer: ")
    terminal.enter("2")
    expect(await terminal.until("you: ")).toMatch(/Which size\?\s+Large/)
    await leave(terminal)
  })
})

describe("while a turn runs", () => {
  const bash = (command: string): string => `@tool Bash ${JSON.stringify({ command })}`

  it("Ctrl-C kills the command and all its children, and the session goes on", async () => {
    const endless = endlessCommand()
    const terminal = new Terminal({ args: ["--allowedTools", "Bash"] })
    await terminal.until("you: ")
    terminal.enter(bash(endless.command))
    await endless.begun
    terminal.type(KEYS.interrupt)
    await terminal.until("[interrupted]")
    await endless.gone
    await terminal.until("you: ")
    terminal.enter("@say still here")
    await terminal.until("nacre: still here")
    await terminal.until("you: ")
    await leave(terminal)
  })

  it("what is typed is queued, and sent when the turn is over", async () => {
    const endless = endlessCommand()
    const terminal = new Terminal({ args: ["--allowedTools", "Bash"] })
    await terminal.until("you: ")
    terminal.enter(bash(endless.command))
    await endless.begun
    terminal.type("@say the queued one")
    await terminal.until("you: ")
    await terminal.until("@say the queued one")
    terminal.type("\r")
    await terminal.until("note: queued")
    terminal.type(KEYS.escape)
    await terminal.until("[interrupted]")
    await terminal.until("nacre: the queued one")
    await terminal.until("you: ")
    await leave(terminal)
  })

  it("leaving kills what runs", async () => {
    const endless = endlessCommand()
    const terminal = new Terminal({ args: ["--allowedTools", "Bash"] })
    await terminal.until("you: ")
    terminal.enter(bash(endless.command))
    await endless.begun
    terminal.type(KEYS.end)
    expect(await terminal.ended).toBe(0)
    await endless.gone
  })
})
