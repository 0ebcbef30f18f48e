import { describe, expect, it } from "vitest"
import { endlessCommand } from "../support/endless-command.ts"
import { stallAfter } from "../support/messages-fault.ts"
import { text } from "../support/messages-reply.ts"
import { Conversation, freshWorld, isAssistant, scriptedWorld, textOf, toolResults } from "./sdk-host.ts"

/** Interrupting the built program from a host on the public agent SDK: quickly, cleanly, and it stays usable. */
const ABORTED_TOOLS = { subtype: "error_during_execution", is_error: true, terminal_reason: "aborted_tools" }

const bash = (command: string): string => `@tool Bash ${JSON.stringify({ command })}`

/** message_start, content_block_start and the first deltas. */
const EVENTS_BEFORE_STALL = 4

describe("interrupt()", () => {
  it("during streaming keeps the words that came, and the next prompt works", async () => {
    const { server, world } = await scriptedWorld([
      stallAfter(EVENTS_BEFORE_STALL, text("The beginning of a long answer that never ends, however long we wait")),
      text("A new answer.")
    ])
    const conversation = new Conversation(world, { includePartialMessages: true })
    await conversation.say("Talk to me.")
    let deltas = 0
    await conversation.hear((message) => {
      if (message.type === "stream_event" && message.event.type === "content_block_delta") deltas += 1
      return deltas === 2
    })
    expect(await conversation.query.interrupt()).toEqual({ still_queued: [] })
    const result = await conversation.result()
    expect(result).toMatchObject({
      subtype: "error_during_execution",
      is_error: true,
      terminal_reason: "aborted_streaming"
    })
    const kept = conversation.heard.filter(isAssistant).map(textOf).join("")
    expect("The beginning of a long answer that never ends").toContain(kept.slice(0, 20))
    expect(kept).not.toBe("")
    await server.requests[0]?.closed
    expect(server.requests[0]?.aborted).toBe(true)
    await conversation.say("And now?")
    expect(await conversation.result()).toMatchObject({ subtype: "success", result: "A new answer." })
    await conversation.leave()
    const sent = JSON.stringify(server.requests[1]?.body["messages"])
    expect(sent).toMatch(/Talk to me.*The beginning.*interrupted.*And now/)
    expect(server.violations()).toEqual([])
  })

  it("during a long command kills its whole process tree, and the next prompt works", async () => {
    const endless = endlessCommand()
    const conversation = new Conversation(freshWorld(), { allowedTools: ["Bash"] })
    await conversation.say(`${bash(endless.command)}\n@say never said`)
    await conversation.hear(isAssistant)
    await endless.begun
    await conversation.query.interrupt()
    expect(await conversation.result()).toMatchObject(ABORTED_TOOLS)
    await endless.gone
    expect(toolResults(conversation.heard)).toHaveLength(1)
    await conversation.say("@say back again")
    expect(await conversation.result()).toMatchObject({ subtype: "success", result: "back again" })
    await conversation.leave()
  })

  it("while a permission question is open takes the question back", async () => {
    let withdrawn = (): void => {}
    const gone = new Promise<void>((resolve) => {
      withdrawn = resolve
    })
    const conversation: Conversation = new Conversation(freshWorld(), {
      canUseTool: (_tool, _input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            withdrawn()
            reject(new Error("withdrawn"))
          })
          void conversation.query.interrupt()
        })
    })
    await conversation.say(bash("touch never"))
    expect(await conversation.result()).toMatchObject(ABORTED_TOOLS)
    await gone
    await conversation.say("@say back again")
    expect(await conversation.result()).toMatchObject({ subtype: "success", result: "back again" })
    await conversation.leave()
  })

  it("with nothing running changes nothing", async () => {
    const conversation = new Conversation(freshWorld())
    expect(await conversation.query.interrupt()).toEqual({ still_queued: [] })
    await conversation.say("@say calm")
    expect(await conversation.result()).toMatchObject({ subtype: "success", result: "calm" })
    await conversation.leave()
  })

  it("leaves queued prompts in the queue: they run next", async () => {
    const endless = endlessCommand()
    const conversation = new Conversation(freshWorld(), { allowedTools: ["Bash"] })
    await conversation.say(bash(endless.command))
    await endless.begun
    const uuid = "11111111-1111-4111-8111-111111111111"
    await conversation.say("@say the queued one", { uuid })
    expect(await conversation.query.interrupt()).toEqual({ still_queued: [uuid] })
    expect(await conversation.result()).toMatchObject({ subtype: "error_during_execution" })
    expect(await conversation.result()).toMatchObject({ subtype: "success", result: "the queued one" })
    await conversation.leave()
  })
})

describe("leaving", () => {
  it("by abort in the middle of a command leaves no process behind", async () => {
    const endless = endlessCommand()
    const abortController = new AbortController()
    const conversation = new Conversation(freshWorld(), { allowedTools: ["Bash"], abortController })
    await conversation.say(bash(endless.command))
    await endless.begun
    abortController.abort()
    await expect(conversation.leave()).rejects.toThrow(/abort/i)
    await endless.gone
  })

  it("by close() in the middle of a command leaves no process behind", async () => {
    const endless = endlessCommand()
    const conversation = new Conversation(freshWorld(), { allowedTools: ["Bash"] })
    await conversation.say(bash(endless.command))
    await endless.begun
    conversation.query.close()
    await endless.gone
  })
})
