import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Block, Entry, Part } from "../../../../src/tui/transcript/block.ts"
import type { ListOutcome, TranscriptList } from "../../../../src/tui/transcript/list/state/transcript-list.ts"
import { dragTo, hitTest, pressAt, selectedUnit } from "../../../../src/tui/transcript/list/mouse.ts"
import { selectedText, selectionCells } from "../../../../src/tui/transcript/list/commands/selection.ts"
import { listChanged, listExtended, listRedrawn } from "../../../../src/tui/transcript/list/update.ts"
import { visibleRows } from "../../../../src/tui/transcript/list/view/viewport.ts"
import { layoutBlock } from "../../../../src/tui/transcript/blocks/block-layout.ts"
import { partsOf } from "../../../../src/tui/transcript/rows/parts.ts"
import * as Vector from "../../../../src/tui/transcript/vector.ts"
import { calls, contextOf, listOf, press, says, textBlock, user } from "./fixture.ts"

const context = contextOf(40, 20)
const real = contextOf(40, 20, { layout: layoutBlock, parts: partsOf })

const yanked = ({ outcome }: { readonly outcome: ListOutcome | undefined }): string | undefined =>
  outcome?._tag === "Yanked" ? outcome.text : undefined

const TABLE = "| a | b |\n|---|---|\n| a very long cell that wraps | 2 |"
const ANSWER = `Look:\n\n${TABLE}\n\n\`\`\`ts\nconst x = 1\n\`\`\`\n\n- one\n- two\n`
const call: ReadonlyArray<Part> = [
  { name: "call", start: 0, end: 6 },
  { name: "result", start: 7, end: 14 }
]
const ENTRIES: ReadonlyArray<Entry> = [
  user("u1", "please (do it) now"),
  says("a1", ANSWER),
  calls("c1", "ls src\nmain.ts", { parts: call }),
  user("u2", "thanks")
]
const start = press(listOf(ENTRIES, real), "gg", real)
const yank = (script: string, from: TranscriptList = start): string | undefined => yanked(press(from, script, real))

const find = (list: TranscriptList, entry: string, text: string): TranscriptList => {
  const at = Vector.toArray(list.entries.source).findIndex(({ id }) => id === entry)
  const block = Vector.get(list.entries.source, at)?.blocks[0]
  return { ...list, cursor: { key: at, entry, block: block?.id ?? "", offset: block?.source.indexOf(text) ?? 0 } }
}

describe("yank", () => {
  it("takes motions, lines and objects as source text", () => {
    expect(yank("y w")).toBe("please ")
    expect(yank("y $")).toBe("please (do it) now")
    expect(yank("y y")).toBe("please (do it) now")
    expect(yank("Y")).toBe("please (do it) now")
    expect(yank("w y i(", find(start, "u1", "do"))).toBe("do it")
    expect(yank("y i(", find(start, "u1", "do"))).toBe("do it")
    expect(yank("y iw")).toBe("please")
    expect(yank("gy y")).toBe("> please (do it) now")
    expect(yank("2y 2w")).toBe("please (do it")
    expect(press(start, "y ]k", real).operator).toBeUndefined()
  })

  it("takes messages, turns, calls and the parts of Markdown", () => {
    expect(yank("y im", find(start, "a1", "cell"))).toBe(ANSWER)
    expect(yank("y io", find(start, "a1", "cell"))?.trimEnd()).toBe(
      "| a | b |\n|---|---|\n| a very long cell that wraps | 2 |"
    )
    expect(yank("y ic", find(start, "a1", "const"))?.trimEnd()).toBe("const x = 1")
    expect(yank("y ac", find(start, "a1", "const"))?.trimEnd()).toBe("```ts\nconst x = 1\n```")
    expect(yank("y at", find(start, "c1", "src"))).toBe("ls src\nmain.ts")
    expect(yank("y it", find(start, "c1", "src"))).toBe("main.ts")
    expect(yank("y iu", find(start, "c1", "src"))).toBe(`please (do it) now\n\n${ANSWER}\nls src\nmain.ts`)
    expect(yank("y ic", find(start, "u2", "thanks"))).toBeUndefined()
  })

  it("takes visual selections by character, line and rectangle", () => {
    expect(yank("v e y")).toBe("please")
    expect(yank("v e o y")).toBe("please")
    expect(yank("V y")).toBe("please (do it) now")
    const lines = press(listOf([says("a", "abcd\nefgh\nijkl")], context), "gg l", context)
    expect(yanked(press(lines, "<C-v> j l y", context))).toBe("bc\nfg")
    expect(yanked(press(lines, "v j y gv y", context))).toBe("bcd\nef")
    expect(yanked(press(lines, "v iw y", context))).toBe("abcd")
  })

  it("gives the source of a whole block at every width and fold", () => {
    const units = ["a", "b c", "\n", "\n\n", "```", "| x |", "- ", "é", "漢", "\t", "👩‍👩‍👧"]
    const sources = fc.string({ unit: fc.constantFrom(...units), maxLength: 40 })
    const kinds = fc.constantFrom(
      (source: string) => user("x", source),
      (source: string) => says("x", source),
      (source: string) => calls("x", source)
    )
    const widths = fc.integer({ min: 4, max: 100 })
    const levels = fc.constantFrom("zR", "zM", "zr", "zm")
    fc.assert(
      fc.property(sources, kinds, widths, levels, (source, make, width, level) => {
        const own = contextOf(width, 12, { layout: layoutBlock, parts: partsOf })
        const list = press(listOf([user("before", "before"), make(source), user("after", "after")], own), level, own)
        const at = { key: 1, entry: "x", block: "x.0", offset: 0 }
        const selection = { shape: "line", anchor: at, head: { ...at, offset: source.length }, by: "keys" } as const
        expect(selectedText(list, selection, own)).toBe(source)
        expect(yanked(press({ ...list, cursor: { ...at, offset: source.length } }, "y im", own))).toBe(source)
      }),
      { numRuns: 150 }
    )
  })
})

describe("selection", () => {
  const long = says("a", Array.from({ length: 30 }, (_, line) => `line ${line} of some text`).join("\n"))
  const list = press(listOf([user("u", "first"), long], context), "gg", context)

  it("stays on its text through scrolling, streaming and resizing", () => {
    const selected = press(list, "j v 2j", context)
    const text = selected.selection === undefined ? "" : selectedText(selected, selected.selection, context)
    const source = Vector.push(selected.entries.source, user("later", "later"))
    const narrow = contextOf(9, 20)
    const after = listRedrawn(listChanged(press(selected, "5<C-e>", context), source, context), narrow)
    expect(text).toBe("line 0 of some text\nline 1 of some text\nl")
    expect(after.selection === undefined ? "" : selectedText(after, after.selection, narrow)).toBe(text)
  })

  it("marks the cells that show it", () => {
    const selected = press(list, "j 5l v 2l", context)
    const cells = visibleRows(selected, context).map((row) => selectionCells(selected, row, context))
    expect(cells.flat()).toEqual([{ from: 5, to: 8 }])
  })

  it("grows by motions without the cursor", () => {
    const word = selectedUnit(list, { x: 0, y: 3 }, { grain: "word", context })
    const grown = listExtended(
      listExtended(word, { name: "transcript:word" }, context),
      { name: "transcript:lineEnd" },
      context
    )
    const text = grown.selection === undefined ? "" : selectedText(grown, grown.selection, context)
    expect(text).toBe("line 0 of some text")
    expect(grown.cursor).toEqual(list.cursor)
  })
})

describe("the mouse", () => {
  const path: Block = textBlock("a.0", "see src/tui/app.ts:12, or https://x.org/a?b. Done")
  const list = press(
    listOf([{ id: "a", kind: "assistant", blocks: [path] }, calls("c", "1\n2\n3\n4\n5\n6")], context),
    "gg",
    context
  )
  const selectedAt = (x: number, y: number, grain: "word" | "line"): string => {
    const next = selectedUnit(list, { x, y }, { grain, context })
    return next.selection === undefined ? "" : selectedText(next, next.selection, context)
  }

  it("finds the text under a cell", () => {
    const rows = visibleRows(list, context)
    expect(hitTest(rows, { x: 4, y: 1 })?.place).toMatchObject({ entry: "a", offset: 4 })
    expect(hitTest(rows, { x: 4, y: 2 })?.place).toMatchObject({ entry: "a", offset: 44 })
    expect(hitTest(rows, { x: 39, y: 2 })?.place).toMatchObject({ entry: "a", offset: path.source.length - 1 })
    expect(hitTest(rows, { x: 0, y: 19 })).toBeUndefined()
  })

  it("selects paths and links as one, words, and logical lines", () => {
    expect(selectedAt(10, 1, "word")).toBe("src/tui/app.ts:12")
    expect(selectedAt(36, 1, "word")).toBe("https://x.org/a?b")
    expect(selectedAt(1, 1, "word")).toBe("see")
    expect(selectedAt(3, 1, "line")).toBe(path.source)
  })

  it("drags over rows and toggles folds with a click", () => {
    const drag = dragTo(list, { from: { x: 0, y: 1 }, to: { x: 2, y: 1 }, grain: "char", block: false }, context)
    expect(drag.selection === undefined ? "" : selectedText(drag, drag.selection, context)).toBe("see")
    const fold = visibleRows(list, context).find(({ row }) => row.spans[0]?.text.startsWith("…"))
    const open = pressAt(list, { x: 3, y: fold?.y ?? 0 }, context)
    expect(visibleRows(open, context).length).toBeGreaterThan(visibleRows(list, context).length)
  })
})
