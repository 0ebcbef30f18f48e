import { Clock, Effect, Random, Stream } from "effect"
import type { ModelRequest } from "../../core/model/request/model-request.ts"
import { type ContentBlock, isText } from "../../core/domain/block.ts"
import type { ModelFailure } from "../../core/model/failure/model-failure.ts"
import { LIMITS } from "../../core/domain/limits.ts"
import type { Occurrence } from "../../core/loop/machine/event.ts"
import { Model } from "../../core/ports/Model.ts"
import { assemble, emptyAssembly } from "../../core/model/stream/assemble.ts"
import type { ModelEvent } from "../../core/model/stream/model-event.ts"
import type { Usage } from "../../core/domain/usage.ts"

export interface ModelCall {
  readonly requestId: string
  readonly request: ModelRequest
  readonly offer: (occurrence: Occurrence) => void
  /** Called with each event before the loop takes it: its result is the last that a host hears of a turn. */
  readonly onEvent: (event: ModelEvent) => void
  /** The loop has taken an event. */
  readonly onGrowth: () => void
  /** Reading pauses while whoever consumes the output is behind. */
  readonly backpressure: () => Effect.Effect<void>
  /** The connection is open but silent for this long; reported again as the silence grows. */
  readonly onSilence: (silentMs: number) => void
}

/** Looks now and then, so that no event touches a timer. */
const watchSilence = (heardAt: () => number, { onSilence }: ModelCall): Effect.Effect<never> =>
  Effect.forever(
    Effect.gen(function* () {
      yield* Effect.sleep(LIMITS.idleNoticeMs)
      const silentMs = (yield* Clock.currentTimeMillis) - heardAt()
      if (silentMs >= LIMITS.idleNoticeMs) onSilence(silentMs)
    })
  )

/** Streams one response into the mailbox. Interrupting the fiber closes the connection. */
export const callModel = Effect.fnUntraced(function* (call: ModelCall) {
  const model = yield* Model
  const clock = yield* Clock.Clock
  const { requestId, offer } = call
  let heardAt = clock.currentTimeMillisUnsafe()
  // It ends with this fiber.
  yield* Effect.forkChild(watchSilence(() => heardAt, call))
  yield* model.stream(call.request).pipe(
    Stream.runForEach((item) =>
      Effect.suspend(() => {
        heardAt = clock.currentTimeMillisUnsafe()
        if (item._tag === "Opened") {
          offer({ _tag: "StreamOpened", requestId, apiRequestId: item.requestId })
        } else {
          call.onEvent(item.event)
          offer({ _tag: "ModelSaid", requestId, event: item.event })
          call.onGrowth()
        }
        return call.backpressure()
      })
    ),
    Effect.matchEffect({
      onSuccess: () => Effect.sync(() => offer({ _tag: "StreamEnded", requestId })),
      onFailure: (failure) =>
        Effect.map(Random.next, (jitter) => offer({ _tag: "RequestFailed", requestId, failure, jitter }))
    })
  )
})

export interface SideAnswer {
  readonly text: string
  readonly blocks: ReadonlyArray<ContentBlock>
  readonly model: string
  readonly usage: Usage
  readonly stopReason: string | null
}

/** One request outside the conversation (summary, extraction): the whole text, or what went wrong. */
export const askModel = Effect.fnUntraced(function* (
  request: ModelRequest,
  /** What it has cost so far, for whoever pays also for an answer that breaks off. */
  onSpent?: (spent: Pick<SideAnswer, "model" | "usage">) => void
): Effect.fn.Return<SideAnswer, ModelFailure, Model> {
  const model = yield* Model
  const blocks: Array<ContentBlock> = []
  const assembly = yield* model.stream(request).pipe(
    Stream.runFold(
      () => emptyAssembly,
      (known, item) => {
        if (item._tag === "Opened") return known
        const next = assemble(known, item.event)
        if (next.assembly.usage !== known.usage) onSpent?.(next.assembly)
        if (next.completed !== undefined) blocks.push(next.completed.block)
        return next.assembly
      }
    )
  )
  const { model: name, usage, stopReason } = assembly
  const words = blocks.filter(isText).map((block) => block.text)
  return { text: words.join("\n"), blocks, model: name, usage, stopReason }
})
