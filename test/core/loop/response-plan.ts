import type { ModelFailure } from "../../../src/core/model/failure/model-failure.ts"
import type { CallOutcome } from "../../../src/core/loop/machine/event.ts"
import type { ModelEvent } from "../../../src/core/model/stream/model-event.ts"

/** What a model says and how things go, written down for tests. */

export interface CallPlan {
  readonly id: string
  readonly name: string
  readonly input: unknown
  /** The input as it arrives, when it is not valid JSON. */
  readonly json?: string
}

/** One response of the model, block by block. */
export interface ResponsePlan {
  readonly id?: string
  readonly model?: string
  readonly think?: string
  readonly text?: string
  readonly calls?: ReadonlyArray<CallPlan>
  readonly stop?: string
  readonly usage?: Readonly<Record<string, number>>
}

export const failure = (patch: Partial<ModelFailure>): ModelFailure => ({
  kind: "http",
  status: null,
  errorType: null,
  message: "scripted failure",
  ...patch
})

export const OVERLOADED = failure({ status: 529, errorType: "overloaded_error", message: "Overloaded" })
export const TOO_LONG = failure({ status: 400, message: "prompt is too long: 210000 tokens > 200000 maximum" })
export const RESET = failure({ kind: "network", code: "ECONNRESET", message: "socket hang up" })

type Returned = Extract<CallOutcome, { _tag: "Returned" }>

export const returned = (content = "done", patch: Partial<Returned> = {}): Returned => ({
  _tag: "Returned",
  content,
  data: {},
  isError: false,
  ...patch
})

export const read = (id: string, path = `/project/${id}.txt`): CallPlan => ({
  id,
  name: "Read",
  input: { file_path: path }
})
export const grep = (id: string): CallPlan => ({ id, name: "Grep", input: { pattern: "x" } })
export const bash = (id: string, command: string): CallPlan => ({ id, name: "Bash", input: { command } })
export const write = (id: string): CallPlan => ({
  id,
  name: "Write",
  input: { file_path: `/project/${id}.txt`, content: "x" }
})
export const malformed = (id: string): CallPlan => ({ id, name: "Read", input: {}, json: '{"file_path": ' })

export const textBlock = (index: number, text: string): ReadonlyArray<ModelEvent> => [
  { type: "content_block_start", index, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index, delta: { type: "text_delta", text } },
  { type: "content_block_stop", index }
]

export const thinkingBlock = (index: number, thinking: string): ReadonlyArray<ModelEvent> => [
  { type: "content_block_start", index, content_block: { type: "thinking", thinking: "", signature: "" } },
  { type: "content_block_delta", index, delta: { type: "thinking_delta", thinking } },
  { type: "content_block_delta", index, delta: { type: "signature_delta", signature: "signed" } },
  { type: "content_block_stop", index }
]

export const callBlock = (index: number, call: CallPlan): ReadonlyArray<ModelEvent> => [
  { type: "content_block_start", index, content_block: { type: "tool_use", id: call.id, name: call.name, input: {} } },
  {
    type: "content_block_delta",
    index,
    delta: { type: "input_json_delta", partial_json: call.json ?? JSON.stringify(call.input) }
  },
  { type: "content_block_stop", index }
]

export const messageStart = (plan: ResponsePlan, id: string, model: string): ModelEvent => ({
  type: "message_start",
  message: {
    id: plan.id ?? id,
    model: plan.model ?? model,
    usage: { input_tokens: 100, output_tokens: 1, ...plan.usage }
  }
})

/** The blocks of a response without its frame. */
export const blocksOf = (plan: ResponsePlan): ReadonlyArray<ModelEvent> => {
  const parts = [
    ...(plan.think === undefined ? [] : [(index: number) => thinkingBlock(index, plan.think ?? "")]),
    ...(plan.text === undefined ? [] : [(index: number) => textBlock(index, plan.text ?? "")]),
    ...(plan.calls ?? []).map((call) => (index: number) => callBlock(index, call))
  ]
  return parts.flatMap((make, index) => make(index))
}

export const ending = (plan: ResponsePlan): ReadonlyArray<ModelEvent> => [
  {
    type: "message_delta",
    delta: { stop_reason: plan.stop ?? ((plan.calls ?? []).length > 0 ? "tool_use" : "end_turn"), stop_sequence: null },
    usage: { output_tokens: 20, ...plan.usage }
  },
  { type: "message_stop" }
]

const CHOICES = ["A", "B"].map((label) => ({ label, description: "" }))

/** A question for the user, who chooses. */
export const question = (id: string) => ({
  id,
  name: "AskUserQuestion",
  input: { questions: [{ question: "Which?", header: "Pick", options: CHOICES }] }
})
