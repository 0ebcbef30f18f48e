import * as fc from "fast-check"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { changeNotebook, type CellChange } from "../../../../src/core/tools/files/notebook-change.ts"
import { cellBlocks, parseNotebook, viewCells } from "../../../../src/core/tools/files/notebook.ts"

const notebook = {
  cells: [
    { cell_type: "markdown", id: "intro", metadata: {}, source: ["# Title\n", "text"] },
    {
      cell_type: "code",
      execution_count: 3,
      id: "calc",
      metadata: { timing: 1.0 },
      outputs: [
        { output_type: "stream", name: "stdout", text: ["4\n"] },
        { output_type: "display_data", data: { "image/png": "QUJD\n", "text/plain": "<fig>" }, metadata: {} },
        { output_type: "error", ename: "E", evalue: "v", traceback: ["\u001b[31mboom\u001b[0m"] }
      ],
      source: "2 + 2"
    }
  ],
  metadata: { language_info: { name: "julia" } },
  nbformat: 4,
  nbformat_minor: 5
}

const layouts = {
  one: JSON.stringify(notebook, null, 1),
  four: JSON.stringify(notebook, null, 4),
  none: JSON.stringify(notebook)
}

const changed = (text: string, change: Partial<CellChange>): string => {
  const result = changeNotebook(text, { mode: "replace", source: "new", newId: "fresh", ...change })
  return Result.isSuccess(result) ? result.success.text : result.failure
}

type Cells = { readonly cells: ReadonlyArray<Record<string, unknown>> }
const cellsOf = (text: string): ReadonlyArray<Record<string, unknown>> => (JSON.parse(text) as Cells).cells

describe("cells of any notebook", () => {
  it("are taken out alone, whatever stands beside them", () => {
    const json = fc.jsonValue().filter((value) => value !== undefined)
    fc.assert(
      fc.property(fc.array(json, { minLength: 1, maxLength: 4 }), json, fc.nat(3), (values, other, nth) => {
        const cells = values.map((metadata) => ({ cell_type: "code", source: "", metadata }))
        const index = nth % cells.length
        for (const indent of [undefined, 1, 3]) {
          const text = JSON.stringify({ 'o"ther': other, cells, last: other }, null, indent)
          const rest = { 'o"ther': other, cells: cells.filter((_, each) => each !== index), last: other }
          expect(changed(text, { mode: "delete", cellId: `cell-${index}` })).toBe(JSON.stringify(rest, null, indent))
        }
      }),
      { numRuns: 300 }
    )
  })
})

describe("changing a cell", () => {
  it.each(Object.entries(layouts))("touches nothing else (indentation: %s)", (_, text) => {
    const replaced = changed(text, { cellId: "intro", source: "a\nb\n" })
    const after = text.slice(text.indexOf('"calc"'))
    expect(replaced.endsWith(after)).toBe(true)
    expect(cellsOf(replaced)[0]).toEqual({ cell_type: "markdown", id: "intro", metadata: {}, source: ["a\n", "b\n"] })
    const indent = text === layouts.none ? undefined : text === layouts.four ? 4 : 1
    expect(replaced).toBe(JSON.stringify(JSON.parse(replaced), null, indent))
  })

  it("keeps numbers of other cells as they were written", () => {
    const text = layouts.one.replace('"timing": 1', '"timing": 1.0')
    expect(changed(text, { cellId: "intro" })).toContain('"timing": 1.0')
  })

  it("empties the outputs of a replaced code cell and keeps the form of its source", () => {
    const emptied = { source: "new", execution_count: null, outputs: [] }
    expect(cellsOf(changed(layouts.one, { cellId: "cell-1" }))[1]).toMatchObject(emptied)
    const turned = cellsOf(changed(layouts.one, { cellId: "calc", cellType: "markdown" }))[1]
    expect(turned).toMatchObject({ cell_type: "markdown", source: "new" })
    expect(Object.keys(turned ?? {})).not.toContain("outputs")
  })

  it.each(Object.entries(layouts))("inserts and deletes cleanly (indentation: %s)", (_, text) => {
    const types = (value: string): ReadonlyArray<unknown> => cellsOf(value).map((cell) => cell["id"])
    const first = changed(text, { mode: "insert", cellType: "code" })
    expect(types(first)).toEqual(["fresh", "intro", "calc"])
    const last = changed(text, { mode: "insert", cellType: "markdown", cellId: "calc" })
    expect(types(last)).toEqual(["intro", "calc", "fresh"])
    const indent = text === layouts.none ? undefined : text === layouts.four ? 4 : 1
    expect(first).toBe(JSON.stringify(JSON.parse(first), null, indent))
    const without = changed(changed(text, { mode: "delete", cellId: "intro" }), { mode: "delete", cellId: "calc" })
    expect(types(without)).toEqual([])
    const again = changed(without, { mode: "insert", cellType: "code" })
    expect(types(again)).toEqual(["fresh"])
    expect(again).toBe(JSON.stringify(JSON.parse(again), null, indent))
    expect(changed(first, { mode: "delete", cellId: "fresh" })).toBe(text)
  })

  it("gives no ids to notebooks of older formats", () => {
    const old = JSON.stringify({ ...notebook, nbformat_minor: 4 })
    expect(Object.keys(cellsOf(changed(old, { mode: "insert", cellType: "code" }))[0] ?? {})).not.toContain("id")
  })

  it("refuses unknown cells, missing arguments and other files", () => {
    expect(changed(layouts.one, { cellId: "nope" })).toMatch(/^CellNotFound: .*intro, calc/)
    expect(changed(layouts.one, { cellId: "cell-2" })).toMatch(/^CellNotFound/)
    expect(changed(layouts.one, { mode: "delete" })).toMatch(/^InvalidInput/)
    expect(changed(layouts.one, { mode: "insert" })).toMatch(/^InvalidInput/)
    expect(changed("{}", { cellId: "x" })).toMatch(/^InvalidNotebook/)
    expect(changed("not json", { cellId: "x" })).toMatch(/^InvalidNotebook/)
  })
})

describe("showing a notebook", () => {
  it("gives cells with ids, texts, cleaned errors and pictures in order", () => {
    const parsed = parseNotebook(layouts.one)
    if (Result.isFailure(parsed)) throw new Error(parsed.failure)
    const cells = viewCells(parsed.success)
    expect(cells[1]).toMatchObject({ cellType: "code", cell_id: "calc", language: "julia", execution_count: 3 })
    const blocks = cellBlocks(cells)
    expect(blocks.map((block) => block.type)).toEqual(["text", "image", "text"])
    const intro = '<cell id="intro" type="markdown">\n# Title\ntext\n</cell>'
    expect(blocks[0]).toMatchObject({ text: expect.stringContaining(intro) as string })
    expect(blocks[1]).toMatchObject({ source: { media_type: "image/png", data: "QUJD" } })
    expect(blocks[2]).toMatchObject({ text: '<output of="calc">\nboom\n</output>' })
  })

  it("cuts long outputs", () => {
    const cells = [{ cell_type: "code", source: "", outputs: [{ output_type: "stream", text: "x".repeat(20_000) }] }]
    const parsed = parseNotebook(JSON.stringify({ cells }))
    if (Result.isFailure(parsed)) throw new Error(parsed.failure)
    expect(viewCells(parsed.success)[0]?.outputs?.[0]?.text).toMatch(/^x{10000}\n\.\.\. \[10000 more characters\]$/)
  })
})
