/**
 * The offline model behind the Model port. It keeps one thing that is not in the request: how many requests for the
 * same response were hit by scripted faults, forgotten as soon as the response was given.
 */
import { Effect, HashMap, Layer, Option, Ref, Stream } from "effect"
import type { ModelRequest } from "../../core/model/request/model-request.ts"
import type { ModelFailure } from "../../core/model/failure/model-failure.ts"
import { Model, type ModelItem } from "../../core/ports/Model.ts"
import { type OfflineOptions, type Outcome, prepare } from "./respond.ts"

type Attempts = HashMap.HashMap<string, number>

const itemsOf = ({ events }: Outcome): ReadonlyArray<ModelItem> =>
  events.length === 0 ? [] : [{ _tag: "Opened" }, ...events.map((event): ModelItem => ({ _tag: "Event", event }))]

const isChunk = (item: ModelItem): boolean => item._tag === "Event" && item.event.type === "content_block_delta"

/** Without a delay everything is there at once; with one each chunk waits for its moment. */
const paced = (items: ReadonlyArray<ModelItem>, delayMs: number): Stream.Stream<ModelItem> =>
  delayMs <= 0
    ? Stream.fromArray(items)
    : Stream.mapEffect(Stream.fromArray(items), (item) =>
        isChunk(item) ? Effect.as(Effect.sleep(delayMs), item) : Effect.succeed(item)
      )

const STALLED: ModelFailure = {
  kind: "stalled",
  status: null,
  errorType: null,
  message: "no data came for too long (scripted stall)"
}

/** A stall ends as it does with a real endpoint: when the silence has lasted for the allowed time. */
const ending = ({ end }: Outcome, idleAbortMs: number): Stream.Stream<never, ModelFailure> => {
  if (end._tag === "Fail") return Stream.fail(end.failure)
  if (end._tag !== "Stall") return Stream.empty
  return idleAbortMs === 0 ? Stream.never : Stream.fromEffect(Effect.delay(Effect.fail(STALLED), idleAbortMs))
}

const play = (outcome: Outcome, idleAbortMs: number): Stream.Stream<ModelItem, ModelFailure> =>
  Stream.concat(paced(itemsOf(outcome), outcome.delayMs), ending(outcome, idleAbortMs))

const answer = (attempts: Ref.Ref<Attempts>, request: ModelRequest, options: OfflineOptions) =>
  Ref.modify(attempts, (counts) => {
    const prepared = prepare(request, options)
    const attempt = Option.getOrElse(HashMap.get(counts, prepared.key), () => 0)
    const outcome = prepared.at(attempt)
    return [
      play(outcome, options.idleAbortMs ?? 0),
      outcome.faulted ? HashMap.set(counts, prepared.key, attempt + 1) : HashMap.remove(counts, prepared.key)
    ]
  })

export const layer = (options: OfflineOptions): Layer.Layer<Model> =>
  Layer.effect(
    Model,
    Effect.map(Ref.make<Attempts>(HashMap.empty()), (attempts) => ({
      stream: (request: ModelRequest) => Stream.unwrap(answer(attempts, request, options))
    }))
  )
