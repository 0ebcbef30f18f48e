/**
 * The offline model as a pure function. The only thing that history cannot show is how often the very same response
 * was asked for and refused; that number comes in as `attempt`.
 */
import type { ModelRequest } from "../../core/model/request/model-request.ts"
import type { ModelFailure } from "../../core/model/failure/model-failure.ts"
import type { ModelEvent } from "../../core/model/stream/model-event.ts"
import type { Entry, Fault } from "./entry.ts"
import { failedExpectation } from "./expectation.ts"
import { afterCuts, CONNECTION_CUT, faultAt, promptTooLong, refusedWith, applyFault } from "./faults.ts"
import { digest } from "./hash.ts"
import { type Decided, decide } from "./plan.ts"
import { cutAt, render, stalledAfter, completeResponse } from "./render.ts"
import { requestTokens } from "./usage.ts"

export interface OfflineOptions {
  /** Pause before each chunk; 0 streams without pauses. */
  readonly delayMs: number
  readonly windowTokens: number
  /** How long a scripted stall lasts before it counts as one; 0 is for ever. */
  readonly idleAbortMs?: number
  /** Somebody looks at panes and presses keys: the tour shows both. */
  readonly hasPanes?: boolean
  /** Contents of the script file, if one was named. */
  readonly script?: string
}

/** How the stream ends after its events; a stall never does. */
type End =
  | { readonly _tag: "Complete" }
  | { readonly _tag: "Fail"; readonly failure: ModelFailure }
  | { readonly _tag: "Stall" }

export interface Outcome {
  readonly events: ReadonlyArray<ModelEvent>
  readonly end: End
  /** A scripted fault hit this request. */
  readonly faulted: boolean
  readonly delayMs: number
}

/** A response that is ready to be given: `key` names it across repeated requests for it. */
interface Prepared {
  readonly key: string
  readonly at: (attempt: number) => Outcome
}

const COMPLETE: End = { _tag: "Complete" }
const STALL: End = { _tag: "Stall" }
const failing = (failure: ModelFailure): End => ({ _tag: "Fail", failure })

interface ResponseContext {
  readonly request: ModelRequest
  readonly decided: Decided
  readonly seed: string
  readonly delayMs: number
}

const spoiledOutcome = ({ request, decided, seed, delayMs }: ResponseContext, fault: Fault): Outcome => {
  const refusal = refusedWith(fault)
  if (refusal !== undefined) return { events: [], end: failing(refusal), faulted: true, delayMs }
  const { due } = decided
  const kind = fault.kind === "bad_json" ? "malformed" : due.kind
  const rendered = render({ request, entry: applyFault(due.entry, fault, due.traces), seed, index: due.index, kind })
  switch (fault.kind) {
    case "disconnect:thinking":
      return { events: cutAt(rendered, "thinking"), end: failing(CONNECTION_CUT), faulted: true, delayMs }
    case "disconnect:text":
      return { events: cutAt(rendered, "text"), end: failing(CONNECTION_CUT), faulted: true, delayMs }
    case "disconnect:tool":
      return { events: cutAt(rendered, "tool"), end: failing(CONNECTION_CUT), faulted: true, delayMs }
    case "stall":
      return { events: stalledAfter(rendered), end: STALL, faulted: true, delayMs }
    default:
      return { events: completeResponse(rendered), end: COMPLETE, faulted: true, delayMs }
  }
}

const plainOutcome = ({ request, decided, seed, delayMs }: ResponseContext, entry: Entry): Outcome => {
  const { index, kind, traces } = decided.due
  const events = completeResponse(render({ request, entry: afterCuts(entry, traces), seed, index, kind }))
  return { events, end: COMPLETE, faulted: false, delayMs }
}

/** The same response asked for again has the same key, whatever was compacted, stripped or raised in between. */
const keyOf = (request: ModelRequest, { turn, origin }: Decided): string => {
  const given = turn.responses.map((response) => [response.text, ...response.calls.map((call) => call.id)])
  return digest(request.source, request.model, origin, turn.prompt, JSON.stringify(given))
}

const seedOf = (request: ModelRequest, attempt: number): string =>
  digest(
    request.model,
    request.source,
    String(request.max_tokens),
    JSON.stringify([request.system, request.tools, request.messages]),
    String(attempt)
  )

export const prepare = (request: ModelRequest, options: OfflineOptions): Prepared => {
  const tokens = requestTokens(request)
  if (tokens > options.windowTokens) {
    const end = failing(promptTooLong(tokens, options.windowTokens))
    return { key: "too long", at: () => ({ events: [], end, faulted: false, delayMs: 0 }) }
  }
  const decided = decide(request, options)
  const { due, turn, origin } = decided
  const unmet = failedExpectation(due.entry.expect ?? [], { request, turn, script: origin })
  return {
    key: keyOf(request, decided),
    at: (attempt) => {
      const context = { request, decided, seed: seedOf(request, attempt), delayMs: due.entry.delayMs ?? options.delayMs }
      if (unmet !== undefined) return plainOutcome(context, { text: unmet })
      const fault = faultAt(due.entry, due.traces + attempt, request.model)
      return fault === undefined ? plainOutcome(context, due.entry) : spoiledOutcome(context, fault)
    }
  }
}

/** Same request, same options, same attempt: same events, ids and usage. */
export const respond = (request: ModelRequest, options: OfflineOptions & { readonly attempt?: number }): Outcome =>
  prepare(request, options).at(options.attempt ?? 0)
