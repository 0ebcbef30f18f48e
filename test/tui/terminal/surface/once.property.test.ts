import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ending } from "../../../core/loop/response-plan.ts"
import { isRunning } from "../../../../src/tui/model/session-model.ts"
import { finishedEnd } from "../../../../src/tui/app/view/finished-entries.ts"
import * as Vector from "../../../../src/tui/transcript/vector.ts"
import { straysIn } from "../render/sequence-parser.ts"
import { SteppedAgent } from "../../../support/tui-agent.ts"
import { SESSION } from "../../../support/tui-world.ts"
import { InlineTerminal } from "./scrollback-world.ts"

/** What is finished is in the scrollback once and in order, whatever the terminal goes through. */

type Deed =
  | { readonly _tag: "Agent"; readonly choice: number }
  | { readonly _tag: "Say"; readonly lines: number; readonly width: number }
  | { readonly _tag: "Type"; readonly keys: string }
  | { readonly _tag: "Resize"; readonly columns: number; readonly rows: number }

const SENTENCE = "a longer sentence that fills the prompt quite well "
const KEYS = ["hello ", "<CR>", SENTENCE, "<BS>", "<C-j>", "1", "y", "<Esc>", "/h", "<C-u>"]

const say = fc
  .record({ lines: fc.integer({ min: 1, max: 30 }), width: fc.integer({ min: 1, max: 90 }) })
  .map((lines): Deed => ({ _tag: "Say", ...lines }))

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: fc.nat(1_000).map((choice): Deed => ({ _tag: "Agent", choice })) },
  { weight: 4, arbitrary: say },
  { weight: 2, arbitrary: fc.constantFrom(...KEYS).map((keys): Deed => ({ _tag: "Type", keys })) }
)

const resize = fc.record({ columns: fc.integer({ min: 44, max: 130 }), rows: fc.integer({ min: 16, max: 32 }) })

const histories = fc.record({
  parts: fc.tuple(...[0, 1, 2, 3].map(() => fc.array(deed, { maxLength: 12 }))),
  sizes: fc.tuple(resize, resize, resize)
})

class Play {
  readonly terminal = new InlineTerminal(80, 24)
  private readonly script = this.terminal.world.open(SESSION)
  private readonly agent = new SteppedAgent(this.script)
  private said = 0
  private done = 0

  async do(deed: Deed): Promise<void> {
    const { world } = this.terminal
    if (deed._tag === "Resize") return this.terminal.resize(deed.columns, deed.rows)
    if (deed._tag === "Agent") this.agent.advance(deed.choice)
    if (deed._tag === "Say") await this.say(deed.lines, deed.width)
    if (deed._tag === "Type") world.keys(deed.keys)
    for (; this.done < world.cmds.length; this.done++) {
      const cmd = world.cmds[this.done]
      if (cmd !== undefined && "session" in cmd) this.agent.perform(cmd)
    }
    world.wait(200)
    await this.terminal.draw()
  }

  /** The turn ends well. */
  async finish(): Promise<void> {
    this.script.say(...ending({}))
    this.script.feed({ _tag: "StreamEnded", requestId: this.script.requestId })
    await this.terminal.draw()
  }

  /** Lines that exist once in the world. They come in two pieces, and both are drawn. */
  private async say(lines: number, width: number): Promise<void> {
    for (let step = 0; this.script.phase !== "Streaming" && step < 4; step++) this.agent.advance(1)
    if (this.script.phase !== "Streaming") return
    const index = 10_000 + this.said
    const text = Array.from({ length: lines }, () => `#${this.said++}# ${"Q".repeat(width)}`).join("\n\n")
    const half = Math.floor(text.length / 2)
    const grow = (piece: string): void =>
      this.script.say({ type: "content_block_delta", index, delta: { type: "text_delta", text: piece } })
    this.script.say({ type: "content_block_start", index, content_block: { type: "text", text: "" } })
    grow(text.slice(0, half))
    await this.terminal.draw()
    grow(text.slice(half))
    this.script.say({ type: "content_block_stop", index })
  }
}

/** The marked lines of what is finished, as the sources have them. */
const finishedText = ({ world }: InlineTerminal): string => {
  const session = world.session()
  const end = finishedEnd(session.transcript, isRunning(session))
  return Vector.toArray(session.transcript.entries)
    .slice(0, end)
    .flatMap(({ blocks }) => blocks.map(({ source }) => source))
    .join("\n")
}

const marksIn = (text: string): ReadonlyArray<string> => text.match(/#\d+#/g) ?? []
const fillingIn = (text: string): number => text.match(/Q/g)?.length ?? 0

const FORBIDDEN = new RegExp(String.raw`\u001B\[(?:\d*;?\d*H|[23]J|\?1049|\?100[0236]|[\d;]*r)`)

describe("inline mode", () => {
  it("writes what is finished once and in order, over three resizes and the end", async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(histories, async ({ parts, sizes }) => {
        const play = new Play()
        for (const [at, deeds] of parts.entries()) {
          for (const each of deeds) await play.do(each)
          const size = sizes[at]
          if (size !== undefined) await play.do({ _tag: "Resize", ...size })
        }
        const { terminal } = play
        await terminal.leave()
        // Unfinished rows that the terminal itself pushed away stay where they are, and come once more when finished.
        if (terminal.lost > 0) return
        const expected = finishedText(terminal)
        const seen = terminal.lines().join("\n")
        expect(marksIn(seen)).toEqual(marksIn(expected))
        expect(fillingIn(seen)).toBe(fillingIn(expected))
        expect(terminal.bytes).not.toMatch(FORBIDDEN)
        expect(straysIn(terminal.bytes.replaceAll("\u001B[J", ""))).toEqual([])
        compared += marksIn(expected).length
      }),
      { numRuns: 30 }
    )
    expect(compared).toBeGreaterThan(200)
  })

  it("has a finished conversation once in the scrollback, whatever sizes come", async () => {
    const size = fc.record({ columns: fc.integer({ min: 20, max: 160 }), rows: fc.integer({ min: 8, max: 50 }) })
    const sizes = fc.array(size, { minLength: 3, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 60 }), async (resizes, lines) => {
        const play = new Play()
        await play.do({ _tag: "Say", lines, width: 70 })
        await play.finish()
        for (const size of resizes) await play.do({ _tag: "Resize", ...size })
        await play.terminal.leave()
        expect(marksIn(finishedText(play.terminal))).toHaveLength(lines)
        const seen = play.terminal.lines().join("\n")
        expect(marksIn(seen)).toEqual(marksIn(finishedText(play.terminal)))
        expect(fillingIn(seen)).toBe(lines * 70)
      }),
      { numRuns: 30 }
    )
  })
})
