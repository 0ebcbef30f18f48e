import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  changedShada,
  decodeMarks,
  decodeShada,
  MOST_REGISTER_CHARS,
  marksText,
  type StoredMark,
  type StoredPlace
} from "../../../src/tui/model/registers-file.ts"
import { decodeMacro, encodeMacro } from "../../../src/tui/editor/vim/engine/macro.ts"
import type { RegisterText } from "../../../src/tui/editor/vim/state/register.ts"

const special = fc.constantFrom("\u001b", "\u0080kl", "\u0000", "é漢")
const unit = fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), special)
const line = unit.map((text) => text.replaceAll("\n", ""))
const register: fc.Arbitrary<RegisterText> = fc.record(
  {
    type: fc.constantFrom("char", "line", "block"),
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    width: fc.nat(200)
  },
  { requiredKeys: ["type", "lines"] }
)
const place: fc.Arbitrary<StoredPlace> = fc.record({ entry: fc.string(), block: fc.string(), offset: fc.nat() })
const mark: fc.Arbitrary<StoredMark> = fc.record({ session: fc.uuid(), place })
const small = fc.constantFrom("a", "b", "c", "x", "y", "z")
const capital = fc.constantFrom("A", "B", "C", "X", "Y", "Z")
const mapOf = <A>(letter: fc.Arbitrary<string>, value: fc.Arbitrary<A>): fc.Arbitrary<Map<string, A>> =>
  fc.array(fc.tuple(letter, value), { maxLength: 6 }).map((entries) => new Map(entries))
const change = fc.record({
  registers: mapOf(small, fc.option(register, { nil: undefined })),
  marks: mapOf(capital, fc.option(mark, { nil: undefined }))
})

const defined = <A>(map: ReadonlyMap<string, A | undefined>): ReadonlyMap<string, A> =>
  new Map([...map].flatMap(([letter, value]) => (value === undefined ? [] : [[letter, value] as const])))

describe("the file of registers and marks", () => {
  it("gives back what was written", () => {
    fc.assert(
      fc.property(change, (first) => {
        const { value, problems } = decodeShada(changedShada(undefined, first))
        expect(problems).toEqual([])
        expect(value).toEqual({ registers: defined(first.registers), marks: defined(first.marks) })
      })
    )
  })

  it("keeps what another process wrote under other letters", () => {
    fc.assert(
      fc.property(change, change, (theirs, ours) => {
        const { value } = decodeShada(changedShada(changedShada(undefined, theirs), ours))
        expect(value.registers).toEqual(defined(new Map([...theirs.registers, ...ours.registers])))
        expect(value.marks).toEqual(defined(new Map([...theirs.marks, ...ours.marks])))
      })
    )
  })

  it("keeps fields and entries that it does not know", () => {
    const text = JSON.stringify({ later: { x: 1 }, registers: { é: 1, a: { type: "char", lines: ["old"] } } })
    const ours = { registers: new Map([["b", { type: "char" as const, lines: ["new"] }]]), marks: new Map() }
    expect(JSON.parse(changedShada(text, ours))).toMatchObject({
      later: { x: 1 },
      registers: { é: 1, a: { lines: ["old"] }, b: { lines: ["new"] } }
    })
  })

  it("leaves out what is wrong and names it", () => {
    const good = { type: "line", lines: ["kept"] }
    const registers = {
      a: good,
      b: { type: "oval", lines: ["x"] },
      c: { type: "char", lines: ["two\nlines"] },
      d: { type: "char", lines: [] },
      e: { type: "char", lines: ["x".repeat(MOST_REGISTER_CHARS)] },
      ab: good
    }
    const marks = { A: { session: "../../etc", place: { entry: "e", block: "b", offset: 0 } }, B: 3 }
    const { value, problems } = decodeShada(JSON.stringify({ registers, marks }))
    expect(value).toEqual({ registers: new Map([["a", good]]), marks: new Map() })
    expect(problems).toEqual([
      "registers.b",
      "registers.c",
      "registers.d",
      "registers.e",
      "registers.ab",
      "marks.A",
      "marks.B"
    ])
  })

  it("reads any text without failing", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(decodeShada(text).problems.length).toBeGreaterThanOrEqual(0)
        expect(decodeMarks(text).problems.length).toBeGreaterThanOrEqual(0)
      })
    )
    expect(decodeShada("no json").problems).toEqual(["the whole file"])
    expect(decodeShada("[]").problems).toEqual(["the whole file"])
  })

  it("does not keep a register that is too long, nor the one that it replaced", () => {
    const old: RegisterText = { type: "char", lines: ["old"] }
    const text = changedShada(undefined, { registers: new Map([["a", old]]), marks: new Map() })
    const long: RegisterText = { type: "char", lines: ["x".repeat(MOST_REGISTER_CHARS)] }
    const { value } = decodeShada(changedShada(text, { registers: new Map([["a", long]]), marks: new Map() }))
    expect(value.registers.size).toBe(0)
  })
})

describe("the marks of a session", () => {
  it("come back as they were", () => {
    fc.assert(
      fc.property(mapOf(small, place), (marks) => {
        expect(decodeMarks(marksText(marks))).toEqual({ value: marks, problems: [] })
      })
    )
  })
})

describe("a macro in a register", () => {
  it("holds no line with a line break, and plays the same strokes", () => {
    const keys = ["<Esc>", "<C-j>", "<CR>", "<Left>", "<C-a>", "<Tab>", "<S-CR>"]
    const stroke = fc.constantFrom("a", "é", "漢", " ", ...keys)
    fc.assert(
      fc.property(fc.array(stroke, { minLength: 1 }), (strokes) => {
        const text = encodeMacro(strokes)
        expect(text.lines.join("")).not.toContain("\n")
        expect(decodeMacro(text)).toEqual(strokes)
      })
    )
  })
})
