import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../support/temp-world.ts"
import { hasTmux, TmuxPane } from "../../support/tui-tmux.ts"

/** A change of sixty lines is asked about in tmux: what explains it stays readable, and looking around answers nothing. */

const SIZES = [
  [200, 60],
  [120, 40],
  [80, 24],
  [40, 12]
] as const

const SENTENCE = "I map umlauts before the filter."
const BEFORE = Array.from({ length: 80 }, (_, line) => `const value${line} = compute(${line})\n`).join("")
const LINES = BEFORE.split("\n").slice(10, 40)

const INTO = LINES.map((line) => line.replace("compute(", "map(umlauts, ")).join("\n")
const EDIT = { file_path: "slug.ts", old_string: LINES.join("\n"), new_string: INTO }

const SCRIPT = JSON.stringify([
  { text: "I read it first.", tools: [{ name: "Read", input: { file_path: "slug.ts" } }] },
  { text: SENTENCE, tools: [{ name: "Edit", input: EDIT }] },
  { text: "All thirty values go through the table." }
])

const words = (pane: TmuxPane): string => pane.rows().join(" ").replaceAll(/\s+/g, " ")

describe.skipIf(!hasTmux)("a docked question in tmux", { concurrent: true }, () => {
  for (const [columns, rows] of SIZES) {
    it(`explains itself, is read in full and answered at ${columns}x${rows}`, async () => {
      const scripted = join(freshDirectory(), "script.json")
      writeFileSync(scripted, SCRIPT)
      const env = [`NACRE_OFFLINE_SCRIPT=${scripted}`, "NACRE_OFFLINE_DELAY_MS=0"]
      const pane = await TmuxPane.ready(columns, rows, { env })
      const { cwd } = pane.place
      writeFileSync(join(cwd, "slug.ts"), BEFORE)
      pane.enter("map them")
      await pane.shows(/┌ Edit slug\.ts[\s\S]*1 Yes[\s\S]*2 Yes, allow all edits[\s\S]*3 No/)
      await pane.takesAnswers()
      expect(words(pane)).toContain(SENTENCE)
      pane.press("C-Home")
      await pane.shows(/▌ map them[\s\S]*┌ Edit/)
      pane.press("C-End")
      pane.press("d")
      await pane.shows("▾ Edit slug.ts")
      pane.enter("/map(umlauts, 39)")
      await pane.shows("+const value39 = map(umlauts, 39)")
      pane.press("Escape")
      await pane.shows("┌ Edit slug.ts")
      await pane.takesAnswers()
      expect(readFileSync(join(cwd, "slug.ts"), "utf8")).toBe(BEFORE)
      pane.press("1")
      await pane.shows(/All thirty values go/)
      expect(readFileSync(join(cwd, "slug.ts"), "utf8")).toContain("map(umlauts, 39)")
    })
  }
})
