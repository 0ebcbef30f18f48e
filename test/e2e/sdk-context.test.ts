import { describe, expect, it } from "vitest"
import { text, toolUse } from "../support/messages-reply.ts"
import { putFile } from "../support/temp-world.ts"
import { Conversation, isAssistant, scriptedWorld } from "./sdk-host.ts"

/** What the public agent SDK learns of the window. */
describe.concurrent("the window of a conversation that a host holds", () => {
  it("is told piece by piece, as the endpoint counted it", async () => {
    const { server, world } = await scriptedWorld(() => text("seven"))
    putFile(`${world.cwd}/CLAUDE.md`, "# Rules\nUse pnpm.\n")
    const conversation = new Conversation(world, { settingSources: ["project"], env: { ...world.env, NACRE_TRUST: "1" } })
    await conversation.say("What is three plus four?")
    await conversation.result()
    const usage = await conversation.query.getContextUsage()
    const counted = usage.apiUsage
    expect(usage.totalTokens).toBe((counted?.input_tokens ?? 0) + (counted?.output_tokens ?? 0))
    expect(counted?.input_tokens).toBe(Math.ceil((server.requests[0]?.rawBody.length ?? 0) / 4))
    expect(usage.memoryFiles).toMatchObject([{ path: `${world.cwd}/CLAUDE.md`, type: "project" }])
    const ids = usage.categories.map(({ id }) => id)
    expect(ids).toEqual(
      expect.arrayContaining([
        "system_prompt",
        "system_tools",
        "memory_files",
        "messages",
        "autocompact_buffer",
        "free_space"
      ])
    )
    expect(usage.categories.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(usage.maxTokens)
    expect(usage.autoCompactThreshold).toBeLessThan(usage.maxTokens)
    await conversation.leave()
  })

  it("tells calls and results by tool, and /context as a prompt is answered without a request", async () => {
    const { server, world } = await scriptedWorld([toolUse("Glob", { pattern: "*" }), text("nothing there")])
    const conversation = new Conversation(world, { allowedTools: ["Glob"] })
    await conversation.say("look around")
    await conversation.result()
    const { messageBreakdown } = await conversation.query.getContextUsage()
    expect(messageBreakdown?.toolCallsByType).toMatchObject([{ name: "Glob", callTokens: expect.any(Number) }])
    await conversation.say("/context")
    const answer = await conversation.hear((message) => isAssistant(message) && message.message.model === "<synthetic>")
    expect(JSON.stringify(answer)).toContain("Tool results")
    expect(await conversation.result()).toMatchObject({ subtype: "success", num_turns: 0 })
    expect(server.requests).toHaveLength(2)
    await conversation.leave()
  })
})
