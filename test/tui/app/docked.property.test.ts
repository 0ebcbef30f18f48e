import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeCanvas } from "../../../src/tui/screen/cell/canvas.ts"
import { makeFrame, rowText } from "../../../src/tui/screen/cell/frame.ts"
import { makePools } from "../../../src/tui/screen/cell/pools.ts"
import { sliceColumns } from "../../../src/tui/screen/cell/width.ts"
import { answeringOf, dockedOf, dockPanelOf } from "../../../src/tui/model/dock/docked.ts"
import { planOf } from "../../../src/tui/model/windows/layout-and-focus.ts"
import { themeOf } from "../../../src/tui/app/view/view.ts"
import { drawDock } from "../../../src/tui/overlays/dock/draw-dock.ts"
import { TuiWorld } from "../../support/tui-world.ts"

/** Laws of a docked question at every size: what explains it is there, its answers are, and nothing lies over anything. */

const RUNS = 40

const WORDS = ["map", "umlauts", "before", "the", "filter", "drops", "漢字", "them", "because", "tests", "want", "it"]

const sentences = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 14 })
  .map((words) => `I ${words.join(" ")} last.`)

const texts = fc
  .array(fc.constantFrom("one", "two 漢字", "  three", "", "a line that is much longer than the others ".repeat(3)), {
    maxLength: 120
  })
  .map((lines) => lines.map((line, index) => `${index} ${line}`).join("\n"))

const calls = fc.oneof(
  fc.tuple(texts, texts).map(([before, after]) => ({
    name: "Edit",
    input: { file_path: "/project/src/a.ts", old_string: `${before}\nold`, new_string: `${after}\nnew` }
  })),
  fc
    .array(fc.constantFrom("git status", "rm -rf build", "make all", `touch ${"long-name-".repeat(12)}`), {
      minLength: 1,
      maxLength: 6
    })
    .map((parts) => ({ name: "Bash", input: { command: [...parts, "make all"].join(" && ") } })),
  texts.map((content) => ({ name: "Write", input: { file_path: "/project/new.ts", content } }))
)

interface Case {
  readonly size: { readonly columns: number; readonly rows: number }
  readonly sentence: string
  readonly call: { readonly name: string; readonly input: unknown }
  readonly draft: number
}

const cases: fc.Arbitrary<Case> = fc.record({
  size: fc.record({ columns: fc.integer({ min: 40, max: 220 }), rows: fc.integer({ min: 12, max: 70 }) }),
  sentence: sentences,
  call: calls,
  draft: fc.nat(30)
})

const playing = ({ size, sentence, call, draft }: Case): TuiWorld => {
  const world = new TuiWorld({ size, options: { editorMode: "normal" } })
  const script = world.open()
  script.begin("earlier")
  script.respond({ text: Array.from({ length: 40 }, (_, line) => `earlier ${line}`).join("\n\n") })
  const text = Array.from({ length: draft }, (_, line) => `draft ${line}`).join("\n")
  world.tell({ _tag: "InsertText", session: world.model.current, text })
  world.now += 2_000
  script.begin("now")
  script.respond({ text: sentence, calls: [{ id: "asked", ...call }] })
  script.prepare("asked")
  world.wait(1_000)
  return world
}

const rowsOf = (world: TuiWorld): ReadonlyArray<string> => {
  const { frame } = world.screen()
  return Array.from({ length: frame.rows }, (_, y) => rowText(frame, y))
}

/** The words of rows, however they were wrapped. */
const wordsOf = (rows: ReadonlyArray<string>): string =>
  rows
    .map((row) => row.trim())
    .join("")
    .replaceAll(/\s/g, "")

const dockOf = (world: TuiWorld) => {
  const { dock } = planOf(world.model)
  if (dock === undefined) throw new Error("no question is docked")
  return dock
}

/** The question alone, on a screen of its own. */
const aloneRows = (world: TuiWorld): ReadonlyArray<string> => {
  const dock = dockOf(world)
  const docked = dockedOf(world.model)
  const panel = docked === undefined ? undefined : dockPanelOf(world.model, docked)
  if (panel === undefined) throw new Error("no panel")
  const frame = makeFrame(makePools(), dock.width, dock.height)
  const joins = { left: dock.x > 0, right: dock.x + dock.width < world.model.size.columns }
  drawDock(makeCanvas(frame, themeOf(world.model)), panel, { ascii: false, joins, hasKeyboard: true })
  return Array.from({ length: dock.height }, (_, y) => rowText(frame, y))
}

const check = (law: (world: TuiWorld, play: Case) => void): void =>
  fc.assert(
    fc.property(cases, (play) => law(playing(play), play)),
    { numRuns: RUNS }
  )

describe("a docked question, at every size from 40x12 up", () => {
  it("leaves the sentence that led to it on screen, or one scroll away", () => {
    check((world, { sentence }) => {
      const { y } = dockOf(world)
      const { width } = dockOf(world)
      const column = (rows: ReadonlyArray<string>) => rows.slice(0, y).map((row) => sliceColumns(row, 0, width))
      const here = column(rowsOf(world))
      const words = wordsOf([sentence])
      if (wordsOf(here).includes(words)) return
      world.keys("<PageUp>")
      const above = column(rowsOf(world))
      // What of it was on screen before is what is missing now.
      const parts = Array.from({ length: words.length }, (_, cut) => [words.slice(0, cut), words.slice(cut)] as const)
      expect(
        parts.some(([first, rest]) => wordsOf(above).includes(first) && wordsOf(here).startsWith(rest)) ||
          wordsOf(above).includes(words)
      ).toBe(true)
    })
  })

  it("shows every answer with its number, at least three rows of the transcript, and the end of the draft's place", () => {
    check((world) => {
      const dock = dockOf(world)
      const rows = rowsOf(world).slice(dock.y, dock.y + dock.height)
      expect(rows.some((row) => / 1 Yes/.test(row))).toBe(true)
      expect(rows.some((row) => / 3 No/.test(row))).toBe(true)
      const plan = planOf(world.model)
      const heightOf = (pane: string) => plan.panes.find(({ leaf }) => leaf.pane === pane)?.content.height ?? 0
      expect(heightOf("transcript")).toBeGreaterThanOrEqual(3)
      expect(heightOf("prompt")).toBeGreaterThanOrEqual(1)
    })
  })

  it("names the tool and shows the beginning of what it would do", () => {
    check((world, { call }) => {
      const dock = dockOf(world)
      const rows = rowsOf(world).slice(dock.y, dock.y + dock.height)
      expect(rows[0]).toContain(`┌ ${call.name}`)
      const body = rows.slice(1, -1).join("\n")
      if (call.name === "Bash") expect(body).toMatch(/git status|rm -rf|make all|touch/)
      else expect(body).toMatch(/[-+]|Nothing would change/)
    })
  })

  it("is drawn alone in its rows", () => {
    check((world) => {
      const dock = dockOf(world)
      const rows = rowsOf(world)
        .slice(dock.y, dock.y + dock.height)
        .map((row) => sliceColumns(row, dock.x, dock.width))
      expect(rows).toEqual(aloneRows(world))
    })
  })

  it("gives the same answer for a number as at any other size", () => {
    fc.assert(
      fc.property(cases, fc.constantFrom("1", "3"), (play, key) => {
        const world = playing(play)
        world.keys(key, 300)
        const expected = key === "1" ? "allow" : "deny"
        expect(world.done("Answer").map(({ answer }) => answer.behavior)).toEqual([expected])
      }),
      { numRuns: RUNS }
    )
  })

  it("comes back untouched after a look around, which answers nothing", () => {
    const looks = fc.array(fc.constantFrom("<PageUp>", "<PageDown>", "<F6>", "<F1>", "<C-o>", "d", "<C-End>", "<Esc>"), {
      maxLength: 12
    })
    fc.assert(
      fc.property(cases, looks, (play, keys) => {
        const world = playing(play)
        const before = rowsOf(world)
        // Where the keyboard is in the question an Escape is its answer, so only the way back is taken.
        const isHere = (): boolean => answeringOf(world.model) !== undefined
        for (const key of keys) if (key !== "<Esc>" || !isHere()) world.keys(key, 400)
        for (let press = 0; press < 8; press++) if (!isHere()) world.keys("<Esc>", 400)
        world.keys("<C-End>", 400)
        expect(world.done("Answer")).toEqual([])
        expect(world.done("Interrupt")).toEqual([])
        const dock = dockOf(world)
        expect(rowsOf(world).slice(dock.y)).toEqual(before.slice(dock.y))
      }),
      { numRuns: RUNS }
    )
  })
})
