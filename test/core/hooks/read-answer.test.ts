import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { HOOK_EVENT_NAMES, type HookEvent, specOf } from "../../../src/core/hooks/hook-event.ts"
import { type Answer, type RawAnswer, readAnswer } from "../../../src/core/hooks/read-answer.ts"
import { commandHandler, exited } from "./answers.ts"

const read = (event: HookEvent, raw: RawAnswer, more: Parameters<typeof commandHandler>[1] = {}): Answer =>
  readAnswer({ handler: commandHandler(event, more), by: 0 }, raw)

const specific = (event: HookEvent, fields: Record<string, unknown>) => ({
  hookSpecificOutput: { hookEventName: event, ...fields }
})

describe("what a command says", () => {
  it("with exit code 0 and words: context where the event wants it, nothing elsewhere", () => {
    expect(read("UserPromptSubmit", exited(0, "the build is red\n")).said).toBe("the build is red")
    expect(read("PreToolUse", exited(0, "words"))).toEqual({ label: "check", by: 0, ending: "success", effects: {} })
    expect(read("UserPromptSubmit", exited(0, "{broken")).said).toBe("{broken")
  })

  it("with exit code 2 is a no in the words of stderr, as the event understands it", () => {
    expect(read("PreToolUse", exited(2, "", "frozen\n")).verdict).toEqual({ decision: "deny", reason: "[check]: frozen" })
    expect(read("Stop", exited(2, "", "go on")).block).toBe("[check]: go on")
    expect(read("SessionStart", exited(2, "", "careful"))).toMatchObject({ problem: "[check]: careful" })
  })

  it("with exit code 2 is a no whatever its JSON allows; the rest of the JSON counts", () => {
    const answer = specific("PreToolUse", { permissionDecision: "allow", additionalContext: "note" })
    const { verdict, effects } = read("PreToolUse", exited(2, answer, "frozen"))
    expect(verdict?.decision).toBe("deny")
    expect(effects.additionalContext).toBe("note")
  })

  it("with another exit code is an error, unless it says something in JSON", () => {
    expect(read("PreToolUse", exited(1, "", "boom\nmore"))).toMatchObject({
      ending: "error",
      problem: "Failed with non-blocking status code: boom"
    })
    const denied = read("PreToolUse", exited(1, specific("PreToolUse", { permissionDecision: "deny" })))
    expect([denied.verdict?.decision, denied.problem]).toEqual(["deny", undefined])
  })

  it("for another event is not used", () => {
    const answer = read("PreToolUse", exited(0, specific("PostToolUse", { additionalContext: "x" })))
    expect([answer.effects, answer.problem]).toEqual([{}, expect.stringContaining("not for PreToolUse")])
  })

  it("never changes more than its event lets it", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...HOOK_EVENT_NAMES),
        fc.dictionary(
          fc.constantFrom("additionalContext", "updatedInput", "permissionDecision", "decision", "sessionTitle", "retry"),
          fc.oneof(fc.string(), fc.constant({ behavior: "allow" }), fc.boolean(), fc.integer())
        ),
        fc.integer({ min: 0, max: 3 }),
        (event, fields, code) => {
          const { effects } = read(event, exited(code, specific(event, fields)))
          expect(specOf(event).effects).toEqual(expect.arrayContaining(Object.keys(effects)))
        }
      )
    )
  })

  it("with exit code 2 says no wherever the event can hear it, for every stdout", () => {
    fc.assert(
      fc.property(fc.constantFrom(...HOOK_EVENT_NAMES), fc.oneof(fc.string(), fc.json()), (event, stdout) => {
        const { verdict, block, problem } = read(event, exited(2, stdout, "no"))
        const { blocking } = specOf(event)
        if (blocking === "deny") expect(verdict?.decision).toBe("deny")
        else if (blocking === "tell") expect(problem).toBeDefined()
        else expect(block).toBeDefined()
      })
    )
  })
})

describe("silence", () => {
  const late: RawAnswer = { _tag: "TimedOut", afterMs: 2_000 }

  it("of a user's handler is no verdict, of an administrator's gate it is a no", () => {
    expect(read("PreToolUse", late)).toMatchObject({ problem: "no answer within 2 s" })
    expect(read("PreToolUse", late).verdict).toBeUndefined()
    const managed = { from: { source: "policySettings", file: "managed-settings.json" } } as const
    expect(read("PreToolUse", late, managed).verdict?.decision).toBe("deny")
    expect(read("PreToolUse", { _tag: "Failed", why: "not found" }, managed).verdict?.decision).toBe("deny")
    expect(read("PostToolUse", late, managed).block).toBeUndefined()
  })

  it("means what the handler says that it means", () => {
    expect(read("PreToolUse", late, { onTimeout: "block" }).verdict?.decision).toBe("deny")
  })
})
