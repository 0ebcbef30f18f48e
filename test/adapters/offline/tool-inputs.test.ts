import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { anyTool, type AnyTool } from "../../../src/core/tools/contract/any-tool.ts"
import { bashTool } from "../../../src/core/tools/bash/bash.ts"
import { editTool } from "../../../src/core/tools/files/edit.ts"
import { globTool } from "../../../src/core/tools/search/glob.ts"
import { grepTool } from "../../../src/core/tools/search/grep.ts"
import { readTool } from "../../../src/core/tools/files/read.ts"
import { writeTool } from "../../../src/core/tools/files/write.ts"
import { converse } from "./world.ts"

const REAL: ReadonlyMap<string, AnyTool> = new Map(
  [
    anyTool(bashTool({ backgroundTasks: true })),
    anyTool(editTool),
    anyTool(globTool),
    anyTool(grepTool),
    anyTool(readTool),
    anyTool(writeTool)
  ].map((tool) => [tool.name, tool])
)

describe("calls fit the tools' own schemas", () => {
  it.each([
    "tour",
    "read README.md lines 3-9",
    "list files **/*.ts in src",
    "search for TODO in src",
    "grep `x` in *.ts",
    "run `npm start` in the background",
    "write hello.txt with Hello!",
    "replace all `a` with `b` in hello.txt",
    "remember that tests run with npm test"
  ])("%s", (prompt) => {
    const { calls } = converse(prompt)
    const checked = calls.flatMap(({ name, input }) => REAL.get(name)?.read(input) ?? [])
    expect(checked.length).toBeGreaterThan(0)
    expect(checked.filter(Result.isFailure)).toEqual([])
  })
})
