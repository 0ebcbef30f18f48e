import { describe, expect, it } from "vitest"
import { textIn } from "../../../src/tui/prompt/editor.ts"
import { bash } from "../../core/loop/response-plan.ts"
import { OTHER_SESSION, SESSION, shownBy, TuiWorld } from "../../support/tui-world.ts"

/** What is sent while a turn runs. */

const seen = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

const busy = () => {
  const world = new TuiWorld()
  const script = world.open(SESSION)
  script.begin("do it")
  script.respond({ calls: [bash("call", "sleep 9")] })
  const queue = (text: string, uuid: string): void => {
    world.keys("<CR>")
    const [sent] = world.done("Submit").slice(-1)
    script.feed({
      _tag: "PromptSubmitted",
      uuid,
      content: sent?.text ?? text,
      priority: "next",
      origin: "human",
      appendOnly: false
    })
  }
  return { world, script, queue }
}

describe("the queue", () => {
  it("gives its texts back and does not show them any more", async () => {
    const { world, queue } = busy()
    world.keys("first")
    queue("first", "u1")
    world.keys("second")
    queue("second", "u2")
    expect(await seen(world)).toContain("queued: first")
    world.keys("<Up>")
    expect(textIn(world.session().prompt.editor)).toBe("first\nsecond")
    expect(await seen(world)).not.toContain("queued:")
    expect(world.done("TakeBackQueue")).toMatchObject([{ uuids: ["u1", "u2"] }])
    world.keys("<Up>")
    expect(world.done("TakeBackQueue")).toHaveLength(1)
  })

  it("gives pastes and images back as they were", () => {
    const { world, queue } = busy()
    world.keys("look at ")
    world.tell({ _tag: "ImagePasted", session: SESSION, reference: "abc.png" })
    world.paste("a\nb\nc\nd\n")
    queue("", "u1")
    expect(world.done("Submit")[0]).toMatchObject({ images: ["abc.png"] })
    expect(world.done("Submit")[0]?.text).toContain("a\nb\nc\nd\n")
    world.keys("<Up>")
    world.keys("!<CR>")
    expect(world.done("Submit")[1]).toMatchObject({ images: ["abc.png"] })
    expect(world.done("Submit")[1]?.text).toBe(`${world.done("Submit")[0]?.text}!`)
  })
})

describe("the list of what is queued", () => {
  const listed = () => {
    const { world, queue } = busy()
    world.keys("first")
    queue("first", "u1")
    world.paste("a\nb\nc\nd\n")
    queue("", "u2")
    world.keys("!make<CR>/queue<CR>")
    return world
  }
  const waiting = (world: TuiWorld): ReadonlyArray<string> => [
    ...world.session().state.queue.map(({ uuid }) => uuid),
    ...world.session().waiting.map(({ id }) => id)
  ]

  it("shows prompts and lines, and says when there is nothing", async () => {
    const world = listed()
    expect(await seen(world)).toMatch(/▸ first[\s\S]*\[Pasted text #1[\s\S]*!make +after the turn/)
    const idle = new TuiWorld()
    idle.open(SESSION)
    idle.keys("/queue<CR>")
    expect(await seen(idle)).toContain("nothing is queued")
  })

  it("takes one out and leaves the others", () => {
    const world = listed()
    world.keys("D")
    expect(waiting(world)).toEqual(["u2", "waiting:1"])
    expect(world.done("TakeBackQueue")).toMatchObject([{ uuids: ["u1"] }])
    world.keys("jD")
    expect(waiting(world)).toEqual(["u2"])
    expect(textIn(world.session().prompt.editor)).toBe("")
  })

  it("brings one back to be edited, with its pastes", () => {
    const world = listed()
    world.keys("j<CR>")
    expect(waiting(world)).toEqual(["u1", "waiting:1"])
    world.keys("!<CR>")
    expect(world.done("Submit").at(-1)?.text).toBe("a\nb\nc\nd\n!")
  })

  it("sends one at once, in full", () => {
    const world = listed()
    world.keys("jS")
    expect(world.done("Submit").at(-1)).toMatchObject({ text: "a\nb\nc\nd\n", priority: "now" })
    expect(waiting(world)).toEqual(["u1", "waiting:1"])
  })

  it("brings a command back only into an empty prompt, and runs none during a turn", () => {
    const world = listed()
    world.keys("GS")
    expect(world.done("RunShell")).toEqual([])
    world.keys("<CR>")
    expect([world.session().prompt.mode, textIn(world.session().prompt.editor)]).toEqual(["shell", "make"])
    expect(waiting(world)).toEqual(["u1", "u2"])
  })
})

describe("pastes that were sent", () => {
  it("are held as long as they can be taken back", () => {
    const world = new TuiWorld()
    const script = world.open(SESSION)
    world.paste("a\nb\nc\nd\n")
    world.keys("<CR>")
    expect(world.session().sent).toHaveLength(1)
    script.begin(world.done("Submit")[0]?.text ?? "")
    script.respond({ text: "an answer" })
    expect(world.session().sent).toEqual([])
  })
})

describe("a shell command during a turn", () => {
  const shell = (world: TuiWorld, state: "running" | "ok", output: string): void =>
    void world.tell({
      _tag: "Session",
      session: SESSION,
      news: { _tag: "Shell", run: { id: "run-1", command: "echo here", output, state } }
    })

  it("stays on the screen until the conversation has it, and is there once", async () => {
    const { world, script } = busy()
    shell(world, "running", "")
    shell(world, "ok", "printed")
    expect(await seen(world)).toContain("printed")
    const content = "<bash-input>echo here</bash-input>"
    script.feed({ _tag: "PromptSubmitted", uuid: "run-1", content, priority: "later", origin: "human", appendOnly: true })
    expect(await seen(world)).toContain("printed")
    expect(await seen(world)).not.toContain("queued:")
    script.feed({ _tag: "Interrupted" })
    script.settle("call", { _tag: "Cancelled", content: "stopped", data: {} })
    const after = await seen(world)
    expect(after.split("echo here")).toHaveLength(2)
  })
})

describe("lines that wait for the end of the turn", () => {
  const answering = () => {
    const world = new TuiWorld()
    const script = world.open(SESSION)
    script.begin("do it")
    return { world, script }
  }
  const finished = (world: TuiWorld): void =>
    void world.tell({
      _tag: "Session",
      session: SESSION,
      news: { _tag: "Shell", run: { id: "run", command: "one", output: "", state: "ok" } }
    })

  it("runs them one by one, in the session they were typed in", async () => {
    const { world, script } = answering()
    world.keys("!one<CR>!!two<CR>/compact the end<CR>")
    expect(await seen(world)).toMatch(/queued: !one[\s\S]*queued: !!two[\s\S]*queued: \/compact the end/)
    expect([world.done("RunShell"), world.done("Compact")]).toEqual([[], []])
    world.open(OTHER_SESSION)
    script.respond({ text: "an answer" })
    expect(world.done("RunShell")).toMatchObject([{ session: SESSION, command: "one", inContext: true }])
    world.tell({
      _tag: "Session",
      session: SESSION,
      news: { _tag: "Shell", run: { id: "run", command: "one", output: "", state: "running" } }
    })
    expect(world.done("RunShell")).toHaveLength(1)
    finished(world)
    expect(world.done("RunShell").slice(1)).toMatchObject([{ session: SESSION, command: "two", inContext: false }])
    finished(world)
    expect(world.done("Compact")).toMatchObject([{ session: SESSION, focus: "the end" }])
  })

  it("waits with the next one until the loop has heard of the last", () => {
    const { world, script } = answering()
    world.keys("!one<CR>/compact<CR>")
    script.respond({ text: "an answer" })
    const run = { id: "run", command: "one", output: "", state: "ok" as const }
    world.tell({ _tag: "Session", session: SESSION, news: { _tag: "Shell", run, isTold: true } })
    expect(world.done("Compact")).toEqual([])
    const told = { content: "<bash-input>one</bash-input>", priority: "later", origin: "human" } as const
    script.feed({ _tag: "PromptSubmitted", uuid: "run", ...told, appendOnly: true })
    expect(world.done("Compact")).toEqual([])
    script.begin("<bash-stdout></bash-stdout>")
    expect(world.done("Compact")).toEqual([])
    script.respond({ text: "seen" })
    expect(world.done("Compact")).toHaveLength(1)
  })

  it("does not close a session in which a turn runs", () => {
    const { world, script } = answering()
    world.keys("/clear<CR>")
    expect(world.done("OpenSession")).toEqual([])
    script.respond({ text: "an answer" })
    expect(world.done("OpenSession")).toMatchObject([{ which: { _tag: "New" }, replaces: SESSION }])
  })

  it("gives one back alone and into an empty prompt; it does not run then", () => {
    const { world, script } = answering()
    world.keys("!one<CR>x<Up>")
    expect(textIn(world.session().prompt.editor)).not.toContain("one")
    world.keys("<Down><BS><Up>")
    expect([world.session().prompt.mode, textIn(world.session().prompt.editor)]).toEqual(["shell", "one"])
    script.respond({ text: "an answer" })
    expect(world.done("RunShell")).toEqual([])
  })

  it("lets whoever leaves when everything is done wait for them too", () => {
    const { world, script } = answering()
    world.keys("!one<CR>")
    world.keys("/exit<CR>3")
    script.respond({ text: "an answer" })
    expect(world.done("RunShell")).toHaveLength(1)
    expect(world.cmds.findIndex(({ _tag }) => _tag === "Quit")).toBe(-1)
  })
})

describe("going back in a session in which nothing was said", () => {
  it("says so instead of opening an empty list", async () => {
    const world = new TuiWorld()
    world.open(SESSION)
    world.keys("<Esc><Esc>", 100)
    expect(world.model.overlays.opened).toBeUndefined()
    expect(await seen(world)).toContain("nothing was sent here yet")
  })
})

describe("sending at once", () => {
  it("goes before what runs; with nothing typed, what waits goes", () => {
    const { world, queue } = busy()
    world.keys("not like that<C-x><CR>")
    expect(world.done("Submit")).toMatchObject([{ text: "not like that", priority: "now" }])
    expect(textIn(world.session().prompt.editor)).toBe("")
    world.keys("later")
    queue("later", "u1")
    world.keys("<C-x><CR>")
    expect(world.done("Interrupt")).toHaveLength(1)
  })
})
