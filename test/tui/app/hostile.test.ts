import { describe, expect, it } from "vitest"
import { rowText } from "../../../src/tui/screen/cell/frame.ts"
import { diff } from "../../../src/tui/terminal/render/diff.ts"
import { encode } from "../../../src/tui/terminal/render/encode.ts"
import { bash } from "../../core/loop/response-plan.ts"
import { CAPS, SESSION, TuiWorld } from "../../support/tui-world.ts"
import { straysIn } from "../terminal/render/sequence-parser.ts"

/** Text from outside reaches every corner of the screen and stays text. */

const HOSTILE = "x\u001B]52;c;YQ==\u0007\u202Eg"

const hostileWorld = (): TuiWorld => {
  const world = new TuiWorld({ size: { columns: 160, rows: 45 }, caps: { ...CAPS, title: true } })
  const script = world.open()
  const { state } = script
  const names = { cwd: `/work/${HOSTILE}`, branch: HOSTILE, title: HOSTILE }
  const facts = { sessionId: "session-h", ...names, state, draft: undefined, earlierPages: 0 }
  world.tell({ _tag: "SessionOpened", facts, replaces: SESSION })
  return world
}

const bytesOf = (world: TuiWorld): string => encode(diff(undefined, world.screen(), world.model.caps), world.model.caps)

const textOf = (world: TuiWorld): string => {
  const { frame } = world.screen()
  return Array.from({ length: frame.rows }, (_, y) => rowText(frame, y)).join("\n")
}

const expectHarmless = (world: TuiWorld): void => {
  const bytes = bytesOf(world)
  expect(straysIn(bytes)).toEqual([])
  expect(bytes).not.toContain("\u001B]52")
  // What is made visible says what it was; nothing is silently replaced or left to reorder its neighbours.
  expect(
    textOf(world)
      .split("\n")
      .filter((row) => /[\u202A-\u202E\uFFFD]/.test(row))
  ).toEqual([])
}

describe("hostile text", () => {
  it("in names of branches, directories and sessions is shown with its escapes", () => {
    const world = hostileWorld()
    expectHarmless(world)
    expect(textOf(world)).toContain("^[]52")
    expect(world.done("Copy")).toEqual([])
  })

  it("in a command that asks is visible in the dialog, the transcript and the activity", () => {
    const world = new TuiWorld({ size: { columns: 160, rows: 45 } })
    const script = world.open()
    script.begin(HOSTILE)
    script.respond({ think: HOSTILE, text: HOSTILE, calls: [bash("call", `echo ${HOSTILE}`)] })
    script.prepare("call")
    world.wait(1_000)
    expectHarmless(world)
    expect(textOf(world)).toMatch(/┌ Bash in \/project [\s\S]*\^\[\]52[\s\S]*1 Yes/)
    expect(textOf(world)).toContain("<U+202E>")
  })

  it("in notices, pastes, lists and answers of the shell stays text", () => {
    const world = new TuiWorld({ size: { columns: 160, rows: 45 } })
    world.open()
    world.paste(HOSTILE)
    world.tell({ _tag: "Told", notice: { key: "k", text: HOSTILE, priority: "high" } })
    expectHarmless(world)
    world.tell({ _tag: "Listed", title: HOSTILE, lines: [HOSTILE] })
    expectHarmless(world)
    world.keys("<Esc><Esc><C-u>/resume<CR>")
    const names = { title: HOSTILE, branch: HOSTILE, firstPrompt: HOSTILE, cwd: world.session().cwd }
    const facts = {
      lastPrompt: HOSTILE,
      prLinks: [],
      tag: HOSTILE,
      isLive: false,
      isInterrupted: true,
      isHeadless: false,
      isNear: true
    }
    const stored = { ...names, ...facts, sessionId: "s", modifiedAt: 0, sizeBytes: 1, forkOf: undefined }
    world.tell({ _tag: "SessionsListed", sessions: [stored] })
    expectHarmless(world)
    world.tell({ _tag: "Session", session: SESSION, news: { _tag: "Ended", reason: HOSTILE } })
    expectHarmless(world)
  })
})
