import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { environmentTables } from "../../../scripts/environment-document.ts"
import { settingsTables } from "../../../scripts/settings-document.ts"
import type { KeyRule } from "../../../src/core/settings/keys/key-rule.ts"
import { KEYS } from "../../../src/core/settings/keys/keys.ts"
import { VARIABLES } from "../../../src/core/settings/variables.ts"

/** What stands above this line is written by hand, what stands below is made from the tables; `-u` makes it again. */
const LINE = "<!-- Made from the tables of the program: npx vitest run test/core/settings/documents.test.ts -u -->\n\n"

const handWritten = (path: string): string => {
  const [above, ...below] = readFileSync(path, "utf8").split(LINE)
  if (above === undefined || below.length !== 1) throw new Error(`${path} does not have the line where the tables begin`)
  return above
}

describe("what is made from tables", () => {
  it.each([
    ["SETTINGS.md", settingsTables],
    ["ENVIRONMENT.md", environmentTables]
  ])("docs/%s says what the tables say", async (name, tables) => {
    const path = join(import.meta.dirname, "../../../docs", name)
    await expect(`${handWritten(path)}${LINE}${tables()}`).toMatchFileSnapshot(path)
  })

  it("has every key and every variable once", () => {
    const rows = (text: string): ReadonlyArray<string> => [...text.matchAll(/^\| `([^`]+)`/gm)].map(([, name = ""]) => name)
    const used = Object.entries<KeyRule<unknown>>(KEYS).filter(([, { unused }]) => unused !== true)
    expect(rows(settingsTables()).toSorted()).toEqual(used.map(([key]) => key).toSorted())
    expect(rows(environmentTables()).toSorted()).toEqual(
      VARIABLES.flatMap(({ name, unused }) => (unused === true ? [] : [name])).toSorted()
    )
  })

  it("has a word on everything that does something", () => {
    expect(VARIABLES.filter(({ help, unused }) => unused !== true && help === "").map(({ name }) => name)).toEqual([])
  })
})
