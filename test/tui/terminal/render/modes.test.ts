import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makePools } from "../../../../src/tui/screen/cell/pools.ts"
import { diff } from "../../../../src/tui/terminal/render/diff.ts"
import { encode } from "../../../../src/tui/terminal/render/encode.ts"
import {
  enterSteps,
  leaveSequence,
  modeChange,
  NO_MODES,
  type TerminalModes
} from "../../../../src/tui/terminal/render/modes.ts"
import type { Screen } from "../../../../src/tui/terminal/render/screen.ts"
import { makeVirtualTerminal } from "../../../support/virtual-terminal.ts"
import { draw, RICH_CAPABILITIES } from "./generate.ts"

const anyModes: fc.Arbitrary<TerminalModes> = fc.record({
  altScreen: fc.boolean(),
  clusterWidths: fc.boolean(),
  paste: fc.boolean(),
  focus: fc.boolean(),
  mouse: fc.constantFrom("off", "buttons", "drag", "hover"),
  colourScheme: fc.boolean(),
  keyboard: fc.constantFrom("legacy", "modifyOtherKeys", "kitty"),
  title: fc.boolean()
})

/** The switches of a terminal and the stacks that some of them are; the inner screen has its own keyboard stack. */
const machine = () => {
  const on = new Set<string>()
  const stacks = { outer: 1, inner: 0, title: 0 }
  let otherKeys = "0"
  const apply = (bytes: string): void => {
    for (const [, body = ""] of bytes.matchAll(/\u001B\[([^@-~]*[@-~])/g)) {
      const mode = /^\?([\d;]+)([hl])$/.exec(body)
      for (const number of mode?.[1]?.split(";") ?? []) {
        if (mode?.[2] === "h") on.add(number)
        else on.delete(number)
      }
      const screen = on.has("1049") ? "inner" : "outer"
      if (body === ">1u") stacks[screen] += 1
      if (body === "<u") stacks[screen] -= 1
      if (body === "22;0t") stacks.title += 1
      if (body === "23;0t") stacks.title -= 1
      otherKeys = /^>4;(\d)m$/.exec(body)?.[1] ?? otherKeys
    }
  }
  on.add("25")
  return { apply, state: () => ({ on: [...on].sort(), stacks: { ...stacks }, otherKeys }) }
}

describe("entering and leaving", () => {
  it("is undone by leaving, from any point on the way", () => {
    fc.assert(
      fc.property(anyModes, fc.nat(20), (modes, reached) => {
        const terminal = machine()
        const before = terminal.state()
        const taken = enterSteps(modes).slice(0, reached)
        for (const { enter } of taken) terminal.apply(enter)
        terminal.apply(leaveSequence(taken))
        expect(terminal.state()).toEqual(before)
      })
    )
  })

  it("goes in the order of the specification", () => {
    const all: TerminalModes = {
      altScreen: true,
      clusterWidths: true,
      paste: true,
      focus: true,
      mouse: "drag",
      colourScheme: true,
      keyboard: "kitty",
      title: true
    }
    expect(enterSteps(all).map(({ mode }) => mode)).toEqual([
      "altScreen",
      "clusterWidths",
      "paste",
      "focus",
      "mouse:drag",
      "colourScheme",
      "keyboard:kitty",
      "title",
      "hiddenCursor"
    ])
    expect(enterSteps(NO_MODES).map(({ mode }) => mode)).toEqual(["hiddenCursor"])
  })

  it("is understood by an emulator", async () => {
    const terminal = makeVirtualTerminal(20, 4)
    const before = terminal.modes()
    const steps = enterSteps({ ...NO_MODES, altScreen: true, paste: true, focus: true, mouse: "drag" })
    await terminal.write(steps.map(({ enter }) => enter).join(""))
    expect(terminal.modes()).toEqual({ altScreen: true, paste: true, focus: true, mouse: "drag", sync: false })
    await terminal.write(leaveSequence(steps))
    expect(terminal.modes()).toEqual(before)
  })
})

describe("a change of modes", () => {
  const screenWith = (modes: TerminalModes): Screen => ({
    frame: draw(makePools(), { columns: 4, rows: 2 }, []),
    modes,
    cursor: { x: 0, y: 0, visible: true, shape: "block" }
  })

  it("leads to the same as entering the second alone", () => {
    fc.assert(
      fc.property(anyModes, anyModes, (from, to) => {
        const [changed, direct] = [machine(), machine()]
        const [first, second] = [screenWith(from), screenWith(to)]
        changed.apply(encode(diff(undefined, first, RICH_CAPABILITIES), RICH_CAPABILITIES))
        changed.apply(encode(diff(first, second, RICH_CAPABILITIES), RICH_CAPABILITIES))
        direct.apply(encode(diff(undefined, second, RICH_CAPABILITIES), RICH_CAPABILITIES))
        expect(changed.state()).toEqual(direct.state())
      })
    )
  })

  it("touches only what differs on one screen", () => {
    const from = { ...NO_MODES, altScreen: true, paste: true, keyboard: "kitty" as const }
    const names = (to: TerminalModes) => {
      const { reset, set } = modeChange(from, to)
      return { reset: reset.map(({ mode }) => mode), set: set.map(({ mode }) => mode) }
    }
    expect(names({ ...from, paste: false, focus: true })).toEqual({ reset: ["paste"], set: ["focus"] })
    expect(names(from)).toEqual({ reset: [], set: [] })
    expect(names({ ...from, altScreen: false })).toEqual({
      reset: ["keyboard:kitty", "paste", "altScreen"],
      set: ["paste", "keyboard:kitty"]
    })
  })
})
