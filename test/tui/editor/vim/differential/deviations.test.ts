import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { DEVIATIONS, WORD_NAMES } from "./deviations.ts"
import { scriptFrom } from "./grammar.ts"
import { keysOf } from "./script.ts"

const DOCUMENT = readFileSync(new URL("../../../../../docs/VIM.md", import.meta.url), "utf8")

const documented = (): ReadonlyArray<string> =>
  DOCUMENT.slice(DOCUMENT.indexOf("| name | reason |"))
    .split("\n")
    .slice(2)
    .filter((line) => line !== "")

describe("accepted deviations", () => {
  it("are the ones that docs/VIM.md lists, with the same reasons", () => {
    const rows = DEVIATIONS.map(({ name, reason }) => `| \`${name}\` | ${reason.replaceAll("|", "\\|")} |`)
    expect(documented()).toEqual(rows)
  })

  it("exclude only words that the grammar has", () => {
    expect(DEVIATIONS.flatMap(({ excludes }) => excludes).filter((name) => !WORD_NAMES.has(name))).toEqual([])
  })
})

describe("the grammar", () => {
  it("gives the same script for the same seed", () => {
    expect(scriptFrom(42)).toEqual(scriptFrom(42))
    expect(new Set(Array.from({ length: 200 }, (_, seed) => keysOf(scriptFrom(seed)))).size).toBeGreaterThan(190)
  })
})
