import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { CanUseTool, PermissionResult } from "@anthropic-ai/claude-agent-sdk"
import { describe, expect, it } from "vitest"
import { Conversation, freshWorld, run, systemLines, toolResults, type World } from "./sdk-host.ts"

/** Permission questions of the built program, answered by a host on the public agent SDK. */
interface Asked {
  readonly tool: string
  readonly input: Record<string, unknown>
  readonly options: Parameters<CanUseTool>[2]
}

/** A callback that remembers what it was asked. */
const answering = (answer: (asked: Asked) => PermissionResult) => {
  const asked: Array<Asked> = []
  const canUseTool: CanUseTool = async (tool, input, options) => {
    asked.push({ tool, input, options })
    return answer({ tool, input, options })
  }
  return { asked, canUseTool }
}

const writing = (word: string, file: string): string => `@tool Bash ${JSON.stringify({ command: `echo ${word} > ${file}` })}`

const contentOf = (world: World, file: string): string | undefined => {
  const path = join(world.cwd, file)
  return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined
}

describe("canUseTool", () => {
  it("allows the call that was asked about", async () => {
    const world = freshWorld()
    const { asked, canUseTool } = answering(({ input }) => ({ behavior: "allow", updatedInput: input }))
    const { result } = await run(world, writing("yes", "out"), { canUseTool })
    expect(asked).toMatchObject([{ tool: "Bash", input: { command: "echo yes > out" } }])
    expect(asked[0]?.options.toolUseID).toMatch(/^toolu_/)
    expect(asked[0]?.options.decisionReason).not.toBe("")
    expect(asked[0]?.options.suggestions).toMatchObject([
      { type: "addRules", behavior: "allow", rules: [{ toolName: "Bash" }], destination: "localSettings" },
      { type: "addRules", behavior: "allow", rules: [{ toolName: "Edit" }], destination: "session" }
    ])
    expect(contentOf(world, "out")).toBe("yes")
    expect(result.permission_denials).toEqual([])
  })

  it("is not asked what the rules already answer", async () => {
    const world = freshWorld()
    const { asked, canUseTool } = answering(() => ({ behavior: "deny", message: "nobody should ask" }))
    const options = { canUseTool, allowedTools: ["Bash(echo *)"], disallowedTools: ["Bash(touch *)"] }
    const prompt = `@tool Bash {"command": "echo hello"}\n@tool Bash {"command": "touch out"}`
    const { result } = await run(world, prompt, options)
    expect(asked).toEqual([])
    expect(result.permission_denials).toMatchObject([{ tool_name: "Bash", tool_input: { command: "touch out" } }])
  })

  it("denies with a message that reaches the model and one entry among the denials", async () => {
    const world = freshWorld()
    const { canUseTool } = answering(() => ({ behavior: "deny", message: "Not on a Sunday." }))
    const { messages, result } = await run(world, `${writing("no", "out")}\n@expect Not on a Sunday\n@say understood`, {
      canUseTool
    })
    expect(result).toMatchObject({ subtype: "success", is_error: false, result: "understood" })
    expect(result.permission_denials).toMatchObject([
      { tool_name: "Bash", tool_use_id: expect.stringMatching(/^toolu_/), tool_input: { command: "echo no > out" } }
    ])
    expect(toolResults(messages)[0]).toContain("Not on a Sunday.")
    expect(systemLines(messages, "permission_denied")).toHaveLength(1)
    expect(contentOf(world, "out")).toBeUndefined()
  })

  it("runs the changed input instead of the one it was asked about", async () => {
    const world = freshWorld()
    const { canUseTool } = answering(() => ({ behavior: "allow", updatedInput: { command: "echo changed > out" } }))
    const { result } = await run(world, writing("original", "out"), { canUseTool })
    expect(result.subtype).toBe("success")
    expect(contentOf(world, "out")).toBe("changed")
  })

  it("cannot turn a denied input into an allowed one", async () => {
    const world = freshWorld()
    const { canUseTool } = answering(() => ({ behavior: "allow", updatedInput: { command: "touch out" } }))
    const { result } = await run(world, writing("original", "out"), { canUseTool, disallowedTools: ["Bash(touch *)"] })
    expect(contentOf(world, "out")).toBeUndefined()
    expect(result.permission_denials).toHaveLength(1)
  })

  it("denying with interrupt ends the turn, and the next prompt works", async () => {
    const world = freshWorld()
    const { canUseTool } = answering(() => ({ behavior: "deny", message: "Stop everything.", interrupt: true }))
    const conversation = new Conversation(world, { canUseTool })
    await conversation.say(`${writing("no", "out")}\n@say never said`)
    expect(await conversation.result()).toMatchObject({
      subtype: "error_during_execution",
      is_error: true,
      terminal_reason: "aborted_tools"
    })
    await conversation.say("@say back again")
    expect(await conversation.result()).toMatchObject({ subtype: "success", result: "back again" })
    await conversation.leave()
    expect(contentOf(world, "out")).toBeUndefined()
  })

  it("that throws is a refusal with its words", async () => {
    const world = freshWorld()
    const canUseTool: CanUseTool = () => Promise.reject(new Error("the callback is broken"))
    const { messages, result } = await run(world, writing("no", "out"), { canUseTool })
    expect(result.subtype).toBe("success")
    expect(toolResults(messages)[0]).toContain("the callback is broken")
    expect(contentOf(world, "out")).toBeUndefined()
  })

  it("may allow for good: the same command is not asked about twice", async () => {
    const world = freshWorld()
    const { asked, canUseTool } = answering(({ input, options }) => ({
      behavior: "allow",
      updatedInput: input,
      updatedPermissions: (options.suggestions ?? []).map((update) => ({ ...update, destination: "session" as const }))
    }))
    const twice = `${writing("again", "out")}\n${writing("again", "out")}`
    const { result } = await run(world, twice, { canUseTool })
    expect(result.subtype).toBe("success")
    expect(asked).toHaveLength(1)
  })

  it("without a callback what would ask is denied", async () => {
    const world = freshWorld()
    const { result } = await run(world, writing("no", "out"))
    expect(result.permission_denials).toHaveLength(1)
    expect(contentOf(world, "out")).toBeUndefined()
  })
})

describe("AskUserQuestion", () => {
  const question = {
    question: "Which colour?",
    header: "Colour",
    options: [
      { label: "Red", description: "Warm" },
      { label: "Blue", description: "Cold" }
    ],
    multiSelect: false
  }
  const prompt = `@tool AskUserQuestion ${JSON.stringify({ questions: [question] })}`

  it("reaches the host as a permission question and takes the answers from its updated input", async () => {
    const { asked, canUseTool } = answering(({ input }) => ({
      behavior: "allow",
      updatedInput: { ...input, answers: { "Which colour?": "Blue" } }
    }))
    const { messages, result } = await run(freshWorld(), prompt, { canUseTool })
    expect(result.subtype).toBe("success")
    expect(asked).toMatchObject([{ tool: "AskUserQuestion", input: { questions: [question] } }])
    expect(asked[0]?.options).toMatchObject({ requiresUserInteraction: true })
    expect(toolResults(messages)[0]).toMatch(/Which colour\?[\s\S]*Blue/)
    const answered = messages.find((message) => message.type === "user")
    expect(answered).toMatchObject({ tool_use_result: { answers: { "Which colour?": "Blue" } } })
  })

  it("asks in every mode: bypassing permissions is not an answer", async () => {
    const { asked, canUseTool } = answering(({ input }) => ({
      behavior: "allow",
      updatedInput: { ...input, answers: { "Which colour?": "Red" } }
    }))
    const conversation = new Conversation(freshWorld(), { canUseTool, allowDangerouslySkipPermissions: true })
    await conversation.query.setPermissionMode("bypassPermissions")
    await conversation.say(prompt)
    await conversation.result()
    await conversation.leave()
    expect(asked).toHaveLength(1)
    expect(toolResults(conversation.heard)[0]).toContain("Red")
  })

  it("is not offered when nobody can answer", async () => {
    const { messages } = await run(freshWorld(), "@say hello")
    expect(JSON.stringify(systemLines(messages, "init"))).not.toContain("AskUserQuestion")
  })
})

describe("setPermissionMode", () => {
  const writeFile = (world: World, name: string): string =>
    `@tool Write ${JSON.stringify({ file_path: join(world.cwd, name), content: "text" })}`

  it("is told to the host and holds from the next call on", async () => {
    const world = freshWorld()
    const { asked, canUseTool } = answering(() => ({ behavior: "deny", message: "asked" }))
    const conversation = new Conversation(world, { canUseTool })
    await conversation.say(writeFile(world, "one"))
    await conversation.result()
    expect(asked).toHaveLength(1)
    await conversation.query.setPermissionMode("acceptEdits")
    await conversation.say(writeFile(world, "two"))
    await conversation.result()
    await conversation.leave()
    expect(asked).toHaveLength(1)
    expect(existsSync(join(world.cwd, "one"))).toBe(false)
    expect(contentOf(world, "two")).toBe("text")
    expect(systemLines(conversation.heard, "status")).toMatchObject([{ permissionMode: "acceptEdits" }])
    const modes = [{ permissionMode: "default" }, { permissionMode: "acceptEdits" }]
    expect(systemLines(conversation.heard, "init")).toMatchObject(modes)
  })

  it("lets the classifier answer in auto mode, unless the settings take it away", async () => {
    const world = freshWorld()
    const { asked, canUseTool } = answering(() => ({ behavior: "deny", message: "asked" }))
    const conversation = new Conversation(world, { canUseTool })
    await conversation.query.setPermissionMode("auto")
    await conversation.say(`@tool Bash ${JSON.stringify({ command: "touch one" })}`)
    await conversation.result()
    await conversation.say(`@tool Bash ${JSON.stringify({ command: "sudo touch two" })}`)
    await conversation.result()
    await conversation.leave()
    expect(asked).toEqual([])
    expect(existsSync(join(world.cwd, "one"))).toBe(true)
    expect(systemLines(conversation.heard, "permission_denied")).toMatchObject([{ decision_reason_type: "classifier" }])
    const locked = new Conversation(freshWorld(), { settings: '{"disableAutoMode":"disable"}' })
    await expect(locked.query.setPermissionMode("auto")).rejects.toThrow("disableAutoMode")
    await locked.leave()
  })

  it("refuses to bypass permissions unless the session was started for it", async () => {
    const plain = new Conversation(freshWorld())
    await expect(plain.query.setPermissionMode("bypassPermissions")).rejects.toThrow("bypassPermissions")
    await plain.leave()
    const world = freshWorld()
    const daring = new Conversation(world, { allowDangerouslySkipPermissions: true })
    await daring.query.setPermissionMode("bypassPermissions")
    await daring.say(writing("yes", "out"))
    await daring.result()
    await daring.leave()
    expect(contentOf(world, "out")).toBe("yes")
  })
})

describe("TestingPermission", () => {
  it("asks in every mode, and does nothing but say so", async () => {
    const { asked, canUseTool } = answering(({ input }) => ({ behavior: "allow", updatedInput: input }))
    const options = { canUseTool, permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true } as const
    const { messages } = await run(freshWorld({ NODE_ENV: "test" }), "@tool TestingPermission {}", options)
    expect(asked).toMatchObject([{ tool: "TestingPermission", input: {}, options: { description: "Run test?" } }])
    expect(toolResults(messages)).toEqual(["TestingPermission executed successfully"])
  })

  it("is there for tests alone", async () => {
    const { asked, canUseTool } = answering(({ input }) => ({ behavior: "allow", updatedInput: input }))
    const { messages } = await run(freshWorld(), "@tool TestingPermission {}", { canUseTool })
    expect(asked).toEqual([])
    expect(toolResults(messages)).toEqual([expect.stringContaining("No such tool available: TestingPermission")])
  })
})
