import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { transcriptContextOf } from "../../../src/tui/model/conversation/transcript-context.ts"
import { rowText } from "../../../src/tui/screen/cell/frame.ts"
import { visibleRows } from "../../../src/tui/transcript/list/view/viewport.ts"
import { textBlock } from "../../core/loop/response-plan.ts"
import type { Script } from "../../core/loop/script.ts"
import { TuiWorld } from "../../support/tui-world.ts"

/** The reader's place: nothing but the reader moves it. */

const RUNS = 60

const FOX = "the quick brown fox jumps over the lazy dog "
const paragraph = (index: number): string => `Paragraph ${index}: ${FOX.repeat(1 + (index % 3))}`
const PARAGRAPHS = Array.from({ length: 60 }, (_, index) => paragraph(index)).join("\n\n")

const reading = (): { readonly world: TuiWorld; readonly script: Script } => {
  const world = new TuiWorld({ size: { columns: 80, rows: 24 } })
  const script = world.open()
  script.begin("tell me much")
  script.respond({ text: PARAGRAPHS })
  script.begin("and more")
  script.startResponse()
  return { world, script }
}

const topOf = (world: TuiWorld) => {
  const session = world.session()
  const top = visibleRows(session.list, transcriptContextOf(world.model, session))[0]
  if (top === undefined) throw new Error("nothing is in view")
  return top
}

const drawnRows = (world: TuiWorld): ReadonlyArray<string> => {
  const { frame } = world.screen()
  return Array.from({ length: frame.rows }, (_, y) => rowText(frame, y).trimEnd())
}

/** The first row below the border. */
const drawnTop = (world: TuiWorld): string | undefined => drawnRows(world)[1]

type Disturbance =
  | { readonly _tag: "Stream"; readonly text: string }
  | { readonly _tag: "Resize"; readonly columns: number; readonly rows: number }
  | { readonly _tag: "Theme" | "Tick" | "Turn" }

const PIECES = ["word ", "\n\n# Heading\n\n", "| a | b |\n| - | - |\n", "```ts\nconst a = 1\n", "漢字 "]

const disturbance: fc.Arbitrary<Disturbance> = fc.oneof(
  fc.record({ _tag: fc.constant("Stream" as const), text: fc.constantFrom(...PIECES) }),
  fc.record({
    _tag: fc.constant("Resize" as const),
    columns: fc.integer({ min: 40, max: 200 }),
    rows: fc.integer({ min: 12, max: 60 })
  }),
  fc.record({ _tag: fc.constantFrom("Theme" as const, "Tick" as const, "Turn" as const) })
)

const someRows = fc.integer({ min: 1, max: 40 })

const disturb = (world: TuiWorld, script: Script, index: number, what: Disturbance): void => {
  switch (what._tag) {
    case "Stream":
      if (script.phase === "Streaming") script.say(...textBlock(index, what.text))
      return
    case "Resize":
      return world.resize(what.columns, what.rows)
    case "Theme":
      world.tell({ _tag: "Input", event: { _tag: "Reply", reply: { _tag: "ColourScheme", scheme: "light" } } })
      return
    case "Tick":
      return world.wait(1_000)
    case "Turn": {
      if (script.phase !== "Streaming") return
      const { requestId } = script
      script.say({ type: "message_delta", delta: { stop_reason: "end_turn" } }, { type: "message_stop" })
      script.feed({ _tag: "StreamEnded", requestId })
      script.begin("once more")
      script.startResponse()
    }
  }
}

describe("a transcript that was scrolled up", () => {
  it("keeps the same text at its top through streaming, sizes, themes and time", () => {
    fc.assert(
      fc.property(someRows, fc.array(disturbance, { minLength: 1, maxLength: 25 }), (up, all) => {
        const { world, script } = reading()
        world.keys(`<C-x><C-w>t${"<C-y>".repeat(up)}`)
        expect(world.session().list.viewport.following).toBe(false)
        const first = topOf(world)
        for (const [index, what] of all.entries()) {
          disturb(world, script, index, what)
          const top = topOf(world)
          expect(top.at.block.id).toBe(first.at.block.id)
          expect(top.row.start).toBeLessThanOrEqual(first.row.start)
          expect(Math.max(top.row.end, top.row.start + 1)).toBeGreaterThan(first.row.start)
        }
        world.resize(80, 24)
        expect(topOf(world).row).toEqual(first.row)
      }),
      { numRuns: RUNS }
    )
  })

  it("shows that row on the screen, and G goes back to the end and follows it", () => {
    const { world, script } = reading()
    world.keys("<C-x><C-w>t<C-u><C-u>")
    const before = drawnTop(world)
    for (let index = 0; index < 200; index++) script.say(...textBlock(index, `streamed line ${index}\n\n`))
    expect(drawnTop(world)).toBe(before)
    world.keys("G")
    expect(drawnRows(world).join("\n")).toContain("streamed line 199")
    script.say(...textBlock(200, "the very last words"))
    expect(drawnRows(world).join("\n")).toContain("the very last words")
  })
})
