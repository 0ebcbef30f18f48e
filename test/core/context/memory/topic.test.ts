import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readFrontmatterForTest } from "./yaml-of.ts"
import { isMemoryFile, isTopicFile } from "../../../../src/core/context/memory/memory-file.ts"
import { MEMORY_TYPES, readTopic, renderTopic, stampTopic } from "../../../../src/core/context/memory/topic.ts"

const AT = "2026-01-02T03:04:05.000Z"

describe("a topic of the memory", () => {
  it("is read with what stands before it", () => {
    const text = '---\nname: "Tabs"\ndescription: wants tabs\ntype: user\nown: kept\n---\n\nTabs, not blanks.\n'
    expect(readTopic(text)).toEqual({
      name: "Tabs",
      description: "wants tabs",
      type: "user",
      modified: undefined,
      body: "\nTabs, not blanks.\n"
    })
  })

  it("may be any text", () => {
    expect(readTopic("just words")).toMatchObject({ name: "", type: undefined, body: "just words" })
    expect(readTopic("---\nname: x\n")).toMatchObject({ name: "", body: "---\nname: x\n" })
    expect(readTopic("---\ntype: order\n---\nx")).toMatchObject({ type: undefined, body: "x" })
  })

  it("is stamped when it is written; nothing else of it changes", () => {
    expect(stampTopic("---\nname: x\nown: kept\n---\nbody", AT)).toBe(`---\nname: x\nown: kept\nmodified: ${AT}\n---\nbody`)
    expect(stampTopic(stampTopic("---\nname: x\n---\nbody", "2020-01-01T00:00:00.000Z"), AT)).toContain(
      `modified: ${AT}\n---`
    )
    expect(stampTopic("no front matter", AT)).toBe("no front matter")
  })

  it("comes back as it was made, and every reader of YAML agrees", () => {
    const words = fc.string({ unit: "grapheme", maxLength: 80 })
    fc.assert(
      fc.property(words, words, fc.constantFrom(...MEMORY_TYPES), words, (name, description, type, body) => {
        const text = renderTopic({ name, description, type, body }, AT)
        const plain = (value: string): string => value.replace(/\s+/g, " ").trim()
        expect(readTopic(text)).toMatchObject({ type, modified: AT })
        expect(readFrontmatterForTest(text)).toMatchObject({
          name: plain(name),
          description: plain(description),
          type,
          source: "conversation"
        })
      })
    )
  })

  it("never breaks a reader, whatever a file holds", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("---", "\n", "\r\n", "name:", ": ", '"', "modified: x")
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join("")
        readTopic(text)
        expect(stampTopic(stampTopic(text, AT), AT)).toBe(stampTopic(text, AT))
      })
    )
  })
})

describe("names", () => {
  it("are never paths", () => {
    const bad = ["../x.md", "a/b.md", "/etc/x.md", ".hidden.md", "x.txt", "a..b.md", "", "x.md\n", "a\\b.md"]
    for (const name of bad) expect(isMemoryFile(name), name).toBe(false)
    expect(isMemoryFile("MEMORY.md")).toBe(true)
    expect(isTopicFile("memory.md")).toBe(false)
    expect(isTopicFile("user_likes-tabs.v2.md")).toBe(true)
  })
})
