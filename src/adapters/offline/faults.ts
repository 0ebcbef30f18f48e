/** The faults that a script may ask for: how they are written, whom they hit, and what the endpoint would have said. */
import { Result } from "effect"
import type { ModelFailure } from "../../core/model/failure/model-failure.ts"
import { graphemes } from "./chunks.ts"
import type { PastResponse } from "./conversation.ts"
import { type Entry, type Fault, FAULT_KINDS, type FaultKind } from "./entry.ts"

const isKind = (text: string): text is FaultKind => FAULT_KINDS.some((kind) => kind === text)

const COUNT = /^[1-9]\d{0,5}$/
const RATE_LIMIT = /^rate_limit:(\d{1,6}(?:\.\d{1,3})?)$/

const parseKind = (word: string): Pick<Fault, "kind" | "retryAfterMs"> | undefined => {
  const seconds = RATE_LIMIT.exec(word)?.[1]
  if (seconds !== undefined) return { kind: "rate_limit", retryAfterMs: Math.round(Number(seconds) * 1_000) }
  if (word === "disconnect") return { kind: "disconnect:before" }
  return isKind(word) ? { kind: word } : undefined
}

/** `KIND [COUNT] [MODEL]`, for example `overloaded 2` or `rate_limit:3 1 offline-b`. */
export const parseFault = (text: string): Result.Result<Fault, string> => {
  const [word = "", ...rest] = text.trim().split(/\s+/)
  const kind = parseKind(word)
  if (kind === undefined) {
    return Result.fail(`unknown fault "${word}"; known are ${FAULT_KINDS.join(", ")} (rate_limit:SECONDS is possible)`)
  }
  const counted = rest[0] !== undefined && COUNT.test(rest[0])
  const [model, ...surplus] = counted ? rest.slice(1) : rest
  if (surplus.length > 0 || (model !== undefined && !model.startsWith("offline"))) {
    return Result.fail(`a fault is written "KIND [COUNT] [MODEL]" with a model named offline…, not "${text.trim()}"`)
  }
  return Result.succeed({ ...kind, count: counted ? Number(rest[0]) : 1, ...(model === undefined ? {} : { model }) })
}

const hitsModel = (fault: Fault, model: string): boolean =>
  fault.model === undefined ? !model.startsWith("offline-") : fault.model === model

/** The fault that hits when `used` requests for this response were hit before; faults take their turns in order. */
export const faultAt = (entry: Entry, used: number, model: string): Fault | undefined => {
  let past = 0
  for (const fault of (entry.faults ?? []).filter((candidate) => hitsModel(candidate, model))) {
    past += fault.count
    if (used < past) return fault
  }
  return undefined
}

export const promptTooLong = (tokens: number, windowTokens: number): ModelFailure => ({
  kind: "http",
  status: 400,
  errorType: "invalid_request_error",
  message: `prompt is too long: ${tokens} tokens > ${windowTokens} maximum`
})

const http = (status: number, errorType: string, message: string): ModelFailure => ({
  kind: "http",
  status,
  errorType,
  message
})

export const CONNECTION_CUT: ModelFailure = {
  kind: "network",
  status: null,
  errorType: null,
  message: "The connection was closed before the response was complete (scripted fault).",
  code: "ECONNRESET"
}

/** Faults that answer with a failure and not one event; undefined for those that spoil a response. */
export const refusedWith = (fault: Fault): ModelFailure | undefined => {
  switch (fault.kind) {
    case "overloaded":
      return http(529, "overloaded_error", "Overloaded (scripted fault)")
    case "rate_limit":
      return {
        ...http(429, "rate_limit_error", "Too many requests (scripted fault)"),
        retryAfterMs: fault.retryAfterMs ?? 1_000
      }
    case "server_error":
      return http(500, "api_error", "Internal server error (scripted fault)")
    case "auth":
      return http(401, "authentication_error", "invalid x-api-key (scripted fault)")
    case "prompt_too_long":
      return promptTooLong(210_000, 200_000)
    case "image_too_large":
      return http(
        400,
        "invalid_request_error",
        "messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 7340032 bytes > 5242880 bytes"
      )
    case "disconnect:before":
      return { ...CONNECTION_CUT, message: "The connection could not be made (scripted fault)." }
    default:
      return undefined
  }
}

const REFUSAL_TEXT = "I will not answer this (scripted fault: refusal)."

const cuts = (entry: Entry): number =>
  (entry.faults ?? []).filter((fault) => fault.kind === "max_tokens").reduce((sum, fault) => sum + fault.count, 0)

/** The text from one cut to another when it is cut into equal parts; undefined when it is too short for that. */
const between = (entry: Entry, from: number, to: number): string | undefined => {
  const clusters = graphemes(entry.text ?? "")
  const parts = cuts(entry) + 1
  const at = (part: number): number => Math.floor((clusters.length * Math.min(part, parts)) / parts)
  return clusters.length < parts ? undefined : clusters.slice(at(from), at(to)).join("")
}

const piece = (entry: Entry, part: number): string =>
  between(entry, part, part + 1) ?? `(part ${part + 1}, cut by the output limit) `

/** What still has to be said when `traces` cut answers are in the history. */
export const afterCuts = (entry: Entry, traces: number): Entry => {
  const rest = traces === 0 ? undefined : between(entry, Math.min(traces, cuts(entry)), Infinity)
  return rest === undefined ? entry : { ...entry, text: rest }
}

/** The response that a fault leaves in place of the planned one. */
export const applyFault = (entry: Entry, fault: Fault, traces: number): Entry => {
  const { tools: _tools, think: _think, ...bare } = entry
  switch (fault.kind) {
    case "max_tokens":
      return { ...bare, text: piece(entry, traces), stop: "max_tokens" }
    case "refusal":
      return { ...bare, text: REFUSAL_TEXT, stop: "refusal" }
    case "empty":
      return { ...bare, text: "", stop: "end_turn" }
    case "bad_json":
      return { ...entry, tools: [entry.tools?.[0] ?? { name: "Read", input: {} }] }
    case "disconnect:thinking":
      return { ...entry, think: entry.think ?? "Let me think about this." }
    case "disconnect:text":
      return { ...entry, text: entry.text ?? "Let me begin with this." }
    default:
      return entry
  }
}

/** Whether a response in the history is what a fault left of the entry, so that the entry itself is still due. */
export const isTrace = (entry: Entry, response: PastResponse, traces: number): boolean => {
  if (response.calls.length > 0) return false
  const said = response.text.trim()
  return (entry.faults ?? []).some(
    (fault) =>
      (fault.kind === "max_tokens" && said === piece(entry, traces).trim()) ||
      (fault.kind === "refusal" && said === REFUSAL_TEXT)
  )
}
