import { Context, type Effect, type Stream } from "effect"
import type { ModelRequest } from "../model/request/model-request.ts"
import type { ModelFailure } from "../model/failure/model-failure.ts"
import type { ModelEvent } from "../model/stream/model-event.ts"

export type ModelItem =
  /** The endpoint accepted the request; the first item of every stream. */
  { readonly _tag: "Opened"; readonly requestId?: string } | { readonly _tag: "Event"; readonly event: ModelEvent }

/**
 * A model that streams one response per call. The stream ends after `message_stop` (or when the connection closes,
 * whichever the endpoint did), fails with what was seen, and never retries by itself. Interrupting the consuming fiber
 * closes the connection.
 */
export class Model extends Context.Service<
  Model,
  {
    readonly stream: (request: ModelRequest) => Stream.Stream<ModelItem, ModelFailure>
    /** How many tokens a request has, as the endpoint counts them; undefined where nobody counts. */
    readonly count?: (request: ModelRequest) => Effect.Effect<number | undefined, ModelFailure>
  }
>()("nacre/ports/Model") {}
