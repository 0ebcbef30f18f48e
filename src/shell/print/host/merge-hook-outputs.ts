import { Schema } from "effect"
import type { HookOutcome } from "../../../core/loop/machine/event.ts"
import type { HookEvent } from "../../../core/loop/machine/state.ts"

/** The part of a hook's JSON output that decides something. */
const HookOutput = Schema.Struct({
  continue: Schema.optionalKey(Schema.Boolean),
  stopReason: Schema.optionalKey(Schema.String),
  decision: Schema.optionalKey(Schema.String),
  reason: Schema.optionalKey(Schema.String),
  hookSpecificOutput: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})
const isHookOutput = Schema.is(HookOutput)

type Answer = ({ readonly ok: true; readonly response: unknown } | { readonly ok: false; readonly error: string }) & {
  readonly onFailure: "continue" | "block" | undefined
}

/** A callback that failed decides nothing, except where going on without its word would be unsafe. */
const failed = (event: HookEvent, error: string, onFailure: Answer["onFailure"]): HookOutcome => {
  const unsafe = event === "PreToolUse" || event === "UserPromptSubmit"
  const blocks = onFailure === undefined ? unsafe : onFailure === "block"
  return blocks ? { block: `hook failed: ${error}` } : {}
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const joined = (left: string | undefined, right: string | undefined): string | undefined =>
  left === undefined ? right : right === undefined ? left : `${left}\n${right}`

const VERDICTS = new Set(["allow", "ask", "deny"])

const readOutput = (event: HookEvent, answer: Answer): HookOutcome => {
  if (!answer.ok) return failed(event, answer.error, answer.onFailure)
  const output = answer.response
  if (!isHookOutput(output)) return {}
  const specific = output.hookSpecificOutput ?? {}
  const verdict = specific["permissionDecision"]
  const reason = text(specific["permissionDecisionReason"]) ?? output.reason
  const context = text(specific["additionalContext"])
  const updatedOutput = text(specific["updatedToolOutput"])
  const block = output.decision === "block" ? (output.reason ?? "blocked by a hook") : undefined
  // Context at the end of a turn can only be heard if the turn goes on.
  const goesOn = event === "Stop" ? joined(block, context) : block
  return {
    ...(output.continue === false ? { stop: output.stopReason ?? "stopped by a hook" } : {}),
    ...(goesOn === undefined ? {} : { block: goesOn }),
    ...(typeof verdict === "string" && VERDICTS.has(verdict)
      ? { decision: verdict as "allow" | "ask" | "deny" }
      : output.decision === "approve"
        ? { decision: "allow" as const }
        : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(specific["updatedInput"] === undefined ? {} : { updatedInput: specific["updatedInput"] }),
    ...(updatedOutput === undefined ? {} : { updatedOutput }),
    ...(context === undefined ? {} : { context })
  }
}

const RANK = { allow: 0, ask: 1, deny: 2 } as const

const stricter = (left: HookOutcome, right: HookOutcome): HookOutcome =>
  right.decision !== undefined && (left.decision === undefined || RANK[right.decision] > RANK[left.decision]) ? right : left

const merge = (left: HookOutcome, right: HookOutcome): HookOutcome => {
  const decided = stricter(left, right)
  const context = joined(left.context, right.context)
  const block = joined(left.block, right.block)
  const stop = left.stop ?? right.stop
  const updatedInput = left.updatedInput ?? right.updatedInput
  const updatedOutput = right.updatedOutput ?? left.updatedOutput
  return {
    ...(decided.decision === undefined ? {} : { decision: decided.decision }),
    ...(decided.reason === undefined ? {} : { reason: decided.reason }),
    ...(updatedInput === undefined ? {} : { updatedInput }),
    ...(updatedOutput === undefined ? {} : { updatedOutput }),
    ...(context === undefined ? {} : { context }),
    ...(block === undefined ? {} : { block }),
    ...(stop === undefined ? {} : { stop })
  }
}

/** All answers of one event as one: the strictest decision wins, texts are joined, the first changed input counts. */
export const mergeHookOutputs = (event: HookEvent, answers: ReadonlyArray<Answer>): HookOutcome =>
  answers.map((answer) => readOutput(event, answer)).reduce(merge, {})
