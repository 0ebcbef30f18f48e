import { describe, expect, it } from "vitest"
import type { Message } from "../../../../src/core/domain/message.ts"
import { planOf } from "../../../../src/tui/model/windows/layout-and-focus.ts"
import type { Entry } from "../../../../src/tui/transcript/block.ts"
import { fromMessages } from "../../../../src/tui/transcript/entries/project.ts"
import * as Vector from "../../../../src/tui/transcript/vector.ts"
import { Maker } from "../../../support/session/build.ts"
import { SESSION, shownBy, TuiWorld, type WorldOptions } from "../../../support/tui-world.ts"

const PAGES = 3
const TURNS = 12

const turnsOf = (maker: Maker, page: number): ReadonlyArray<Message> =>
  Array.from({ length: TURNS }, (_, turn): ReadonlyArray<Message> => {
    const name = `${page}-${turn}`
    const caller = maker.calls(`m${name}`, `c${name}`)
    const words = `answer ${name}${name === "0-5" ? " with the needle" : ""}`
    return [maker.prompt(`prompt ${name}`), caller, maker.result(caller, `c${name}`), maker.says(`e${name}`, words)]
  }).flat()

/** A session that was compacted and resumed; three pages of it are still on disk. */
const resumed = (options: WorldOptions = {}) => {
  const maker = new Maker()
  const pages = Array.from({ length: PAGES }, (_, page) => turnsOf(maker, page))
  const boundary = maker.system("compact_boundary", { compactMetadata: { trigger: "auto", preTokens: 41_000 } })
  const rest = [boundary, maker.prompt("what was said", { isCompactSummary: true }), ...turnsOf(maker, PAGES)]
  const world = new TuiWorld({ size: { columns: 80, rows: 24 }, ...options })
  const totals = { models: {}, costUsd: 0, apiMs: 0 }
  const restored = { messages: rest, replacements: new Map(), totals, tip: rest.at(-1)?.uuid ?? null, queue: [] }
  const script = world.open(SESSION, { restored }, PAGES)
  const bring = (page: number): void =>
    void world.tell({ _tag: "EarlierRead", session: SESSION, page, messages: pages[page] ?? [] })
  return { world, script, bring, all: [...pages.flat(), ...rest] }
}

const contentRows = async (world: TuiWorld): Promise<ReadonlyArray<string>> => {
  const content = planOf(world.model).panes.find(({ leaf }) => leaf.pane === "transcript")?.content
  const rows = (await shownBy(world.screen())).text()
  return content === undefined ? [] : rows.slice(content.y, content.y + content.height)
}

const asked = (world: TuiWorld): ReadonlyArray<number> => world.done("ReadEarlier").map(({ page }) => page)

const idsOf = (entries: Vector.Vector<{ readonly id: string }>): ReadonlyArray<string> =>
  Vector.toArray(entries).map(({ id }) => id)

/** All but the headers: each page names its first author again. */
const shapesOf = (entries: Vector.Vector<Entry>): ReadonlyArray<unknown> =>
  Vector.toArray(entries).map(({ blocks }) => blocks.map((block) => ({ ...block, header: undefined })))

describe("what was said before a compaction", () => {
  it("is asked for when somebody scrolls to the beginning, once, and not before", () => {
    const { world } = resumed()
    expect(asked(world)).toEqual([])
    world.keys("<C-x><C-w>t<C-u>")
    expect(asked(world)).toEqual([])
    world.keys("gg")
    expect(asked(world)).toEqual([2])
    world.keys("kkgg")
    expect(asked(world)).toEqual([2])
  })

  it.each(["gg", "ggjj", "gg20j<C-y>"])("comes above what is on screen, which stays where it is (%s)", async (keys) => {
    const { world, bring } = resumed()
    world.keys(`<C-x><C-w>tgg${keys}`)
    const before = await contentRows(world)
    bring(2)
    const after = await contentRows(world)
    expect(after).toEqual(before)
    world.keys("15<C-y>")
    expect((await contentRows(world)).join("\n")).toContain("answer 2-11")
  })

  it("is in the end the same transcript as if all had been there at once, and lives on", () => {
    const { world, script, bring, all } = resumed()
    world.keys("<C-x><C-w>t")
    for (const page of [2, 1, 0]) {
      world.keys("gg")
      bring(page)
    }
    world.keys("gg")
    expect(asked(world)).toEqual([2, 1, 0])
    const { transcript } = world.session()
    const whole = fromMessages(all)
    expect(idsOf(transcript.entries)).toEqual(idsOf(whole.entries))
    expect(shapesOf(transcript.entries)).toEqual(shapesOf(whole.entries))
    script.begin("go on")
    script.respond({ text: "with pleasure" })
    const lived = Vector.toArray(world.session().transcript.entries)
    expect(lived.slice(0, whole.entries.length)).toEqual(Vector.toArray(transcript.entries))
    expect(world.session().list.entries.tree.count).toBe(world.session().transcript.entries.length)
  })

  it("fills a screen that is higher than what is left of the session", () => {
    const { world, bring } = resumed({ size: { columns: 200, rows: 120 } })
    expect(asked(world)).toEqual([2])
    bring(2)
    expect(world.session().list.viewport.following).toBe(true)
  })

  it.each([
    ["?", "a search up"],
    ["/", "a search down"]
  ])("is found by %s (%s)", async (kind) => {
    const { world, bring } = resumed()
    world.keys(`<C-x><C-w>t${kind}needle`)
    expect(asked(world)).toEqual([])
    world.keys("<CR>")
    for (const page of [2, 1, 0]) {
      expect(asked(world).at(-1)).toBe(page)
      bring(page)
    }
    expect((await contentRows(world)).join("\n")).toContain("answer 0-5 with the needle")
    expect(world.model.notices.current).toBeUndefined()
  })

  it("says when it holds no match either", () => {
    const { world, bring } = resumed()
    world.keys("<C-x><C-w>t/nowhere<CR>")
    for (const page of [2, 1, 0]) bring(page)
    expect(world.model.notices.current?.notice.text).toBe("Pattern not found: nowhere")
  })

  it("keeps marks, folds and jumps where they were", () => {
    const { world, bring } = resumed()
    world.keys("<C-x><C-w>tggma")
    const { cursor } = world.session().list
    bring(2)
    world.keys("G'a")
    expect(world.session().list.cursor).toEqual(cursor)
  })

  it("can be gone on with: u on the boundary undoes the compaction", () => {
    const { world, bring } = resumed()
    world.keys("<C-x><C-w>tgg")
    bring(2)
    world.keys("u")
    expect(world.done("AboutCompaction")).toMatchObject([{ session: SESSION, wish: { _tag: "Undo" } }])
  })

  it("cannot be put before what native scrollback holds", () => {
    const { world } = resumed({ options: { interface: "inline" } })
    world.keys("<C-o>gg")
    expect(asked(world)).toEqual([])
  })

  it("leaves a page alone that nobody waits for", () => {
    const { world, bring } = resumed()
    bring(0)
    expect(world.session().earlier.pages).toBe(PAGES)
  })
})
