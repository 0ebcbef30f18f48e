import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clusters } from "../../../../src/tui/screen/cell/width.ts"
import { parseStrokes } from "../../../../src/tui/keymap/stroke.ts"
import { runScript, type ScriptResult } from "../../../support/vim-script.ts"

const pick = (words: string): fc.Arbitrary<string> => fc.constantFrom(...words.split("|"))
const line = fc.array(pick('a|bc| |.|(|)|"|9|\t|日|🙂|é'), { maxLength: 8 }).map((parts) => parts.join(""))
const text = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n"))
const motion = pick("w|b|e|$|0|j|k|l|h|}|%|fa|gg|G|)|iw|a(|ap")
const operator = pick("d|y|gU|>|g~|gu")
const change = fc.oneof(
  fc.tuple(operator, motion).map(([name, target]) => name + target),
  pick("x|dd|J|~|rz|p|P|ix<Esc>|Ay <Esc>|ocd<Esc>|cwz<Esc>|<C-a>|yyp|>>")
)
const moves = fc.array(pick("w|l|j|e|$"), { maxLength: 3 }).map((keys) => keys.join(""))

const run = (source: string, keys: string): ScriptResult => runScript(source, parseStrokes(keys))
const state = ({ lines, cursor, registers }: ScriptResult): unknown => ({ lines, cursor, registers })

const check = (property: fc.IProperty<[string, string, string]>): void => fc.assert(property, { numRuns: 200 })

describe("laws of the engine", () => {
  it("undo and redo bring the text back", () => {
    check(
      fc.property(text, moves, change, (source, before, keys) => {
        const done = run(source, before + keys)
        const steps = done.vim.history.newest + (done.vim.open === undefined ? 0 : 1)
        expect(run(source, before + keys + "u".repeat(steps)).lines).toEqual(run(source, "").lines)
        expect(run(source, before + keys + "u".repeat(steps) + "<C-r>".repeat(steps)).lines).toEqual(done.lines)
      })
    )
  })

  it("a count is the same before and behind an operator", () => {
    check(
      fc.property(text, moves, pick("w|b|e|l|j|}"), (source, before, target) => {
        expect(state(run(source, `${before}3d${target}`))).toEqual(state(run(source, `${before}d3${target}`)))
      })
    )
  })

  it("a command that is given up changes nothing", () => {
    check(
      fc.property(text, moves, pick('d|2d3|"ac|gU|di|dt|r|m|d/x|y2'), (source, before, keys) => {
        expect(state(run(source, `${before}${keys}<Esc>`))).toEqual(state(run(source, before)))
      })
    )
  })

  it("the dot is the keys again", () => {
    check(
      fc.property(text, moves, pick("x|dd|dw|J|~|ix<Esc>|Ay<Esc>|cwz<Esc>|>>|r-"), (source, before, keys) => {
        expect(state(run(source, `${before}${keys}.`))).toEqual(state(run(source, before + keys + keys)))
      })
    )
  })

  it("the caret always stands at the border of a cluster, inside the text", () => {
    check(
      fc.property(text, moves, change, (source, before, keys) => {
        const { lines, cursor } = run(source, before + keys)
        const shown = lines[cursor.line] ?? ""
        const borders = clusters(shown).reduce((all, cluster) => [...all, (all.at(-1) ?? 0) + cluster.length], [0])
        expect(cursor.line).toBeLessThan(lines.length)
        expect(borders.slice(0, Math.max(1, borders.length - 1))).toContain(cursor.column)
      })
    )
  })
})

describe("macros", () => {
  it("that call themselves end", () => {
    expect(run("abc\nd", "qaqqaxj@aq@a").lines).toEqual(["bc", ""])
    expect(run("a", "qaqqarx@aq@a").commands).toContainEqual({
      _tag: "Message",
      text: "E169: Command too recursive"
    })
  })

  it("stop at the first command that fails", () => {
    expect(run("abc", "qafzxq").lines).toEqual(["bc"])
    expect(run("abc", "qafzxqu@a").lines).toEqual(["abc"])
  })
})
