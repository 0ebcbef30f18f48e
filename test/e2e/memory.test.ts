import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makePlace } from "../support/built-cli.ts"
import { ask, sentText } from "../support/e2e-world.ts"
import { text, toolUse } from "../support/messages-reply.ts"
import { KEYS, Terminal } from "./line-terminal.ts"

/** What is told in one conversation is known in the next one, until it is deleted. */
describe("memory from one conversation to the next", () => {
  it("is told to the next model, is listed, and is gone when it was deleted", async () => {
    const place = makePlace()
    const first = await ask([text("hello")], "hello", { place })
    const memory = /`([^`\s]+\/memory)\/?`/.exec(sentText(first.requests[0]))?.[1] ?? ""
    expect(memory).toContain(place.config)
    const topic = "---\nname: Tabs\ndescription: They want tabs\ntype: user\n---\n\nTabs, never spaces.\n"
    const write = (name: string, content: string, id: string) =>
      toolUse("Write", { file_path: join(memory, name), content }, id)
    const replies = [
      write("tabs.md", topic, "toolu_1"),
      write("MEMORY.md", "- [Tabs](tabs.md) — they want tabs\n", "toolu_2"),
      text("kept")
    ]
    await ask(replies, "remember that I want tabs", { place })
    expect(readdirSync(memory).toSorted()).toEqual(["MEMORY.md", "tabs.md"])
    const known = await ask([text("tabs")], "tabs or spaces?", { place })
    expect(sentText(known.requests[0])).toContain("[Tabs](tabs.md)")

    const terminal = new Terminal({ place })
    await terminal.until("you: ")
    terminal.enter("/memory")
    await terminal.until("tabs.md")
    terminal.enter("/memory delete tabs.md")
    await terminal.until("you: ")
    terminal.type(KEYS.end)
    expect(await terminal.ended).toBe(0)
    expect(readdirSync(memory)).not.toContain("tabs.md")
    const forgotten = await ask([text("no idea")], "tabs or spaces?", { place })
    expect(sentText(forgotten.requests[0])).not.toContain("tabs.md")
  })
})
