import { createSdkMcpServer, tool, type CanUseTool, type Options } from "@anthropic-ai/claude-agent-sdk"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { Conversation, freshWorld, run, systemLines, toolResults } from "./sdk-host.ts"

/** Tools that run inside a host on the public agent SDK, called by the built program. */

const called: Array<unknown> = []

const weather = tool(
  "weather",
  "Says what the weather is like in a town",
  { town: z.string(), days: z.number().optional() },
  async (input) => {
    called.push(input)
    return { content: [{ type: "text", text: `Rain in ${input.town}` }] }
  }
)

const picture = tool("picture", "Shows a dot", {}, async () => ({
  content: [
    { type: "text" as const, text: "a dot" },
    { type: "image" as const, data: "iVBORw0KGgo=", mimeType: "image/png" }
  ]
}))

const broken = tool("broken", "Fails", {}, async () => {
  throw new Error("out of order")
})

const lookUp = tool("look_up", "Looks something up", {}, async () => ({ content: [{ type: "text", text: "42" }] }), {
  annotations: { readOnlyHint: true }
})

/** A server can be connected once, so every run has its own. */
const local = (): Options => ({
  mcpServers: { "the host": createSdkMcpServer({ name: "the host", tools: [weather, picture, broken, lookUp] }) }
})

const asking = () => {
  const asked: Array<Parameters<CanUseTool>> = []
  const canUseTool: CanUseTool = async (...question) => {
    asked.push(question)
    return { behavior: "allow", updatedInput: question[1] }
  }
  return { asked, canUseTool }
}

const WEATHER = "mcp__the_host__weather"

describe("a tool of the host", () => {
  it("is offered under its server's name, asked about, run in the host, and answered to the model", async () => {
    const { asked, canUseTool } = asking()
    const prompt = `@tool ${WEATHER} {"town": "Bergen"}\n@expect Rain in Bergen\n@say so I heard`
    const { messages, result } = await run(freshWorld(), prompt, { ...local(), canUseTool })
    expect(systemLines(messages, "init")).toMatchObject([
      {
        tools: expect.arrayContaining([WEATHER, "mcp__the_host__picture"]),
        mcp_servers: [{ name: "the host", status: "connected" }]
      }
    ])
    expect(asked).toMatchObject([[WEATHER, { town: "Bergen" }, { suggestions: [{ rules: [{ toolName: WEATHER }] }] }]])
    expect(called).toContainEqual({ town: "Bergen" })
    expect(result).toMatchObject({ subtype: "success", result: "so I heard" })
  })

  it("is not run when the host says no, nor where a rule denies its server, and then is not even offered", async () => {
    called.length = 0
    const canUseTool: CanUseTool = async () => ({ behavior: "deny", message: "stay dry" })
    const refused = await run(freshWorld(), `@tool ${WEATHER} {"town": "Oslo"}`, { ...local(), canUseTool })
    expect(toolResults(refused.messages)).toEqual([expect.stringContaining("stay dry")])
    const denied = await run(freshWorld(), "@say hello", { ...local(), disallowedTools: ["mcp__the_host"] })
    expect(JSON.stringify(systemLines(denied.messages, "init"))).not.toContain("mcp__the_host__")
    expect(called).toEqual([])
  })

  it("runs unasked by an allow rule for its server", async () => {
    const { messages } = await run(freshWorld(), "@tool mcp__the_host__look_up {}", {
      ...local(),
      allowedTools: ["mcp__the_host"]
    })
    expect(toolResults(messages)).toEqual([JSON.stringify([{ type: "text", text: "42" }])])
  })

  it("is refused before anybody is asked when the input does not fit its schema", async () => {
    const { asked, canUseTool } = asking()
    const { messages } = await run(freshWorld(), `@tool ${WEATHER} {"town": 7}`, { ...local(), canUseTool })
    expect(toolResults(messages)).toEqual([expect.stringMatching(/^InputValidationError: .*\n- \/town must be string$/)])
    expect(asked).toEqual([])
  })

  it("may answer with a picture, and may fail", async () => {
    const { canUseTool } = asking()
    const prompt = "@tool mcp__the_host__picture {}\n@tool mcp__the_host__broken {}"
    const { messages } = await run(freshWorld(), prompt, { ...local(), canUseTool })
    const [shown = "", failed = ""] = toolResults(messages)
    expect(JSON.parse(shown)).toMatchObject([{ type: "text", text: "a dot" }, { type: "image" }])
    expect(failed).toContain("out of order")
  })

  it("is there without the handshake that newer hosts bring along", async () => {
    const { canUseTool } = asking()
    const world = freshWorld()
    process.env["CLAUDE_AGENT_SDK_DISABLE_MCP_MANIFESTS"] = "1"
    try {
      const { messages } = await run(world, `@tool ${WEATHER} {"town": "Voss"}`, { ...local(), canUseTool })
      expect(systemLines(messages, "init")).toMatchObject([{ mcp_servers: [{ status: "connected" }] }])
      expect(toolResults(messages)).toEqual([JSON.stringify([{ type: "text", text: "Rain in Voss" }])])
    } finally {
      delete process.env["CLAUDE_AGENT_SDK_DISABLE_MCP_MANIFESTS"]
    }
  })

  it("can come and go while the session runs", async () => {
    const { canUseTool } = asking()
    const conversation = new Conversation(freshWorld(), { canUseTool })
    await conversation.say("@say nothing yet")
    await conversation.result()
    const { mcpServers = {} } = local()
    expect(await conversation.query.setMcpServers(mcpServers)).toMatchObject({ added: ["the host"], errors: {} })
    expect(await conversation.query.mcpServerStatus()).toMatchObject([{ name: "the host", source: "sdk" }])
    await conversation.say(`@tool ${WEATHER} {"town": "Moss"}`)
    await conversation.result()
    expect(await conversation.query.setMcpServers({})).toMatchObject({ removed: ["the host"] })
    await conversation.say(`@tool ${WEATHER} {"town": "Moss"}`)
    await conversation.result()
    await conversation.leave()
    const results = toolResults(conversation.heard)
    expect(results[0]).toContain("Rain in Moss")
    expect(results[1]).toContain("No such tool available")
  })
})
