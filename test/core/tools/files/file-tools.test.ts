import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { anyTool } from "../../../../src/core/tools/contract/any-tool.ts"
import { editTool } from "../../../../src/core/tools/files/edit.ts"
import { notebookEditTool } from "../../../../src/core/tools/files/notebook-edit.ts"
import { readTool } from "../../../../src/core/tools/files/read.ts"
import { writeTool } from "../../../../src/core/tools/files/write.ts"

const tools = [anyTool(readTool), anyTool(editTool), anyTool(writeTool), anyTool(notebookEditTool)]
const inputs: Readonly<Record<string, Record<string, unknown>>> = {
  Read: { file_path: "/w/a" },
  Edit: { file_path: "/w/a", old_string: "x", new_string: "y" },
  Write: { file_path: "/w/a", content: "" },
  NotebookEdit: { notebook_path: "/w/a.ipynb", cell_id: "c", new_source: "" }
}

const refusalOf = (tool: (typeof tools)[number] | undefined, input: unknown): string => {
  const reading = tool?.read(input)
  return reading !== undefined && Result.isFailure(reading) ? reading.failure : "accepted"
}

describe("file tools", () => {
  it.each(tools)("$name takes its input and nothing else", (tool) => {
    expect(refusalOf(tool, inputs[tool.name])).toBe("accepted")
    expect(refusalOf(tool, { ...inputs[tool.name], extra: 1 })).toMatch(/extra/)
    expect(refusalOf(tool, {})).toMatch(/^InputValidationError/)
    expect(tool.inputSchema()).toMatchObject({ type: "object", additionalProperties: false })
  })

  it.each(tools)("$name asks for the absolute path it would touch", (tool) => {
    const relative = JSON.stringify(inputs[tool.name]).replace("/w/", "sub/../")
    const reading = tool.read(JSON.parse(relative))
    if (Result.isFailure(reading)) throw new Error(reading.failure)
    const file = tool.name === "NotebookEdit" ? "/w/a.ipynb" : "/w/a"
    expect(tool.needs(reading.success.input, "/w")).toEqual([{ kind: tool.name === "Read" ? "read" : "edit", path: file }])
    const reads = tool.name === "Read"
    expect(reading.success.traits).toMatchObject({ readOnly: reads, concurrencySafe: reads })
    expect(tool.interrupt).toBe("block")
    expect(tool.maxResultChars).toBe(reads ? Number.POSITIVE_INFINITY : 100_000)
  })

  it("refuse paths that cannot be meant", () => {
    const [read] = tools
    for (const path of ["~/x", "/a ", "/a\0"]) expect(refusalOf(read, { file_path: path })).toMatch(/^InvalidPath/)
    expect(refusalOf(read, { file_path: "/a", offset: 0 })).toMatch(/offset/)
    expect(refusalOf(read, { file_path: "/a", pages: "x" })).toMatch(/^InvalidPages/)
  })

  it("send notebooks to the right tool and refuse empty changes", () => {
    const [, edit, , notebook] = tools
    expect(refusalOf(edit, { file_path: "/a.ipynb", old_string: "x", new_string: "y" })).toMatch(/NotebookEdit/)
    expect(refusalOf(edit, { file_path: "/a", old_string: "x", new_string: "x" })).toMatch(/^NoChange/)
    expect(refusalOf(notebook, { notebook_path: "/a.txt", cell_id: "c", new_source: "" })).toMatch(/^WrongTool/)
    expect(refusalOf(notebook, { notebook_path: "/a.ipynb", new_source: "", edit_mode: "insert" })).toMatch(/cell_type/)
    expect(refusalOf(notebook, { notebook_path: "/a.ipynb", new_source: "" })).toMatch(/cell_id/)
  })

  it("sum a call up in one line", () => {
    expect(readTool.summary({ file_path: "/a", offset: 5, limit: 10 })).toBe("/a (lines 5-14)")
    expect(readTool.summary({ file_path: "/a.pdf", pages: "1-3" })).toBe("/a.pdf (pages 1-3)")
    const replace = { notebook_path: "/n.ipynb", cell_id: "c", new_source: "" }
    expect(notebookEditTool.summary(replace)).toBe("replace c in /n.ipynb")
  })
})
