import * as fc from "fast-check"
import type { Handler } from "../../../src/core/hooks/handler.ts"
import type { HookEvent } from "../../../src/core/hooks/hook-event.ts"
import { readMatcher } from "../../../src/core/hooks/matcher.ts"
import type { Answer, RawAnswer } from "../../../src/core/hooks/read-answer.ts"

/** A command handler of the user's settings. */
export const commandHandler = (event: HookEvent, more: Partial<Extract<Handler, { type: "command" }>> = {}): Handler => ({
  type: "command",
  event,
  matcher: undefined,
  pattern: readMatcher(event, undefined),
  command: "check",
  isAsync: false,
  rewakes: false,
  from: { source: "userSettings", file: "settings.json" },
  ...more
})

export const exited = (code: number, stdout: unknown = "", stderr = ""): RawAnswer => ({
  _tag: "Exited",
  code,
  stdout: typeof stdout === "string" ? stdout : JSON.stringify(stdout),
  stderr
})

const decision = fc.constantFrom("allow" as const, "ask" as const, "deny" as const)

/** Answers of a PreToolUse event, each with a place of its own. */
export const answers: fc.Arbitrary<ReadonlyArray<Answer>> = fc
  .array(
    fc.record({
      verdict: fc.option(fc.record({ decision, reason: fc.constantFrom("", "one", "two") }), { nil: undefined }),
      input: fc.option(fc.record({ command: fc.constantFrom("ls", "rm x") }), { nil: undefined }),
      context: fc.option(fc.constantFrom("note", "remark"), { nil: undefined }),
      stop: fc.option(fc.constantFrom("enough", "no more"), { nil: undefined })
    }),
    { maxLength: 6 }
  )
  .map((parts) =>
    parts.map(({ verdict, input, context, stop }, by): Answer => ({
      label: `hook ${by}`,
      by,
      ending: "success",
      ...(verdict === undefined ? {} : { verdict }),
      ...(stop === undefined ? {} : { stop }),
      effects: {
        ...(input === undefined ? {} : { updatedInput: input }),
        ...(context === undefined ? {} : { additionalContext: context })
      }
    }))
  )
