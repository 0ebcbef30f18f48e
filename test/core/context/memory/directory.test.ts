import { describe, expect, it } from "vitest"
import { type MemoryFacts, memoryPlace } from "../../../../src/core/context/memory/directory.ts"

const FACTS: MemoryFacts = {
  env: {},
  enabled: undefined,
  directory: undefined,
  isBare: false,
  home: "/home/u",
  configHome: "/home/u/.claude",
  project: "/work/a.b"
}

const place = (given: Partial<MemoryFacts>) => memoryPlace({ ...FACTS, ...given })

describe("where memory is kept", () => {
  it("is beside the transcripts of the project", () => {
    expect(place({})).toEqual({ _tag: "On", path: "/home/u/.claude/projects/-work-a-b/memory" })
    expect(place({ env: { CLAUDE_CODE_PROJECT_DIR_NAME: "mine" } })).toMatchObject({
      path: "/home/u/.claude/projects/mine/memory"
    })
  })

  it("is where user settings or a variable say", () => {
    expect(place({ directory: "~/notes/" })).toEqual({ _tag: "On", path: "/home/u/notes" })
    expect(place({ directory: "/x", env: { NACRE_MEMORY_DIR: "/y/../z" } })).toEqual({ _tag: "On", path: "/z" })
  })

  it("is nowhere when it is off", () => {
    expect(place({ isBare: true, env: { CLAUDE_CODE_DISABLE_AUTO_MEMORY: "0" } })).toMatchObject({ _tag: "Off" })
    expect(place({ env: { CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1" } })).toMatchObject({ _tag: "Off" })
    expect(place({ enabled: false })).toMatchObject({ _tag: "Off", why: "autoMemoryEnabled is false" })
    expect(place({ enabled: false, env: { CLAUDE_CODE_DISABLE_AUTO_MEMORY: "0" } })).toMatchObject({ _tag: "On" })
  })

  it("is never a place where a write could do harm", () => {
    const bad = ["/", "/home", "~/", "/home/u/.claude", "~/.ssh", "~/.aws/x", "/home/u/x/..", "relative", "~other/x", ""]
    for (const directory of bad) {
      expect(place({ directory }), directory).toMatchObject({ _tag: "Off", problem: expect.stringContaining("Fix:") })
    }
  })
})
