import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { CanUseTool, HookCallback, HookInput, HookJSONOutput } from "@anthropic-ai/claude-agent-sdk"
import { describe, expect, it } from "vitest"
import { Conversation, freshWorld, isAssistant, run, toolResults, type World } from "./sdk-host.ts"

/** Hook callbacks of a host on the public agent SDK, called by the built program. */
const hooking = (answer: (input: HookInput) => HookJSONOutput) => {
  const seen: Array<HookInput> = []
  const callback: HookCallback = async (input) => {
    seen.push(input)
    return answer(input)
  }
  return { seen, hooks: [callback] }
}

const bash = (command: string): string => `@tool Bash ${JSON.stringify({ command })}`

const contentOf = (world: World, file: string): string | undefined => {
  const path = join(world.cwd, file)
  return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined
}

const nobody: CanUseTool = async () => ({ behavior: "deny", message: "nobody should ask" })

describe("PermissionRequest", () => {
  const decide = (decision: Record<string, unknown>): HookJSONOutput =>
    ({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } }) as HookJSONOutput

  /** Never answers; tells when it is called off. */
  const undecided = () => {
    let calledOff = false
    const canUseTool: CanUseTool = (_tool, _input, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          calledOff = true
          resolve({ behavior: "deny", message: "too late" })
        })
      })
    return { canUseTool, wasCalledOff: () => calledOff }
  }

  it("answers before the callback does, which is called off", async () => {
    const world = freshWorld()
    const { seen, hooks } = hooking(() => decide({ behavior: "allow" }))
    const { canUseTool, wasCalledOff } = undecided()
    const { result } = await run(world, bash("echo yes > out"), { hooks: { PermissionRequest: [{ hooks }] }, canUseTool })
    expect(seen).toMatchObject([
      { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command: "echo yes > out" } }
    ])
    expect({ out: contentOf(world, "out"), denials: result.permission_denials }).toEqual({ out: "yes", denials: [] })
    expect(wasCalledOff()).toBe(true)
  })

  it("leaves the answer to the callback when it has none, and is called off when it is slower", async () => {
    const world = freshWorld()
    const silent = hooking(() => ({}))
    const slow: HookCallback = (_input, _id, { signal }) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve({})))
    const allow: CanUseTool = async (_tool, input) => ({ behavior: "allow", updatedInput: input })
    for (const hooks of [silent.hooks, [slow]]) {
      await run(world, bash("echo yes >> out"), { hooks: { PermissionRequest: [{ hooks }] }, canUseTool: allow })
    }
    expect(contentOf(world, "out")).toBe("yes\nyes")
  })

  it("answers where nobody else is there, with another input too", async () => {
    const world = freshWorld()
    const { hooks } = hooking(() => decide({ behavior: "allow", updatedInput: { command: "echo new > out" } }))
    await run(world, bash("echo old > out"), { hooks: { PermissionRequest: [{ hooks }] } })
    expect(contentOf(world, "out")).toBe("new")
    const { hooks: none } = hooking(() => ({}))
    const { result } = await run(world, bash("echo no > other"), { hooks: { PermissionRequest: [{ hooks: none }] } })
    expect(result.permission_denials).toHaveLength(1)
    expect(contentOf(world, "other")).toBeUndefined()
  })

  it("does not stand above rules", async () => {
    const world = freshWorld()
    const { hooks } = hooking(() => decide({ behavior: "allow", updatedInput: { command: "rm -f kept" } }))
    const options = { hooks: { PermissionRequest: [{ hooks }] }, disallowedTools: ["Bash(rm *)"] }
    const { result } = await run(world, bash("touch kept"), options)
    expect(result.permission_denials).toHaveLength(1)
  })

  it("that denies with interrupt ends the turn", async () => {
    const world = freshWorld()
    const { hooks } = hooking(() => decide({ behavior: "deny", message: "Stop it.", interrupt: true }))
    const { result } = await run(world, bash("echo no > out"), { hooks: { PermissionRequest: [{ hooks }] } })
    expect(result).toMatchObject({ subtype: "error_during_execution", terminal_reason: "aborted_tools" })
  })
})

describe("PreToolUse", () => {
  const decide = (fields: Record<string, unknown>): HookJSONOutput => ({
    hookSpecificOutput: { hookEventName: "PreToolUse", ...fields }
  })

  it("is told everything about the call and the session", async () => {
    const world = freshWorld()
    const { seen, hooks } = hooking(() => ({}))
    const { result } = await run(world, bash("true"), { hooks: { PreToolUse: [{ hooks }] } })
    expect(seen).toMatchObject([
      {
        hook_event_name: "PreToolUse",
        session_id: result.session_id,
        cwd: world.cwd,
        permission_mode: "default",
        tool_name: "Bash",
        tool_input: { command: "true" },
        tool_use_id: expect.stringMatching(/^toolu_/)
      }
    ])
    const transcript = readFileSync(seen[0]?.transcript_path ?? "", "utf8")
    expect(transcript).toContain(result.session_id)
  })

  it("denies: the call does not run and the reason reaches the model", async () => {
    const world = freshWorld()
    const { hooks } = hooking(() => decide({ permissionDecision: "deny", permissionDecisionReason: "Hands off." }))
    const prompt = `${bash("echo no > out")}\n@expect Hands off\n@say understood`
    const options = { hooks: { PreToolUse: [{ hooks }] }, allowedTools: ["Bash"] }
    const { messages, result } = await run(world, prompt, options)
    expect(result).toMatchObject({ subtype: "success", result: "understood" })
    expect(result.permission_denials).toHaveLength(1)
    expect(toolResults(messages)[0]).toContain("Hands off.")
    expect(contentOf(world, "out")).toBeUndefined()
  })

  it("allows: nobody is asked", async () => {
    const world = freshWorld()
    const { hooks } = hooking(() => decide({ permissionDecision: "allow" }))
    await run(world, bash("echo yes > out"), { hooks: { PreToolUse: [{ hooks }] }, canUseTool: nobody })
    expect(contentOf(world, "out")).toBe("yes")
  })

  it("allows with a changed input: that one runs, and nobody is asked", async () => {
    const world = freshWorld()
    const changed = { permissionDecision: "allow", updatedInput: { command: "echo new > out" } }
    const { hooks } = hooking(() => decide(changed))
    await run(world, bash("echo old > out"), { hooks: { PreToolUse: [{ hooks }] }, canUseTool: nobody })
    expect(contentOf(world, "out")).toBe("new")
  })

  it("changes the input that is then asked about", async () => {
    const world = freshWorld()
    const { hooks } = hooking(() => decide({ updatedInput: { command: "echo new > out" } }))
    const asked: Array<unknown> = []
    const canUseTool: CanUseTool = async (_tool, input) => {
      asked.push(input)
      return { behavior: "allow", updatedInput: input }
    }
    await run(world, bash("echo old > out"), { hooks: { PreToolUse: [{ hooks }] }, canUseTool })
    expect(asked).toEqual([{ command: "echo new > out" }])
    expect(contentOf(world, "out")).toBe("new")
  })

  it("cannot allow what a rule denies, changed or not", async () => {
    const world = freshWorld()
    const { hooks } = hooking(() => decide({ permissionDecision: "allow", updatedInput: { command: "touch out" } }))
    const options = { hooks: { PreToolUse: [{ hooks }] }, disallowedTools: ["Bash(touch *)"] }
    const { result } = await run(world, bash("true"), options)
    expect(result.permission_denials).toHaveLength(1)
    expect(contentOf(world, "out")).toBeUndefined()
  })

  it("asks where the rules would allow", async () => {
    const world = freshWorld()
    const { hooks } = hooking(() => decide({ permissionDecision: "ask" }))
    const options = { hooks: { PreToolUse: [{ hooks }] }, allowedTools: ["Bash(echo *)"], canUseTool: nobody }
    const { messages } = await run(world, bash("echo no"), options)
    expect(toolResults(messages)[0]).toContain("nobody should ask")
  })

  it("is called only for tools its matcher names", async () => {
    const world = freshWorld()
    const bashHook = hooking(() => ({}))
    const others = hooking(() => ({}))
    const PreToolUse = [
      { matcher: "Bash|Write", hooks: bashHook.hooks },
      { matcher: "Read", hooks: others.hooks }
    ]
    await run(world, bash("true"), { hooks: { PreToolUse } })
    expect(bashHook.seen).toHaveLength(1)
    expect(others.seen).toHaveLength(0)
  })

  it("that throws blocks the call: silence is not permission", async () => {
    const world = freshWorld()
    const broken: HookCallback = () => Promise.reject(new Error("the hook is broken"))
    const options = { hooks: { PreToolUse: [{ hooks: [broken] }] }, allowedTools: ["Bash"] }
    const { messages } = await run(world, bash("echo no > out"), options)
    expect(toolResults(messages)[0]).toContain("the hook is broken")
    expect(contentOf(world, "out")).toBeUndefined()
  })
})

describe("PreToolUse context", () => {
  it("reaches the model beside the result", async () => {
    const { hooks } = hooking(() => ({
      hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "The tide is rising." }
    }))
    const prompt = `${bash("echo hello")}\n@expect The tide is rising\n@say noted`
    const { result } = await run(freshWorld(), prompt, { hooks: { PreToolUse: [{ hooks }] }, allowedTools: ["Bash"] })
    expect(result).toMatchObject({ result: "noted" })
  })
})

describe("PostToolUse", () => {
  it("sees the response and adds context for the model", async () => {
    const { seen, hooks } = hooking(() => ({
      hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "The tide is falling." }
    }))
    const prompt = `${bash("echo hello")}\n@expect The tide is falling\n@say noted`
    const { result } = await run(freshWorld(), prompt, { hooks: { PostToolUse: [{ hooks }] }, allowedTools: ["Bash"] })
    expect(result).toMatchObject({ result: "noted" })
    const input = { hook_event_name: "PostToolUse", tool_name: "Bash", tool_response: { stdout: "hello" } }
    expect(seen).toMatchObject([input])
  })

  it("that says continue false ends the turn after the calls", async () => {
    const { hooks } = hooking(() => ({ continue: false, stopReason: "Enough for today." }))
    const prompt = `${bash("echo hello")}\n@say never said`
    const { result } = await run(freshWorld(), prompt, { hooks: { PostToolUse: [{ hooks }] }, allowedTools: ["Bash"] })
    expect(result).toMatchObject({ subtype: "success", is_error: false, terminal_reason: "hook_stopped" })
    expect(result).toMatchObject({ result: "Enough for today." })
  })

  it("has a sister for calls that failed", async () => {
    const { seen, hooks } = hooking(() => ({}))
    const options = { hooks: { PostToolUseFailure: [{ hooks }] }, allowedTools: ["Bash"] }
    await run(freshWorld(), bash("echo alas; exit 3"), options)
    expect(seen).toMatchObject([
      {
        hook_event_name: "PostToolUseFailure",
        tool_name: "Bash",
        error: expect.stringContaining("alas"),
        is_interrupt: false
      }
    ])
  })
})

describe("UserPromptSubmit", () => {
  it("blocks: the reason is the result, nothing is sent to the model", async () => {
    const { seen, hooks } = hooking(() => ({ decision: "block", reason: "Not that word." }))
    const prompt = "@say never said"
    const { messages, result } = await run(freshWorld(), prompt, { hooks: { UserPromptSubmit: [{ hooks }] } })
    expect(seen).toMatchObject([{ hook_event_name: "UserPromptSubmit", prompt }])
    expect(result).toMatchObject({ subtype: "success", is_error: false, result: expect.stringContaining("Not that word.") })
    expect(messages.some(isAssistant)).toBe(false)
  })

  it("adds context beside the prompt", async () => {
    const { hooks } = hooking(() => ({
      hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "The moon is full." }
    }))
    const script = JSON.stringify([{ text: "noted", expect: { request: "The moon is full" } }])
    const prompt = `\`\`\`offline\n${script}\n\`\`\``
    const { result } = await run(freshWorld(), prompt, { hooks: { UserPromptSubmit: [{ hooks }] } })
    expect(result).toMatchObject({ result: "noted" })
  })
})

describe("Stop", () => {
  it("that blocks once sends the model back to work once", async () => {
    const { seen, hooks } = hooking((input) => {
      const isFirst = input.hook_event_name === "Stop" && !input.stop_hook_active
      return isFirst ? { decision: "block", reason: "Also mind the gap." } : {}
    })
    const { result } = await run(freshWorld(), "@say first\n@next\n@expect mind the gap\n@say second", {
      hooks: { Stop: [{ hooks }] }
    })
    expect(seen).toMatchObject([
      { stop_hook_active: false, last_assistant_message: "first" },
      { stop_hook_active: true, last_assistant_message: "second" }
    ])
    expect(result).toMatchObject({ subtype: "success", result: "second", num_turns: 2 })
  })

  it("that only adds context goes on with it too", async () => {
    const { seen, hooks } = hooking((input) =>
      input.hook_event_name === "Stop" && !input.stop_hook_active
        ? { hookSpecificOutput: { hookEventName: "Stop", additionalContext: "One more thing." } }
        : {}
    )
    const { result } = await run(freshWorld(), "@say first\n@next\n@expect One more thing\n@say second", {
      hooks: { Stop: [{ hooks }] }
    })
    expect(seen).toHaveLength(2)
    expect(result).toMatchObject({ result: "second" })
  })
})

describe("AskUserQuestion", () => {
  it("is answered by a hook that allows it with the answers", async () => {
    const choices = [
      { label: "A", description: "a" },
      { label: "B", description: "b" }
    ]
    const questions = [{ question: "Which?", header: "Pick", options: choices }]
    const { hooks } = hooking(() => ({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        updatedInput: { questions, answers: { "Which?": "B" } }
      }
    }))
    const prompt = `@tool AskUserQuestion ${JSON.stringify({ questions })}`
    const { messages } = await run(freshWorld(), prompt, { hooks: { PreToolUse: [{ hooks }] }, canUseTool: nobody })
    expect(toolResults(messages)[0]).toMatch(/Which\?[\s\S]*B/)
  })
})

describe("hooks and the host", () => {
  it("a hook that is still thinking when the turn is interrupted is called off", async () => {
    let calledOff = (): void => {}
    const off = new Promise<void>((resolve) => {
      calledOff = resolve
    })
    let began = (): void => {}
    const begun = new Promise<void>((resolve) => {
      began = resolve
    })
    const endless: HookCallback = (_input, _id, { signal }) =>
      new Promise((_resolve, reject) => {
        began()
        signal.addEventListener("abort", () => {
          calledOff()
          reject(new Error("called off"))
        })
      })
    const conversation = new Conversation(freshWorld(), { hooks: { PreToolUse: [{ hooks: [endless] }] } })
    await conversation.say(bash("true"))
    await conversation.hear(isAssistant)
    await begun
    await conversation.query.interrupt()
    expect(await conversation.result()).toMatchObject({ subtype: "error_during_execution" })
    await off
    await conversation.say("@say back again")
    expect(await conversation.result()).toMatchObject({ subtype: "success", result: "back again" })
    await conversation.leave()
  })
})
