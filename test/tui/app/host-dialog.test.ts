import { describe, expect, it } from "vitest"
import { hostQuestion, rememberHost } from "../../../src/core/loop/machine/host-question.ts"
import { hostDialog } from "../../../src/tui/line/dialogs/host-dialog.ts"
import { permissions } from "../../support/loop-fixture.ts"
import { SESSION, shownBy, TuiWorld } from "../../support/tui-world.ts"
import { bash } from "../../core/loop/response-plan.ts"

/** The question about a host, on the full screen and in lines. */
const asking = (world: TuiWorld, host = "registry.example"): void => {
  const script = world.open(SESSION, { permission: permissions({ allow: ["Bash"] }) })
  script.begin("do it")
  script.respond({ calls: [bash("b", "npm install"), bash("w", "rm -rf build")] })
  script.prepare("b")
  script.feed({ _tag: "HostRequested", requestId: "h", callId: "b", host, port: 443 })
}

const answers = (world: TuiWorld) => world.done("Answer").map(({ callId, answer }) => [callId, answer])

const REFUSAL = { behavior: "deny", message: "The user refused the connection to registry.example." }

describe("the dialog about a host", () => {
  it("names the host, the command and four answers", async () => {
    const world = new TuiWorld()
    asking(world)
    const screen = (await shownBy(world.screen())).text().join("\n")
    for (const text of ["Reach registry.example:443", "npm install", "1 Yes, for this command", "4 No, never"]) {
      expect(screen).toContain(text)
    }
  })

  it.each([
    ["y", { behavior: "allow" }],
    ["<CR>", { behavior: "allow" }],
    ["1", { behavior: "allow" }],
    ["2", { behavior: "allow", updates: [rememberHost("registry.example", "allow")] }],
    ["n", REFUSAL],
    ["<Esc>", REFUSAL],
    ["jj<CR>", REFUSAL],
    ["4", { ...REFUSAL, updates: [rememberHost("registry.example", "deny")] }],
    ["k<CR>", { ...REFUSAL, updates: [rememberHost("registry.example", "deny")] }]
  ])("answers %s", (keys, answer) => {
    const world = new TuiWorld()
    asking(world)
    world.now += 300
    world.keys(keys)
    expect(answers(world)).toEqual([["h", answer]])
  })

  it("shows a long name to its end and can be answered in a tiny window", async () => {
    const world = new TuiWorld({ size: { columns: 40, rows: 12 } })
    asking(world, `${"a-very-long-part.".repeat(5)}example`)
    expect((await shownBy(world.screen())).text().join("")).toContain("example:443")
    world.now += 300
    // What would be saved has no room here: it is read before it is saved, and reading it answers nothing.
    world.keys("2")
    expect(answers(world)).toEqual([])
    const whole = (await shownBy(world.screen())).text().join("").replaceAll(" ", "")
    expect(whole).toContain(
      `2 Yes, always in this project: WebFetch(domain:${"a-very-long-part.".repeat(5)}example)`.replaceAll(" ", "")
    )
    world.keys("<Esc>")
    world.now += 300
    world.keys("3")
    expect(answers(world)).toMatchObject([["h", { behavior: "deny" }]])
  })

  it("is not answered by other keys, nor in its first moment", () => {
    const world = new TuiWorld()
    asking(world)
    world.keys("y1", 10)
    world.now += 300
    world.keys("9xqZ")
    expect(answers(world)).toEqual([])
  })
})

describe("the question about a host in lines", () => {
  const question = hostQuestion("h", { name: "registry.example", port: 443, command: "npm install" })
  const dialog = hostDialog(question)

  it("says the same", () => {
    expect(dialog?.lines).toEqual([
      "Network Request: registry.example:443",
      "  wanted by: npm install",
      "Why: No rule says whether sandboxed commands may reach it. The command waits.",
      "1. Yes, for this command",
      "2. Yes, always in this project: WebFetch(domain:registry.example)",
      "3. No",
      "4. No, never in this project: WebFetch(domain:registry.example)"
    ])
  })

  it.each([
    ["yes", "allow"],
    ["2", "allow"],
    ["no", "deny"],
    ["4", "deny"]
  ])("takes %s", (line, behavior) => {
    expect(dialog?.read(line)).toMatchObject({ _tag: "Answered", answer: { behavior } })
  })

  it.each(["", "5", "maybe"])("asks again after %j", (line) => {
    expect(dialog?.read(line)).toMatchObject({ _tag: "Again" })
  })

  it("is for hosts only", () => {
    const { host: _host, ...other } = question
    expect(hostDialog(other)).toBeUndefined()
  })
})
