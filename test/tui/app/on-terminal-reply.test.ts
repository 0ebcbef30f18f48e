import { describe, expect, it } from "vitest"
import type { InputEvent, Reply } from "../../../src/tui/terminal/input/event.ts"
import type { TuiWorld, WorldOptions } from "../../support/tui-world.ts"
import { paneWorld } from "./pane-world.ts"

const KITTY: Reply = { _tag: "KeyboardFlags", flags: 0 }
const LAST: Reply = { _tag: "PrimaryAttributes", attributes: [64, 1] }
const TRUE_COLOUR: Reply = { _tag: "Capability", name: "RGB", value: "" }

const told = (replies: ReadonlyArray<Reply>, options: WorldOptions = {}) => {
  const { world } = paneWorld(120, 40, options)
  const cmds = replies.flatMap((reply) => world.tell({ _tag: "Input", event: { _tag: "Reply", reply } }))
  return { world, cmds }
}

const capsListed = (world: TuiWorld): ReadonlyArray<string> => {
  world.keys("<C-x><C-w>t:caps<CR>")
  const { opened } = world.model.overlays
  return opened?._tag === "Listing" ? opened.lines : []
}

describe("answers of the terminal", () => {
  it("choose the best keyboard that there is", () => {
    expect(told([]).world.model.caps.keyboard).toBe("legacy")
    expect(told([LAST]).world.model.caps.keyboard).toBe("modifyOtherKeys")
    expect(told([KITTY, LAST]).world.model.caps.keyboard).toBe("kitty")
    expect(told([LAST, KITTY]).world.model.caps.keyboard).toBe("kitty")
    const fixed = { options: { fixedCaps: ["keyboard"] } }
    expect(told([KITTY, LAST], fixed).world.model.caps.keyboard).toBe("legacy")
  })

  it("of more colours draw everything again, once", () => {
    const { world, cmds } = told([TRUE_COLOUR, TRUE_COLOUR])
    expect(world.model.caps.colourDepth).toBe("24bit")
    expect(cmds.filter(({ _tag }) => _tag === "Redraw")).toHaveLength(1)
    expect(told([{ _tag: "Capability", name: "RGB" }]).world.model.caps.colourDepth).toBe("256")
  })

  it("are told from what is assumed and from what was set", () => {
    const silent = capsListed(told([]).world)
    expect(silent.length).toBeGreaterThan(10)
    for (const line of silent) expect(line).toMatch(/ \(assumed\)$/)
    const sync: Reply = { _tag: "ModeReport", mode: 2026, isPrivate: true, value: 2 }
    const lines = capsListed(told([sync, LAST], { options: { fixedCaps: ["colourDepth"] } }).world)
    expect(lines).toContain("syncOutput: true (answered)")
    expect(lines).toContain("keyboard: modifyOtherKeys (answered)")
    expect(lines).toContain("colourDepth: 256 (set)")
    expect(lines).toContain("strike: false (assumed)")
  })

  it("that nobody understands are counted and change nothing else", () => {
    const { world } = paneWorld(120, 40, {})
    const before = world.model
    const event: InputEvent = { _tag: "Unknown", bytes: Uint8Array.of(0x1b, 0x5b, 0x39, 0x39, 0x7a) }
    world.tell({ _tag: "Input", event })
    world.tell({ _tag: "Input", event })
    expect(world.model.unknownInput).toBe(2)
    expect(world.session().prompt).toBe(before.sessions.get(before.current)?.prompt)
  })
})
