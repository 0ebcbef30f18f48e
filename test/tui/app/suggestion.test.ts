import { describe, expect, it } from "vitest"
import type { SideKind } from "../../../src/core/context/side/side-task.ts"
import { textIn } from "../../../src/tui/prompt/editor.ts"
import { SESSION, TuiWorld } from "../../support/tui-world.ts"
import type { Script } from "../../core/loop/script.ts"

/** What may come next stands in the empty prompt, and whoever was away hears where things stand. */
const KINDS: ReadonlyArray<SideKind> = ["prompt_suggestion", "away_summary"]

const opened = (): readonly [TuiWorld, Script] => {
  const world = new TuiWorld({ size: { columns: 100, rows: 30 } })
  return [world, world.open(SESSION, { config: { side: { kinds: KINDS, smallModel: "small" } } })]
}

const turn = (script: Script): void => {
  script.begin("fix the parser")
  script.respond({ text: "fixed" })
}

const told = (script: Script, kind: SideKind, text: string): void => {
  const { sideId } = script.all("StartSide").findLast((command) => command.kind === kind) ?? { sideId: "" }
  script.feed({ _tag: "SideSettled", sideId, answer: { text }, spent: [] })
}

const typed = (world: TuiWorld): string => textIn(world.session().prompt.editor)

const suggested = (): readonly [TuiWorld, Script] => {
  const [world, script] = opened()
  turn(script)
  turn(script)
  told(script, "prompt_suggestion", "run the tests")
  return [world, script]
}

describe("a suggestion", () => {
  it("stands in the empty prompt after the second turn, and is no part of it", () => {
    const [world, script] = opened()
    turn(script)
    expect(script.all("StartSide")).toEqual([])
    turn(script)
    told(script, "prompt_suggestion", "run the tests")
    expect(world.session().prompt.suggestion).toBe("run the tests")
    expect(typed(world)).toBe("")
    world.keys("<CR>")
    expect(world.done("Submit")).toEqual([])
  })

  it.each(["<Tab>", "<Right>"])("is taken with %s and can be changed", (key) => {
    const [world] = suggested()
    world.keys(key)
    expect(typed(world)).toBe("run the tests")
    world.keys("!")
    expect(typed(world)).toBe("run the tests!")
    expect(world.session().prompt.suggestion).toBeUndefined()
  })

  it.each(["x", "<BS>", "<Left>", "<Up>"])("goes with %s", (key) => {
    const [world] = suggested()
    world.keys(key)
    expect(world.session().prompt.suggestion).toBeUndefined()
    expect(typed(world)).not.toContain("run the tests")
  })

  it("comes too late for whoever types, and is no longer waited for", () => {
    const [world, script] = opened()
    turn(script)
    turn(script)
    world.keys("a")
    expect(world.done("SideTask")).toHaveLength(1)
    told(script, "prompt_suggestion", "run the tests")
    expect(world.session().prompt.suggestion).toBeUndefined()
  })

  it("goes when a turn begins", () => {
    const [world, script] = suggested()
    script.begin("something else")
    expect(world.session().prompt.suggestion).toBeUndefined()
    expect(script.emitted("SideReported")).toHaveLength(1)
  })
})

describe("a recap", () => {
  const focus = (world: TuiWorld, gained: boolean) =>
    world.tell({ _tag: "Input", event: { _tag: "Focus", gained } }).filter(({ _tag }) => _tag === "SideTask")

  it("is asked for when somebody comes back after a while, once, and stands in the transcript", () => {
    const [world, script] = opened()
    for (let turns = 0; turns < 3; turns++) turn(script)
    focus(world, false)
    world.wait(60_000)
    expect(focus(world, true)).toEqual([])
    focus(world, false)
    world.wait(180_000)
    expect(focus(world, true)).toHaveLength(1)
    script.feed({ _tag: "SideAsked", kind: "away_summary" })
    told(script, "away_summary", "You fixed the parser; the tests are left.")
    expect(JSON.stringify(world.session().transcript.entries)).toContain("the tests are left")
    focus(world, false)
    world.wait(600_000)
    expect(focus(world, true)).toEqual([])
  })

  it("is written on demand", () => {
    const [world, script] = opened()
    turn(script)
    world.keys("/recap<CR>")
    expect(world.done("SideTask")).toHaveLength(1)
  })
})
