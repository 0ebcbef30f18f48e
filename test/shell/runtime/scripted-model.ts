import { Layer, Stream } from "effect"
import { zeroUsage } from "../../../src/core/domain/usage.ts"
import { Model, type ModelItem } from "../../../src/core/ports/Model.ts"
import type { ModelFailure } from "../../../src/core/model/failure/model-failure.ts"
import type { ModelEvent } from "../../../src/core/model/stream/model-event.ts"

/** A model that answers in the events of the wire, one list for each request; the last one is given again and again. */
export type Answer = Stream.Stream<ModelItem, ModelFailure>

const said = (event: ModelEvent): ModelItem => ({ _tag: "Event", event })

const opened = (id: string): ReadonlyArray<ModelItem> => [
  { _tag: "Opened", requestId: `req_${id}` },
  said({ type: "message_start", message: { id: `msg_${id}`, model: "offline", usage: zeroUsage } })
]

const ended = (reason: "end_turn" | "tool_use"): ReadonlyArray<ModelItem> => [
  said({ type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage: zeroUsage }),
  said({ type: "message_stop" })
]

/** One delta for each character. */
export const words = (text: string): Answer =>
  Stream.fromIterable([
    ...opened(text),
    said({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    ...Array.from(text, (character) =>
      said({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: character } })
    ),
    said({ type: "content_block_stop", index: 0 }),
    ...ended("end_turn")
  ])

export const toolCall = (id: string, name: string, input: unknown): Answer =>
  Stream.fromIterable([
    ...opened(id),
    said({ type: "content_block_start", index: 0, content_block: { type: "tool_use", id, name, input: {} } }),
    said({
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: JSON.stringify(input) }
    }),
    said({ type: "content_block_stop", index: 0 }),
    ...ended("tool_use")
  ])

export const answering = (...answers: ReadonlyArray<Answer>): Layer.Layer<Model> => {
  let asked = 0
  return Layer.succeed(Model, { stream: () => answers[Math.min(asked++, answers.length - 1)] ?? Stream.empty })
}

/** Says so much, and then nothing any more. */
export const onlyTheFirst = (items: number, answer: Answer): Answer =>
  Stream.concat(Stream.take(answer, items), Stream.never)

export const failing = (failure: Partial<ModelFailure>): Answer =>
  Stream.fail({ kind: "network", status: null, errorType: null, message: "down", ...failure })
