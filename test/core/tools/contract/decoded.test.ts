import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { anyTool } from "../../../../src/core/tools/contract/any-tool.ts"
import { Decoded } from "../../../../src/core/tools/contract/decoded.ts"
import { structuredOutputTool } from "../../../../src/core/tools/conversation/structured-output.ts"
import { editTool } from "../../../../src/core/tools/files/edit.ts"
import { readTool } from "../../../../src/core/tools/files/read.ts"

const INPUT = { file_path: "/project/a.txt" }

describe("a decoded input", () => {
  const decoded = Decoded.by(readTool, INPUT)

  it("belongs to the tool that decoded it", () => {
    expect([decoded.isOf(readTool), decoded.isOf(editTool)]).toEqual([true, false])
  })

  it("reads as its plain value wherever it becomes text", () => {
    expect(JSON.stringify({ input: decoded })).toBe(JSON.stringify({ input: INPUT }))
  })

  it("could touch anything as far as another tool knows", () => {
    expect(anyTool(readTool).needs(decoded, "/")).toEqual([{ kind: "read", path: "/project/a.txt" }])
    expect(anyTool(editTool).needs(decoded, "/")).toEqual([{ kind: "other" }])
    expect(anyTool(editTool).classifierInput(decoded)).toBe(JSON.stringify(INPUT))
  })

  it("of a schema is known to the tool of that schema, however often it is made", () => {
    const schema = { type: "object" }
    const reading = Result.getOrThrow(anyTool(structuredOutputTool(schema)).read({ answer: 1 }))
    expect(reading.input.isOf(structuredOutputTool(schema))).toBe(true)
    expect(reading.input.isOf(structuredOutputTool({ type: "object" }))).toBe(false)
  })
})
