import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { anyTool } from "../../../../src/core/tools/contract/any-tool.ts"
import { bashTool } from "../../../../src/core/tools/bash/bash.ts"
import { taskOutputTool, waitMs } from "../../../../src/core/tools/bash/task-output.ts"
import { taskStopTool } from "../../../../src/core/tools/bash/task-stop.ts"

const bash = anyTool(bashTool({ backgroundTasks: true }))

const propertiesOf = (tool: { readonly inputSchema: () => object }) => JSON.stringify(tool.inputSchema())

describe("Bash", () => {
  it("needs the shell, runs alone, and is not interrupted by steering", () => {
    const reading = Result.getOrThrow(bash.read({ command: "ls -l", timeout: "500" }))
    expect(reading.input.value).toEqual({ command: "ls -l", timeout: 500 })
    expect(bash.needs(reading.input, "/")).toEqual([{ kind: "shell", command: "ls -l" }])
    expect(reading.traits).toMatchObject({ readOnly: false, concurrencySafe: false, destructive: false })
    expect(bash.interrupt).toBe("block")
    expect(bash.maxResultChars).toBe(30_000)
  })

  it("refuses a standalone sleep, unless it goes to the background", () => {
    const refused = bash.read({ command: "sleep 300" })
    expect(Result.isFailure(refused) && refused.failure).toMatch(/Monitor.*run_in_background/)
    expect(Result.isSuccess(bash.read({ command: "sleep 300", run_in_background: true }))).toBe(true)
    expect(Result.isSuccess(bash.read({ command: "sleep 0; sleep 300" }))).toBe(true)
  })

  it.each([
    { command: " " },
    { command: "a\0b" },
    {},
    { command: "ls", other: 1 },
    { command: "ls", _simulatedSedEdit: {} }
  ])("refuses %j", (input) => expect(Result.isFailure(bash.read(input))).toBe(true))

  it("has neither the field nor the advice without background tasks", () => {
    const alone = anyTool(bashTool({ backgroundTasks: false }))
    expect(propertiesOf(bash)).toContain("run_in_background")
    expect(propertiesOf(alone)).not.toContain("run_in_background")
    expect(alone.description).not.toContain("background")
    expect(Result.isFailure(alone.read({ command: "ls", run_in_background: true }))).toBe(true)
  })
})

describe("task tools", () => {
  it("answer to their older names", () => {
    expect(taskStopTool.aliases).toEqual(["KillShell"])
    expect(taskOutputTool.aliases).toEqual(["BashOutput", "AgentOutputTool"])
    expect(taskOutputTool.interrupt).toBe("cancel")
  })

  it("wait as asked, within bounds", () => {
    expect(waitMs({ task_id: "b" })).toBe(30_000)
    expect(waitMs({ task_id: "b", timeout: 9_999_999 })).toBe(600_000)
    expect(waitMs({ task_id: "b", timeout: -1 })).toBe(0)
    expect(waitMs({ task_id: "b", block: false, timeout: 5 })).toBe(0)
  })

  it("need one id to stop", () => {
    expect(Result.isFailure(anyTool(taskStopTool).read({}))).toBe(true)
    expect(Result.isSuccess(anyTool(taskStopTool).read({ shell_id: "b1" }))).toBe(true)
  })
})
