import { describe, expect, it } from "vitest"
import { parseStrokes, type Stroke } from "../../../../../src/tui/keymap/stroke.ts"
import { runScript, type ScriptResult } from "../../../../support/vim-script.ts"
import { scriptFrom } from "./grammar.ts"
import { keysOf, type Script, strokesOf } from "./script.ts"

/** Laws of the engine that hold for every script of the grammar; vim is not asked (07 invariants 13 and 14). */
const SCRIPTS: ReadonlyArray<Script> = Array.from({ length: 300 }, (_, index) => scriptFrom(900_000 + index))

const run = (script: Script, more: string): ScriptResult =>
  runScript(script.lines.join("\n"), [...strokesOf(script), ...parseStrokes(more)])

/** The keys that bring the caret to where a script begins. */
const startOf = (script: Script): ReadonlyArray<Stroke> => strokesOf({ ...script, commands: script.commands.slice(0, 1) })

const play = (script: Script, keys: string): ScriptResult =>
  runScript(script.lines.join("\n"), [...startOf(script), ...parseStrokes(keys)])

const seen = ({ lines, cursor, registers }: ScriptResult): unknown => ({ lines, cursor, registers })

describe("undo", () => {
  it("gives back the text before any script, and redo the text after it", () => {
    for (const script of SCRIPTS.filter((each) => !/g[-+]|u|<C-r>/.test(keysOf(each)))) {
      const back = `<Esc><Esc>${"u".repeat(60)}`
      expect(run(script, back).lines, keysOf(script)).toEqual(script.lines)
      const again = run(script, `${back}${"<C-r>".repeat(60)}`)
      expect(again.lines, keysOf(script)).toEqual(run(script, "<Esc><Esc>").lines)
    }
  })
})

describe("what is half typed", () => {
  it.each(["d", "2d", '"ad3', "g", "gU2", "c2i", '"', "3", "df", "z", "[", "q", "@", "m", "'", "di", 'y"'])(
    "%s changes nothing when Escape follows",
    (keys) => {
      for (const script of SCRIPTS.slice(0, 40)) {
        expect(seen(play(script, `${keys}<Esc>`)), JSON.stringify(script.lines)).toEqual(seen(play(script, "")))
      }
    }
  )
})

describe("counts", () => {
  it.each(["w", "b", "e", "l", "h", "j", "k", "W", "E", "B", "}", "{", "fo"])("3d%s is d3%s and multiply", (motion) => {
    for (const script of SCRIPTS.slice(0, 60)) {
      expect(seen(play(script, `3d${motion}`))).toEqual(seen(play(script, `d3${motion}`)))
      expect(seen(play(script, `2d2${motion}`))).toEqual(seen(play(script, `d4${motion}`)))
    }
  })
})

const CHANGES = "x dw dd ccab<Esc> iab<Esc> aab<Esc> oab<Esc> rx J ~ >> guiw Aab<Esc> D ciwab<Esc> Rab<Esc> <C-a>"

describe("repeat", () => {
  it.each(CHANGES.split(" "))("%s . is the same as typing it twice", (change) => {
    for (const script of SCRIPTS.slice(0, 60)) {
      const { lines, cursor } = play(script, `${change}.`)
      const twice = play(script, change + change)
      expect({ lines, cursor }, JSON.stringify(script.lines)).toEqual({ lines: twice.lines, cursor: twice.cursor })
    }
  })
})
