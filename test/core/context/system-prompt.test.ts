import { describe, expect, it } from "vitest"
import { systemPrompt, type SystemPromptInput } from "../../../src/core/context/system-prompt.ts"

const input: SystemPromptInput = {
  toolNames: ["Read", "Edit", "Bash"]
}

const texts = (prompt: SystemPromptInput): ReadonlyArray<string> => systemPrompt(prompt).map((block) => block.text)

describe("systemPrompt", () => {
  it("begins with who it is and ends with what was appended", () => {
    const blocks = texts({ ...input, append: "Be kind." })
    expect(blocks[0]).toMatch(/^You are Nacre/)
    expect(blocks.at(-1)).toBe("Be kind.")
  })

  it("says nothing of the place and the day", () => {
    expect(systemPrompt(input)).toHaveLength(1)
    expect(systemPrompt(input)[0]).toHaveProperty("cache_control")
    expect(texts(input)[0]).not.toMatch(/Working directory|Today/)
  })

  it("gives equal bytes for equal input, whatever the order of the tools", () => {
    expect(texts({ ...input, toolNames: ["Bash", "Edit", "Read"] })).toEqual(texts(input))
  })

  it("lets a custom prompt replace identity and behaviour only", () => {
    const blocks = texts({ ...input, custom: "You are a poet.", append: "End." })
    expect(blocks[0]).toMatch(/^You are a poet\./)
    expect(blocks[0]).not.toContain("Nacre")
    expect(blocks.at(-1)).toBe("End.")
  })

  it("gives advice only for tools that are there", () => {
    expect(texts(input)[0]).toContain("Edit replaces exact text")
    expect(texts({ ...input, toolNames: ["Bash"] })[0]).not.toContain("Edit replaces exact text")
  })

  it("is one sentence for a host that gave no prompt", () => {
    const blocks = texts({ ...input, sdkMinimal: true })
    expect(blocks).toHaveLength(1)
    expect(blocks[0]?.length).toBeGreaterThan(120)
    expect(blocks[0]?.length).toBeLessThan(150)
    expect(texts({ ...input, sdkMinimal: true, append: "More." })).toHaveLength(2)
    expect(texts({ ...input, sdkMinimal: true, custom: "Mine." })[0]).toMatch(/^Mine\./)
  })

  it("leaves out git rules when asked", () => {
    expect(texts({ ...input, gitInstructions: false })[0]).not.toContain("# Git")
  })
})
