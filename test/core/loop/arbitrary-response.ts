import * as fc from "fast-check"
import type { Occurrence } from "../../../src/core/loop/machine/event.ts"
import type { ModelEvent } from "../../../src/core/model/stream/model-event.ts"
import { AIMED } from "./aim.ts"
import { modelName } from "./arbitrary-event.ts"
import { bash, blocksOf, grep, malformed, messageStart, read, type ResponsePlan, write } from "./response-plan.ts"

const CALLS = [
  read("c1"),
  read("c2", "/etc/passwd"),
  grep("c3"),
  bash("c1", "ls"),
  bash("c2", "rm -rf build"),
  write("c3"),
  malformed("c1"),
  { id: "c1", name: "StructuredOutput", input: { answer: 1 } },
  { id: "c2", name: "StructuredOutput", input: { wrong: true } },
  { id: "c3", name: "Nonsense", input: {} }
]

const anyPlan: fc.Arbitrary<ResponsePlan> = fc.record(
  {
    id: fc.constantFrom("msg_1", "msg_2", "msg_3", "msg_4", "msg_5"),
    model: modelName,
    think: fc.constant("hm"),
    text: fc.constantFrom("an answer", ""),
    calls: fc.array(fc.constantFrom(...CALLS), { minLength: 1, maxLength: 3 }),
    stop: fc.constantFrom("end_turn", "max_tokens", "max_tokens", "refusal"),
    usage: fc.constantFrom({ input_tokens: 9_000 }, { input_tokens: 60_000 })
  },
  { requiredKeys: ["id"] }
)

const PLAIN_ANSWER: ResponsePlan = { text: "an answer" }
const MALFORMED_ONLY: ResponsePlan = { calls: [malformed("c1")] }
const OUTPUT_ONLY: ResponsePlan = { calls: [{ id: "c1", name: "StructuredOutput", input: { answer: 1 } }] }

/** A whole response, so that turns have several of them. */
export const anyResponse: fc.Arbitrary<ReadonlyArray<Occurrence>> = fc
  .oneof(
    { weight: 5, arbitrary: anyPlan },
    { weight: 3, arbitrary: fc.constantFrom(PLAIN_ANSWER, MALFORMED_ONLY, OUTPUT_ONLY) }
  )
  .map((plan) => {
    const said: ReadonlyArray<ModelEvent> = [
      messageStart(plan, "msg", "offline"),
      ...blocksOf(plan),
      { type: "message_delta", delta: { stop_reason: plan.stop ?? "end_turn" }, usage: { output_tokens: 9 } },
      { type: "message_stop" }
    ]
    return [
      { _tag: "StreamOpened" as const, requestId: AIMED, apiRequestId: undefined },
      ...said.map((event): Occurrence => ({ _tag: "ModelSaid", requestId: AIMED, event }))
    ]
  })
