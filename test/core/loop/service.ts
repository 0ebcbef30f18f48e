import type { HookOutcome } from "../../../src/core/hooks/outcome.ts"
import * as fc from "fast-check"
import type { ModelFailure } from "../../../src/core/model/failure/model-failure.ts"
import { zeroUsage } from "../../../src/core/domain/usage.ts"
import type { CheckOutcome } from "../../../src/core/permission/classifier/outcome.ts"
import type { Occurrence } from "../../../src/core/loop/machine/event.ts"
import type { AgentState } from "../../../src/core/loop/machine/state.ts"
import { CHECK_OUTCOMES, FAILURES, LONG, LOOKS_SEEN } from "./arbitrary-event.ts"
import { returned } from "./response-plan.ts"
import { plainFacts } from "../../support/plain-facts.ts"
import { turnOf, phaseOf } from "../../../src/core/loop/machine/transition.ts"
import { timerFor } from "../../../src/core/loop/machine/pending.ts"

/** A world that answers what the core asks for, mostly well. */
const FACTS = plainFacts({
  paths: ["a", "c1", "c2", "c3"].map((name) => `/project/${name}.txt`),
  commands: ["make", "ls", "rm -rf build"],
  place: { cwd: "/project", home: "/home/u", workingDirs: ["/project"], platform: "posix" },
  watched: [],
  ruleStarts: [],
  confined: false
})

/** How a world that answers does it: mostly well, with short results and hooks that have nothing to say. */
export interface Service {
  readonly fails: boolean
  readonly result: string
  readonly hook: HookOutcome
  readonly failure: ModelFailure
  readonly check: CheckOutcome
}

const mostly = <A>(usual: A, odds: number, ...others: ReadonlyArray<A>): fc.Arbitrary<A> =>
  fc.oneof({ weight: odds, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

export const anyService: fc.Arbitrary<Service> = fc.record({
  fails: mostly(false, 7, true),
  result: mostly("ok", 9, LONG),
  hook: mostly<HookOutcome>({}, 2, { block: "not yet" }, { stop: "enough" }, { decision: "ask" }),
  failure: fc.constantFrom(...FAILURES),
  check: fc.constantFrom(...CHECK_OUTCOMES)
})

/** What such a world says next; undefined while it is the model's turn to speak. */
export const serve = (state: AgentState, service: Service): Occurrence | undefined => {
  const phase = phaseOf(state)
  switch (phase._tag) {
    case "Preparing":
      return { _tag: "Persisted", ack: phase.ack }
    case "Hooks": {
      const outcome = state.pending.hooks[0]?.then._tag === "EndTurn" ? service.hook : {}
      return { _tag: "HooksSettled", hookId: phase.hookId, outcome }
    }
    case "Collecting": {
      const look = LOOKS_SEEN[state.serial % LOOKS_SEEN.length] ?? {}
      return { _tag: "ContextRead", collectId: phase.collectId, look, isLast: true, failed: [] }
    }
    case "Waiting":
      return { _tag: "TimerFired", timerId: timerFor(state, "RetryRequest") }
    case "Settling":
      return { _tag: "TimerFired", timerId: timerFor(state, "EndSettling") }
    case "Compacting":
      return serveCompaction(phase.compactionId, service)
    case "Rereading":
      return { _tag: "WindowRead", readId: phase.readId, window: { cause: "EIO" } }
    case "Tools":
    case "Streaming":
      return serveCall(state, service)
    case "Requesting":
      return service.fails
        ? { _tag: "RequestFailed", requestId: phase.requestId, failure: service.failure, jitter: 0.5 }
        : undefined
    case "Idle":
    case "Done":
      return {
        _tag: "PromptSubmitted",
        uuid: `served-${state.serial}`,
        content: "go on",
        priority: "next",
        origin: "human",
        appendOnly: false
      }
  }
}

const serveCompaction = (compactionId: string, service: Service): Occurrence =>
  service.fails
    ? { _tag: "CompactionFailed", compactionId, cause: "away" }
    : { _tag: "CompactionSettled", compactionId, summary: "so far", model: "offline", usage: zeroUsage }

const serveCall = (state: AgentState, service: Service): Occurrence | undefined => {
  const call = turnOf(state)?.calls.find(({ stage }) => stage !== "completed" && stage !== "queued")
  switch (call?.stage) {
    case "preparing":
      return { _tag: "CallPrepared", callId: call.id, facts: FACTS }
    case "hooks":
      return { _tag: "HooksSettled", hookId: `pre:${call.id}`, outcome: service.hook }
    case "checking":
      return { _tag: "CallChecked", checkId: call.check?.id ?? "", callId: call.id, outcome: service.check, spent: [] }
    case "asking":
      return { _tag: "PermissionAnswered", callId: call.id, answer: { behavior: "allow" } }
    case "executing":
      return {
        _tag: "CallSettled",
        callId: call.id,
        outcome: service.fails ? { _tag: "Failed", message: "it failed" } : returned(service.result)
      }
    case "reviewing":
      return { _tag: "HooksSettled", hookId: `post:${call.id}`, outcome: {} }
    default:
      return undefined
  }
}
