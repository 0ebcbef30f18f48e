import { describe, expect, it } from "vitest"
import { LABEL } from "../../../src/adapters/offline/answer.ts"
import type { ToolUseBlock } from "../../../src/core/domain/block.ts"
import { converse, CWD, tool, willing, type World } from "./world.ts"

const FOLDER = `${CWD}/nacre-tour`

/** As in print mode without permissions: nothing that changes files may run. */
const printMode: World = (call) =>
  call.name === "Write" || call.name === "Edit" || JSON.stringify(call.input).includes("mkdir")
    ? { content: `Permission to use ${call.name} was denied: nobody can be asked in print mode.`, isError: true }
    : { content: "ok" }

const names = (calls: ReadonlyArray<ToolUseBlock>): ReadonlyArray<string> => calls.map((call) => call.name)

describe("the tour", () => {
  it("shows every tool when it may, and says how to clean up", () => {
    const { responses, calls, final } = converse("tour")
    expect(responses.map((said) => names(said.calls))).toEqual([
      ["TodoWrite"],
      ["Write", "Write"],
      ["Read", "Read"],
      ["Edit"],
      ["Glob", "Grep"],
      ["Bash"],
      ["Bash"],
      ["TodoWrite"],
      []
    ])
    expect(final.split("\n")[0]).toBe(LABEL)
    expect(final).toContain("rm -r nacre-tour")
    expect(final).not.toContain("--permission-mode")
    const paths = Array.from(JSON.stringify(calls).matchAll(/"file_path":"([^"]+)"/g), (match) => match[1])
    expect(paths).toHaveLength(5)
    expect(paths.every((path) => path?.startsWith(`${FOLDER}/`))).toBe(true)
  })

  it("goes on when it may not, and names the flags", () => {
    const { calls, final } = converse("please take the tour", printMode)
    expect(names(calls)).toEqual(["TodoWrite", "Write", "Write", "Glob", "Grep", "Bash", "Bash", "TodoWrite"])
    expect(final).toContain('--permission-mode acceptEdits --allowedTools "Bash(mkdir *)"')
    expect(final).toContain("nobody can be asked in print mode.")
    expect(calls.at(-1)?.input).toMatchObject({
      todos: [{ status: "pending" }, { status: "pending" }, { status: "completed" }, { status: "completed" }]
    })
    expect(final).not.toContain("rm -r")
  })

  it("can be taken a second time", () => {
    const written = new Set<string>()
    const world: World = (call) => {
      const key = JSON.stringify(call.input)
      if (call.name !== "Write" || written.has(key)) return willing(call)
      written.add(key)
      return { content: "File has not been read yet. Read it first before writing to it.", isError: true }
    }
    const writing = names(converse("tour", world).calls).slice(1, 7)
    expect(writing).toEqual(["Write", "Write", "Read", "Read", "Write", "Write"])
  })

  it("makes do with the tools there are", () => {
    const tools = ["Bash", "Read", "TaskCreate", "TaskUpdate"].map((name) => tool(name))
    const { calls } = converse("tour", () => ({ content: "Task #7 created" }), { tools })
    expect(names(calls)).toEqual(["TaskCreate", "Bash", "Bash", "TaskUpdate"])
    expect(calls.at(-1)?.input).toEqual({ taskId: "7", status: "completed" })
    expect(converse("tour", undefined, { tools: [] }).final).toContain("none of them is offered")
  })
})
