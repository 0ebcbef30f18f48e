import { describe, expect, it } from "vitest"
import { exitSummary } from "../../../../src/shell/interactive/start/exit-summary.ts"
import { SESSION, TuiWorld } from "../../../support/tui-world.ts"

const after = (...answers: ReadonlyArray<string>) => {
  const world = new TuiWorld()
  const script = world.open(SESSION)
  for (const text of answers) {
    script.begin("go on")
    script.respond({ text })
  }
  return world.session()
}

describe("what stays after leaving", () => {
  it("is the last answer, safe to print and not without end", () => {
    expect(exitSummary(after("first", "second\u001b[2J\nline"), "last")).toEqual([
      expect.stringMatching(/^second.+\[2J$/) as string,
      "line",
      ""
    ])
    const long = exitSummary(after(Array.from({ length: 200 }, (_, at) => `line ${at}`).join("\n")), "last")
    expect(long).toHaveLength(62)
    expect(long.at(-2)).toBe("… 140 more lines")
  })

  it("is everything, or nothing", () => {
    expect(exitSummary(after("first", "second"), "all").join("\n")).toMatch(/> go on[\s\S]*first[\s\S]*second/)
    expect(exitSummary(after("first"), "none")).toEqual([])
    expect(exitSummary(after(), "last")).toEqual([])
    expect(exitSummary(undefined, "all")).toEqual([])
  })
})
