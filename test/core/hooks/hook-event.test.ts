import { HOOK_EVENTS as SDK_EVENTS } from "@anthropic-ai/claude-agent-sdk"
import { describe, expect, it } from "vitest"
import { HOOK_EVENT_NAMES, specOf, subjectOf } from "../../../src/core/hooks/hook-event.ts"

describe("the table of hook events", () => {
  it("has every event that hosts know", () => {
    expect([...HOOK_EVENT_NAMES].sort()).toEqual([...SDK_EVENTS].sort())
  })

  it.each(HOOK_EVENT_NAMES.filter((event) => specOf(event).matches !== undefined))(
    "%s has what its matchers are compared with in its sample",
    (event) => {
      expect(subjectOf(event, specOf(event).sample)).toEqual(expect.any(String))
    }
  )
})
