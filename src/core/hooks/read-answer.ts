import { Schema } from "effect"
import { isRaw, type JsonObject } from "../domain/json/json-object.ts"
import { type Handler, labelOf } from "./handler.ts"
import { type EffectName, type HookEvent, specOf } from "./hook-event.ts"

/** How a handler came back, before anybody has read what it says. */
export type RawAnswer =
  | { readonly _tag: "Exited"; readonly code: number | null; readonly stdout: string; readonly stderr: string }
  | { readonly _tag: "Replied"; readonly status: number; readonly body: string }
  | { readonly _tag: "Returned"; readonly value: unknown }
  | { readonly _tag: "Judged"; readonly ok: boolean; readonly reason: string; readonly impossible: boolean }
  /** It could not be started, or broke. */
  | { readonly _tag: "Failed"; readonly why: string }
  | { readonly _tag: "TimedOut"; readonly afterMs: number }
  | { readonly _tag: "InBackground" }

const DECISIONS = ["allow", "ask", "deny"] as const
export type HookDecision = (typeof DECISIONS)[number]

/** The values of `hookSpecificOutput` that have the type they must have. */
export type Effects = { readonly [K in EffectName]?: unknown }

/** What one handler says. */
export interface Answer {
  readonly label: string
  /** Its place among the handlers of the event. */
  readonly by: number
  readonly ending: "success" | "error" | "background"
  readonly verdict?: { readonly decision: HookDecision; readonly reason: string }
  /** A no that is not a verdict on a call. */
  readonly block?: string
  readonly stop?: string
  /** For the user. */
  readonly message?: string
  /** What went wrong, for the user. */
  readonly problem?: string
  readonly effects: Effects
  /** Plain words on stdout that the model is told. */
  readonly said?: string
  readonly suppressesOutput?: boolean
}

const Output = Schema.Struct({
  continue: Schema.optionalKey(Schema.Boolean),
  stopReason: Schema.optionalKey(Schema.String),
  suppressOutput: Schema.optionalKey(Schema.Boolean),
  systemMessage: Schema.optionalKey(Schema.String),
  decision: Schema.optionalKey(Schema.Literals(["approve", "block"])),
  reason: Schema.optionalKey(Schema.String),
  hookSpecificOutput: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})
type Output = typeof Output.Type
const isOutput = Schema.is(Output)

const EFFECTS: Readonly<Record<EffectName, (value: unknown) => boolean>> = {
  additionalContext: Schema.is(Schema.String),
  permissionDecision: Schema.is(Schema.Literals([...DECISIONS, "defer"])),
  updatedInput: isRaw,
  decision: Schema.is(Schema.Struct({ behavior: Schema.Literals(["allow", "deny"]) })),
  retry: Schema.is(Schema.Boolean),
  updatedToolOutput: (value) => value !== undefined,
  updatedMCPToolOutput: (value) => value !== undefined,
  initialUserMessage: Schema.is(Schema.String),
  sessionTitle: Schema.is(Schema.String),
  suppressOriginalPrompt: Schema.is(Schema.Boolean),
  displayContent: Schema.is(Schema.String)
}

const NO_REASON = "blocked by hook"

interface Reading {
  readonly handler: Handler
  readonly by: number
}

const baseOf = ({ handler, by }: Reading): Pick<Answer, "label" | "by" | "effects" | "ending"> => ({
  label: labelOf(handler),
  by,
  effects: {},
  ending: "success"
})

/** A no, as the event understands it. */
const refusal = (event: HookEvent, reason: string): Pick<Answer, "verdict" | "block" | "problem"> => {
  const { blocking } = specOf(event)
  if (blocking === "deny") return { verdict: { decision: "deny", reason } }
  return blocking === "tell" ? { problem: reason } : { block: reason }
}

const failedWith = (reading: Reading, problem: string): Answer => ({ ...baseOf(reading), ending: "error", problem })

/** Going on without the word of a host before a call or a prompt, or of an administrator before a call, is not safe. */
const isGate = ({ type, event, from }: Handler): boolean =>
  type === "callback"
    ? event === "PreToolUse" || event === "UserPromptSubmit"
    : from.source === "policySettings" && event === "PreToolUse"

/** No word came: a no where going on would be unsafe, or where the handler wants that. */
const silent = (reading: Reading, problem: string, wish: "block" | "allow" | "continue" | undefined): Answer => {
  const { handler } = reading
  const blocks = wish === undefined ? isGate(handler) : wish === "block"
  const failed = failedWith(reading, problem)
  return blocks ? { ...failed, ...refusal(handler.event, `hook failed: ${problem}`) } : failed
}

const wrongField = (specific: JsonObject, allowed: ReadonlyArray<EffectName>): EffectName | undefined =>
  allowed.find((name) => specific[name] !== undefined && specific[name] !== null && !EFFECTS[name](specific[name]))

const effectsIn = (specific: JsonObject, allowed: ReadonlyArray<EffectName>): Effects =>
  Object.fromEntries(
    allowed.flatMap((name) => (EFFECTS[name](specific[name]) && specific[name] != null ? [[name, specific[name]]] : []))
  )

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

/** Why an answer cannot be used as a whole. */
const faultOf = (event: HookEvent, output: unknown): string | undefined => {
  if (!isOutput(output)) return "its JSON has a field of the wrong type"
  const specific = output.hookSpecificOutput ?? {}
  const named = specific["hookEventName"]
  if (named !== undefined && named !== event)
    return `its answer is for ${JSON.stringify(named)}, not for ${event}; it is not used`
  const wrong = wrongField(specific, specOf(event).effects)
  return wrong === undefined ? undefined : `its field ${wrong} has the wrong type`
}

const verdictIn = (event: HookEvent, output: Output, effects: Effects): Pick<Answer, "verdict" | "block" | "problem"> => {
  if (event !== "PreToolUse") return output.decision === "block" ? refusal(event, output.reason ?? NO_REASON) : {}
  const specific = output.hookSpecificOutput ?? {}
  const decision = effects.permissionDecision
  const reason = textOf(specific["permissionDecisionReason"]) ?? output.reason
  if (decision === "allow" || decision === "ask" || decision === "deny") {
    return { verdict: { decision, reason: reason ?? "" } }
  }
  if (decision === "defer")
    return { problem: "it wants to defer the call, which this version cannot do; its answer is ignored" }
  if (output.decision === undefined) return {}
  return { verdict: { decision: output.decision === "block" ? "deny" : "allow", reason: output.reason ?? "" } }
}

const readOutput = (reading: Reading, output: unknown): Answer => {
  const { event } = reading.handler
  const fault = faultOf(event, output)
  if (fault !== undefined || !isOutput(output)) return failedWith(reading, fault ?? "")
  const effects = effectsIn(output.hookSpecificOutput ?? {}, specOf(event).effects)
  return {
    ...baseOf(reading),
    ...verdictIn(event, output, effects),
    ...(output.continue === false && specOf(event).observes !== true
      ? { stop: output.stopReason ?? "stopped by a hook" }
      : {}),
    ...(textOf(output.systemMessage) === undefined ? {} : { message: output.systemMessage ?? "" }),
    ...(output.suppressOutput === true ? { suppressesOutput: true } : {}),
    effects
  }
}

/** An object, if the text is one; anything else is plain words. */
export const jsonIn = (stdout: string): JsonObject | undefined => {
  const trimmed = stdout.trimStart()
  if (!trimmed.startsWith("{")) return undefined
  try {
    const value: unknown = JSON.parse(trimmed)
    return isRaw(value) ? value : undefined
  } catch {
    return undefined
  }
}

const firstLine = (text: string): string => text.trim().split("\n", 1)[0] ?? ""

const BLOCKED = 2

/** Exit code 2 says no wherever that can be said, whatever was printed. */
const readRefusal = (reading: Reading, stdout: string, stderr: string): Answer => {
  const { handler } = reading
  const output = jsonIn(stdout)
  const read = output === undefined ? undefined : readOutput(reading, output)
  const usable = read?.ending === "success" ? read : baseOf(reading)
  const spoken = read?.verdict?.decision === "deny" ? read.verdict.reason : read?.block
  const words = stderr.trim() === "" ? NO_REASON : stderr.trim()
  const reason = spoken !== undefined && spoken !== "" ? spoken : `[${labelOf(handler)}]: ${words}`
  const { verdict: _verdict, block: _block, ...rest } = { verdict: undefined, block: undefined, ...usable }
  return { ...rest, ending: "error", ...refusal(handler.event, reason) }
}

const readExit = (reading: Reading, { code, stdout, stderr }: Extract<RawAnswer, { readonly _tag: "Exited" }>): Answer => {
  const { handler } = reading
  if (code === BLOCKED) return readRefusal(reading, stdout, stderr)
  const output = jsonIn(stdout)
  if (output !== undefined) return readOutput(reading, output)
  if (code === 0) {
    const said = stdout.trim()
    return said === "" || specOf(handler.event).plainText === undefined ? baseOf(reading) : { ...baseOf(reading), said }
  }
  const why = firstLine(stderr) === "" ? `exit code ${code ?? "unknown"}` : firstLine(stderr)
  const problem = `Failed with non-blocking status code: ${why}`
  return handler.event === "WorktreeCreate" ? { ...failedWith(reading, problem), block: why } : failedWith(reading, problem)
}

const readReply = (reading: Reading, { status, body }: Extract<RawAnswer, { readonly _tag: "Replied" }>): Answer => {
  if (status < 200 || status > 299) return failedWith(reading, `the server answered with status ${status}`)
  if (body.trim() === "") return baseOf(reading)
  const output = jsonIn(body)
  return output === undefined
    ? failedWith(reading, "the server answered with something that is not a JSON object")
    : readOutput(reading, output)
}

/** What the model said about the event. A no ends the turn, unless the handler wants it to go on with the reason. */
const readJudgement = (reading: Reading, { ok, reason }: Extract<RawAnswer, { readonly _tag: "Judged" }>): Answer => {
  const { handler } = reading
  if (ok) return baseOf(reading)
  const why = reason === "" ? NO_REASON : reason
  const goesOn = handler.type === "agent" || (handler.type === "prompt" && handler.continueOnBlock)
  const { blocking } = specOf(handler.event)
  const ends = !goesOn && blocking !== "continue" && blocking !== "tell"
  return { ...baseOf(reading), ...refusal(handler.event, why), ...(ends ? { stop: why } : {}) }
}

const seconds = (ms: number): string => `${ms / 1_000} s`

/** Whatever came back, an answer: never more than what the event lets hooks change. */
export const readAnswer = (reading: Reading, raw: RawAnswer): Answer => {
  switch (raw._tag) {
    case "Exited":
      return readExit(reading, raw)
    case "Replied":
      return readReply(reading, raw)
    case "Returned":
      return isRaw(raw.value) ? readOutput(reading, raw.value) : baseOf(reading)
    case "Judged":
      return readJudgement(reading, raw)
    case "Failed":
      return silent(reading, raw.why, reading.handler.onFailure)
    case "TimedOut":
      return silent(
        reading,
        `no answer within ${seconds(raw.afterMs)}`,
        reading.handler.onTimeout ?? reading.handler.onFailure
      )
    case "InBackground":
      return { ...baseOf(reading), ending: "background" }
  }
}
