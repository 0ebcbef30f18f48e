import { describe, expect, it } from "vitest"
import type { Message } from "../../../src/core/domain/message.ts"
import type { StoredPlace } from "../../../src/tui/model/registers-file.ts"
import { Maker } from "../../support/session/build.ts"
import { OTHER_SESSION, SESSION, TuiWorld } from "../../support/tui-world.ts"

const inVim = (): TuiWorld => {
  const world = new TuiWorld({ options: { editorMode: "vim" } })
  world.open()
  return world
}

const textOf = (world: TuiWorld, session = SESSION): string => {
  const { editor } = world.session(session).prompt
  return editor._tag === "Vim" ? editor.vim.buffer.lines.join("\n") : "not vim"
}

const MACRO = { registers: new Map([["q", { type: "char" as const, lines: ["A!\u001b"] }]]), marks: new Map() }

describe("registers that outlive the process", () => {
  it("are asked for with the first key, and only once", () => {
    const world = inVim()
    world.wait(50)
    world.tell({ _tag: "Input", event: { _tag: "Reply", reply: { _tag: "KeyboardFlags", flags: 1 } } })
    expect(world.done("LoadShada")).toEqual([])
    world.keys("ab")
    expect(world.done("LoadShada")).toHaveLength(1)
    expect(world.done("LoadMarks")).toEqual([{ _tag: "LoadMarks", session: SESSION }])
  })

  it("can be played at once", () => {
    const world = inVim()
    world.keys("hi<Esc>")
    world.tell({ _tag: "ShadaLoaded", ...MACRO })
    world.keys("@q@@")
    expect(textOf(world)).toBe("hi!!")
    expect(world.done("KeepShada")).toEqual([])
  })

  it("are kept when they change, and nothing else is", () => {
    const world = inVim()
    world.keys("hi there<Esc>0dwu")
    expect(world.done("KeepShada")).toEqual([])
    world.keys('"ayw')
    const registers = new Map([["a", { type: "char", lines: ["hi "] }]])
    expect(world.done("KeepShada")).toEqual([{ _tag: "KeepShada", change: { registers, marks: new Map() } }])
    world.keys("qbx")
    expect(world.done("KeepShada")).toHaveLength(1)
    world.keys("q")
    expect(world.done("KeepShada").at(-1)?.change.registers).toEqual(new Map([["b", { type: "char", lines: ["x"] }]]))
  })

  it("do not come over what was written meanwhile", () => {
    const world = inVim()
    world.keys('mine<Esc>"qyiw')
    world.tell({ _tag: "ShadaLoaded", ...MACRO })
    world.keys('0"qP')
    expect(textOf(world)).toBe("minemine")
  })

  it("are there for a session that opens later, and for vim keys that are switched on later", () => {
    const world = inVim()
    world.keys("i")
    world.tell({ _tag: "ShadaLoaded", ...MACRO })
    world.keys("<Esc>")
    world.open(OTHER_SESSION)
    world.keys("yo<Esc>@q")
    expect(textOf(world, OTHER_SESSION)).toBe("yo!")

    const standard = new TuiWorld()
    standard.open()
    standard.keys("so")
    standard.tell({ _tag: "ShadaLoaded", ...MACRO })
    standard.tell({ _tag: "OptionsChanged", change: { editorMode: "vim" } })
    standard.keys("<Esc>@q")
    expect(textOf(standard)).toBe("so!")
  })
})

const conversation = () => {
  const maker = new Maker()
  const early = [maker.prompt("first question"), maker.says("m1", "first answer")]
  const boundary = maker.system("compact_boundary", { compactMetadata: { trigger: "auto", preTokens: 41_000 } })
  const summary = maker.prompt("what was said", { isCompactSummary: true })
  const late = [maker.prompt("second question"), maker.says("m2", "second answer\nin two lines")]
  return { early, late: [boundary, summary, ...late] }
}

/** Opens a stored conversation; pages before it are still on disk. */
const resumed = (messages: ReadonlyArray<Message>, pages = 0): TuiWorld => {
  const world = new TuiWorld({ options: { editorMode: "vim" } })
  const totals = { models: {}, costUsd: 0, apiMs: 0 }
  const restored = { messages, replacements: new Map(), totals, tip: messages.at(-1)?.uuid ?? null, queue: [] }
  world.open(SESSION, { restored }, pages)
  world.keys("<C-x><C-w>t")
  return world
}

const cursorOf = (world: TuiWorld): unknown => {
  const { cursor } = world.session().list
  return cursor && { entry: cursor.entry, block: cursor.block, offset: cursor.offset }
}

describe("marks that outlive the process", () => {
  it("are kept with every change and bring back the place", () => {
    const { late } = conversation()
    const world = resumed(late)
    world.keys("Gmamb")
    const place = cursorOf(world)
    expect(world.done("KeepMarks").at(-1)).toEqual({
      _tag: "KeepMarks",
      session: SESSION,
      marks: new Map([
        ["a", place],
        ["b", place]
      ])
    })
    world.keys(":delmarks b<CR>")
    const { marks = new Map<string, StoredPlace>() } = world.done("KeepMarks").at(-1) ?? {}
    expect([...marks.keys()]).toEqual(["a"])

    const again = resumed(late)
    again.tell({ _tag: "MarksLoaded", session: SESSION, marks })
    again.keys("gg")
    expect(cursorOf(again)).not.toEqual(place)
    again.keys("`a")
    expect(cursorOf(again)).toEqual(place)
    expect(again.done("KeepMarks")).toEqual([])
  })

  it("lead to what was said before a compaction, which is read first", () => {
    const { early, late } = conversation()
    const whole = resumed([...early, ...late])
    whole.keys("ggma")
    const place = cursorOf(whole)
    const { marks = new Map<string, StoredPlace>() } = whole.done("KeepMarks").at(-1) ?? {}
    const world = resumed([...late, ...Array.from({ length: 30 }, () => late).flat()], 1)
    world.tell({ _tag: "MarksLoaded", session: SESSION, marks })
    expect(world.done("ReadEarlier")).toEqual([])
    world.keys("`a")
    expect(world.done("ReadEarlier")).toHaveLength(1)
    world.tell({ _tag: "EarlierRead", session: SESSION, page: 0, messages: early })
    expect(cursorOf(world)).toEqual(place)
  })

  it("say so when their message is gone", () => {
    const { late } = conversation()
    const world = resumed(late)
    const marks = new Map([["a", { entry: "?", block: "?", offset: 0 }]])
    world.tell({ _tag: "MarksLoaded", session: SESSION, marks })
    world.keys("`a")
    expect(JSON.stringify(world.model.notices)).toContain("the message of that mark is gone")
  })

  it("with a capital letter know their session", () => {
    const { late } = conversation()
    const world = resumed(late)
    world.keys("GmB")
    const mark = { session: SESSION, place: cursorOf(world) }
    expect(world.done("KeepShada").at(-1)?.change.marks).toEqual(new Map([["B", mark]]))
    const again = resumed(late)
    const place = { entry: "e", block: "b", offset: 3 }
    const marks = new Map([["B", { session: OTHER_SESSION, place }]])
    again.tell({ _tag: "ShadaLoaded", registers: new Map(), marks })
    again.keys("`B")
    expect(again.done("OpenSession").at(-1)?.which).toEqual({ _tag: "Resume", sessionId: OTHER_SESSION })
  })
})
