import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { getSessionMessages, listSessions } from "@anthropic-ai/claude-agent-sdk"
import { afterEach, describe, expect, it, vi } from "vitest"
import { text, toolUse } from "../support/messages-reply.ts"
import type { MessagesServer } from "../support/messages-server.ts"
import {
  Conversation,
  freshWorld,
  isAssistant,
  isResult,
  run,
  scriptedWorld,
  systemLines,
  textOf,
  toolResults,
  type World
} from "./sdk-host.ts"

/** The public agent SDK drives the built program: prompts, turns, sessions, models, output. */
afterEach(() => {
  vi.unstubAllEnvs()
})

const sent = (server: MessagesServer, index: number): string => JSON.stringify(server.requests[index]?.body["messages"])

describe("a string prompt", () => {
  it("is answered by the offline model without any key", async () => {
    const { messages, result, failure } = await run(freshWorld(), "@say Hello from the script")
    expect(failure).toBeUndefined()
    expect(messages.map((message) => message.type)).toEqual(["system", "assistant", "result"])
    const facts = { model: "offline", apiKeySource: "none", permissionMode: "default" }
    expect(systemLines(messages, "init")).toMatchObject([facts])
    expect(result).toMatchObject({ subtype: "success", is_error: false, num_turns: 1, result: "Hello from the script" })
    expect(new Set(messages.map((message) => message.session_id)).size).toBe(1)
    expect(new Set(messages.map((message) => message.uuid)).size).toBe(messages.length)
  })

  it("reaches the server once, with the host's key and model", async () => {
    const { server, world } = await scriptedWorld([text("hi there")])
    const { result } = await run(world, "good day", { model: "claude-sonnet-5-5" })
    expect(result).toMatchObject({ subtype: "success", result: "hi there" })
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({ violation: undefined, body: { model: "claude-sonnet-5-5" } })
    expect(server.requests[0]?.headers["x-api-key"]).toBe("test-key")
    expect(sent(server, 0)).toContain("good day")
    expect(Object.keys(result.modelUsage)).toEqual(["claude-sonnet-5-5"])
  })

  it("ends at maxTurns with the calls made so far", async () => {
    const { server, world } = await scriptedWorld(() => toolUse("Glob", { pattern: "*" }))
    const { result, failure } = await run(world, "look around", { maxTurns: 2 })
    expect(result).toMatchObject({
      subtype: "error_max_turns",
      is_error: true,
      num_turns: 3,
      errors: ["Reached maximum number of turns (2)"]
    })
    expect(server.requests).toHaveLength(2)
    expect(failure).toContain("Reached maximum number of turns (2)")
  })

  it("tells of a failing server with a result and an error of the SDK", async () => {
    const world = freshWorld({ CLAUDE_CODE_MAX_RETRIES: "0" })
    const { result, failure } = await run(world, "@fault server_error 9\n@say never said")
    expect(result).toMatchObject({ subtype: "success", is_error: true })
    expect(failure).toContain("error result")
  })
})

describe("streamed prompts", () => {
  it("are turns of one conversation: the second sees the first", async () => {
    const { server, world } = await scriptedWorld([text("My answer is seven."), text("As I said: seven.")])
    const conversation = new Conversation(world)
    await conversation.say("What is three plus four?")
    const first = await conversation.result()
    await conversation.say("Say it again.")
    const second = await conversation.result()
    await conversation.leave()
    expect(first).toMatchObject({ subtype: "success", result: "My answer is seven.", num_turns: 1 })
    expect(second).toMatchObject({ subtype: "success", result: "As I said: seven.", num_turns: 1 })
    expect(second.session_id).toBe(first.session_id)
    expect(second.total_cost_usd).toBeGreaterThan(first.total_cost_usd)
    expect(systemLines(conversation.heard, "init")).toHaveLength(2)
    expect(sent(server, 1)).toMatch(/three plus four.*My answer is seven\..*Say it again\./)
  })

  it("are folded into the running turn when they come in the middle of it", async () => {
    const { server, world } = await scriptedWorld([toolUse("Bash", { command: "touch made" }), text("Both done.")])
    const conversation: Conversation = new Conversation(world, {
      canUseTool: async (_tool, input) => {
        await conversation.say("And mind the second thing.")
        return { behavior: "allow", updatedInput: input }
      }
    })
    await conversation.say("Do the first thing.")
    const result = await conversation.result()
    await conversation.leave()
    expect(result).toMatchObject({ subtype: "success", result: "Both done.", num_turns: 2 })
    expect(conversation.heard.filter(isResult)).toHaveLength(1)
    expect(server.requests).toHaveLength(2)
    expect(sent(server, 1)).toContain("And mind the second thing.")
  })

  it("wait for the end of the turn when they say `later`", async () => {
    const { server, world } = await scriptedWorld([
      toolUse("Bash", { command: "touch made" }),
      text("First done."),
      text("Second done.")
    ])
    const conversation: Conversation = new Conversation(world, {
      canUseTool: async (_tool, input) => {
        await conversation.say("The second thing.", { priority: "later" })
        return { behavior: "allow", updatedInput: input }
      }
    })
    await conversation.say("The first thing.")
    expect(await conversation.result()).toMatchObject({ result: "First done." })
    expect(await conversation.result()).toMatchObject({ result: "Second done.", num_turns: 1 })
    await conversation.leave()
    expect(sent(server, 1)).not.toContain("The second thing.")
    expect(sent(server, 2)).toContain("The second thing.")
  })

  it("with shouldQuery false only join the history", async () => {
    const { server, world } = await scriptedWorld([text("Noted.")])
    const conversation = new Conversation(world)
    await conversation.say("The code word is plover.", { shouldQuery: false })
    await conversation.say("Go on.")
    await conversation.result()
    await conversation.leave()
    expect(server.requests).toHaveLength(1)
    expect(sent(server, 0)).toMatch(/plover.*Go on\./)
  })
})

describe("sessions", () => {
  const transcripts = ({ config }: World): ReadonlyArray<string> => {
    const projects = join(config, "projects")
    return readdirSync(projects, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(projects, name))
  }

  it("are resumed by id: same id, same file, the model sees the past", async () => {
    const { server, world } = await scriptedWorld([text("I will remember."), text("It was plover.")])
    const first = await run(world, "The code word is plover.")
    const second = await run(world, "What was the code word?", { resume: first.result.session_id })
    expect(second.result.session_id).toBe(first.result.session_id)
    expect(sent(server, 1)).toMatch(/code word is plover.*I will remember\..*What was the code word/)
    expect(transcripts(world)).toHaveLength(1)
  })

  it("continue where they were with `continue`", async () => {
    const { server, world } = await scriptedWorld([text("Yes."), text("Still yes.")])
    const first = await run(world, "First words.")
    const second = await run(world, "More words.", { continue: true })
    expect(second.result.session_id).toBe(first.result.session_id)
    expect(sent(server, 1)).toContain("First words.")
  })

  it("are forked into a new id and file, the old one stays as it was", async () => {
    const { server, world } = await scriptedWorld([text("Base."), text("Branch.")])
    const first = await run(world, "The trunk.")
    const [trunk = ""] = transcripts(world)
    const before = readFileSync(trunk, "utf8")
    const fork = await run(world, "The branch.", { resume: first.result.session_id, forkSession: true })
    expect(fork.result.session_id).not.toBe(first.result.session_id)
    expect(sent(server, 1)).toMatch(/The trunk\..*Base\..*The branch\./)
    expect(readFileSync(trunk, "utf8")).toBe(before)
    expect(transcripts(world)).toHaveLength(2)
  })

  it("of an unknown id are refused with words", async () => {
    const id = "00000000-0000-4000-8000-000000000000"
    const started = run(freshWorld(), "hello", { resume: id })
    await expect(started).rejects.toThrow(`No conversation found with session ID: ${id}`)
  })

  it("can be read with the SDK's own readers", async () => {
    const { world } = await scriptedWorld([toolUse("Glob", { pattern: "*.none" }), text("Nothing there.")])
    const { result } = await run(world, "Find the nones.")
    vi.stubEnv("CLAUDE_CONFIG_DIR", world.config)
    const sessions = await listSessions({ dir: world.cwd })
    expect(sessions).toMatchObject([{ sessionId: result.session_id, firstPrompt: "Find the nones.", cwd: world.cwd }])
    const messages = await getSessionMessages(result.session_id, { dir: world.cwd })
    expect(messages.map((message) => message.type)).toEqual(["user", "assistant", "user", "assistant"])
    expect(JSON.stringify(messages.at(-1))).toContain("Nothing there.")
  })
})

describe("partial messages", () => {
  it("are the raw events of the stream, and absent unless asked for", async () => {
    const { world } = await scriptedWorld([text("one two three four five six seven"), text("one two three")])
    const { messages } = await run(world, "count", { includePartialMessages: true })
    const events = messages.flatMap((message) => (message.type === "stream_event" ? [message.event] : []))
    expect(events.at(0)?.type).toBe("message_start")
    expect(events.at(-1)?.type).toBe("message_stop")
    const deltas = events.flatMap((event) =>
      event.type === "content_block_delta" && event.delta.type === "text_delta" ? [event.delta.text] : []
    )
    expect(deltas.length).toBeGreaterThan(1)
    expect(deltas.join("")).toBe("one two three four five six seven")
    const quiet = await run(world, "count")
    expect(quiet.messages.some((message) => message.type === "stream_event")).toBe(false)
  })
})

describe("models and questions about the session", () => {
  it("setModel counts from the next request on; without a name it is the default, not the first one", async () => {
    const { server, world } = await scriptedWorld(() => text("ok"))
    const conversation = new Conversation(world, { model: "claude-opus-5-5" })
    await conversation.say("one")
    await conversation.result()
    await conversation.query.setModel("claude-haiku-5-5")
    await conversation.say("two")
    await conversation.result()
    await conversation.query.setModel()
    await conversation.say("three")
    await conversation.result()
    await conversation.leave()
    const models = server.requests.map(({ body }) => body["model"])
    expect(models.slice(0, 2)).toEqual(["claude-opus-5-5", "claude-haiku-5-5"])
    expect(models[2]).not.toBe("claude-opus-5-5")
    expect(systemLines(conversation.heard, "init")).toMatchObject(models.map((model) => ({ model })))
  })

  it("supported models, commands, agents, servers and the account are told before any prompt", async () => {
    const conversation = new Conversation(freshWorld())
    const { query } = conversation
    const models = await query.supportedModels()
    expect(models.map(({ value }) => value)).toContain("sonnet")
    expect(models.every(({ displayName, description }) => displayName !== "" && description !== "")).toBe(true)
    expect(await query.supportedCommands()).toBeInstanceOf(Array)
    expect(await query.supportedAgents()).toEqual([])
    expect(await query.mcpServerStatus()).toEqual([])
    expect(await query.accountInfo()).toMatchObject({ apiKeySource: "none" })
    const context = await query.getContextUsage()
    expect(context).toMatchObject({ totalTokens: expect.any(Number), model: "offline", agents: [], mcpTools: [] })
    const used = context.categories.filter(({ kind }) => kind === "used").reduce((sum, { tokens }) => sum + tokens, 0)
    expect(used).toBe(context.totalTokens)
    const all = context.categories.reduce((sum, { tokens }) => sum + tokens, 0)
    expect(all).toBe(context.maxTokens)
    expect(context.gridRows.map((row) => row.length)).toEqual(Array.from({ length: 10 }, () => 10))
    expect(context.systemTools?.map(({ name }) => name)).toContain("Read")
    await conversation.leave()
  })

  it("what this version does not have is told as none of it", async () => {
    const conversation = new Conversation(freshWorld())
    const { query } = conversation
    expect(await query.reloadPlugins()).toMatchObject({ plugins: [], error_count: 0 })
    expect(await query.reloadSkills()).toEqual({ skills: [] })
    expect(await query.reloadOutputStyles()).toEqual({ available_output_styles: ["default"] })
    expect(await query.rewindFiles(crypto.randomUUID())).toMatchObject({ canRewind: false })
    expect(await query.setMcpServers({})).toMatchObject({ added: [], removed: [], errors: {} })
    expect(await query.backgroundTasks()).toBe(false)
    const usage = await query.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET()
    expect(usage).toMatchObject({ session: { total_cost_usd: 0, model_usage: {} }, rate_limits_available: false })
    await expect(query.reconnectMcpServer("nobody")).rejects.toThrow("Server not found: nobody")
    await conversation.leave()
  })

  it("a command of the foreground is sent to the background", async () => {
    const conversation = new Conversation(freshWorld(), { allowedTools: ["Bash"] })
    await conversation.say(`@tool Bash ${JSON.stringify({ command: "echo begun; sleep 60; echo over" })}\n@say went on`)
    await conversation.hear((message) => message.type === "tool_progress")
    expect(await conversation.query.backgroundTasks("toolu_other")).toBe(false)
    expect(await conversation.query.backgroundTasks()).toBe(true)
    expect(await conversation.result()).toMatchObject({ subtype: "success", result: "went on" })
    const [told] = toolResults(conversation.heard)
    expect(told).toContain("background")
    await conversation.query.stopTask(/task (b\w+)/.exec(told ?? "")?.[1] ?? "")
    await conversation.leave()
  })

  it("an unknown request is refused, and the conversation goes on", async () => {
    const conversation = new Conversation(freshWorld())
    await expect(conversation.query.seedReadState("/a", 0)).rejects.toThrow("Unsupported control request subtype")
    await conversation.say("@say still here")
    expect(await conversation.result()).toMatchObject({ result: "still here" })
    await conversation.leave()
  })
})

describe("structured output", () => {
  const schema = {
    type: "object",
    properties: { answer: { type: "integer" } },
    required: ["answer"],
    additionalProperties: false
  }

  it("ends the run with the first valid call", async () => {
    const { server, world } = await scriptedWorld([toolUse("StructuredOutput", { answer: 42 })])
    const { result } = await run(world, "What is it?", { outputFormat: { type: "json_schema", schema } })
    expect(result).toMatchObject({ subtype: "success", structured_output: { answer: 42 } })
    expect(server.requests).toHaveLength(1)
  })

  it("sends what does not fit back to the model", async () => {
    const { server, world } = await scriptedWorld([
      toolUse("StructuredOutput", { answer: "many" }),
      toolUse("StructuredOutput", { answer: 7 })
    ])
    const { messages, result } = await run(world, "What is it?", { outputFormat: { type: "json_schema", schema } })
    expect(result).toMatchObject({ subtype: "success", structured_output: { answer: 7 } })
    expect(server.requests).toHaveLength(2)
    expect(toolResults(messages)[0]).toMatch(/answer/)
  })
})

describe("the system prompt", () => {
  const systemOf = (server: MessagesServer): string => JSON.stringify(server.requests[0]?.body["system"])

  it("is a sentence unless the host brings its own", async () => {
    const { server, world } = await scriptedWorld([text("ok")])
    await run(world, "hello")
    expect(systemOf(server).length).toBeLessThan(400)
  })

  it("is the host's text when it brings one", async () => {
    const { server, world } = await scriptedWorld([text("ok")])
    await run(world, "hello", { systemPrompt: "You are a lighthouse keeper." })
    expect(systemOf(server)).toContain("You are a lighthouse keeper.")
  })

  it("is the program's own with the host's appended", async () => {
    const { server, world } = await scriptedWorld([text("ok")])
    const append = "Always end with the tide."
    await run(world, "hello", { systemPrompt: { type: "preset", preset: "claude_code", append } })
    expect(systemOf(server)).toContain(append)
    expect(JSON.stringify(server.requests[0]?.body["messages"])).toContain(world.cwd)
    expect(systemOf(server).length).toBeGreaterThan(1_000)
  })
})

describe("abortController", () => {
  it("ends the query and the program", async () => {
    const abortController = new AbortController()
    const conversation = new Conversation(freshWorld(), { abortController })
    await conversation.say("@say up and running")
    const message = await conversation.hear(isAssistant)
    expect(textOf(message)).toBe("up and running")
    abortController.abort()
    await expect(conversation.leave()).rejects.toThrow(/abort/i)
  })
})
