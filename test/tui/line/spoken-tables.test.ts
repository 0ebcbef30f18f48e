import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { NO_TABLE, restOfTables, readTablesAloud, withSpokenTables } from "../../../src/tui/line/spoken-tables.ts"

const inPieces = (text: string, sizes: ReadonlyArray<number>): string => {
  let reading = NO_TABLE
  let told = ""
  for (let at = 0, index = 0; at < text.length; index++) {
    const size = sizes[index % sizes.length] ?? 1
    const [more, next] = readTablesAloud(reading, text.slice(at, at + size))
    told += more
    reading = next
    at += size
  }
  return told + restOfTables(reading)
}

const TABLE = "| Name | Age |\n|------|----:|\n| Ann | 3 |\n| Bob \\| Co | |\n"

describe("tables for the ear", () => {
  it.each([
    ["a table", `Here:\n\n${TABLE}\nDone.`, "Here:\n\nName: Ann\nAge: 3\n\nName: Bob | Co\n\nDone."],
    ["one without a row", "| A |\n|---|\nnext", "next"],
    ["one that ends the text", "| A | B |\n|---|---|\n| 1 | 2 |", "A: 1\nB: 2"],
    ["more cells than names", "| A |\n|---|\n| 1 | 2 |\n", "A: 1\n2\n"],
    ["two tables", `${TABLE}\n| X |\n|:-:|\n| y |`, "Name: Ann\nAge: 3\n\nName: Bob | Co\n\nX: y"],
    ["bars that are not a table", "| a | b\nplain\n|| c", "| a | b\nplain\n|| c"],
    ["a head with other columns than dashes", "| a | b |\n|---|\ntext", "| a | b |\n|---|\ntext"],
    ["a table in code", "```\n| A |\n|---|\n| 1 |\n```\n| B |\n|---|\n| 2 |", "```\n| A |\n|---|\n| 1 |\n```\nB: 2"],
    ["blanks before rows", "  | A |\n  |---|\n  | 1 |\n", "A: 1\n"]
  ])("%s", (_, text, expected) => {
    expect(withSpokenTables(text)).toBe(expected)
  })

  it("come out the same however the text arrives, and other text stays as it is", () => {
    const line = fc.constantFrom("| a | b |", "|---|---|", "| 1 | 2 |", "text", "", "```", "- item", "  ", "|", "a | b")
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (lines, sizes) => {
          const text = lines.join("\n")
          expect(inPieces(text, sizes)).toBe(withSpokenTables(text))
          if (!lines.includes("|---|---|") && !lines.includes("|")) expect(withSpokenTables(text)).toBe(text)
        }
      )
    )
  })

  it("do not hold back words that belong to none", () => {
    const [told] = readTablesAloud(NO_TABLE, "Hello")
    expect(told).toBe("Hello")
  })
})
