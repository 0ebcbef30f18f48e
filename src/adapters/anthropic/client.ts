import { Cause, Clock, Effect, Layer, Result, Stream } from "effect"
import type { ModelRequest } from "../../core/model/request/model-request.ts"
import type { ModelFailure } from "../../core/model/failure/model-failure.ts"
import { LIMITS } from "../../core/domain/limits.ts"
import { Model, type ModelItem } from "../../core/ports/Model.ts"
import { credentialProblem, customBetas, type Endpoint, type EndpointOptions, loadEndpoint } from "./endpoint.ts"
import { bodyTooLarge, missingCredential, notAnEventStream, requestFailure } from "./errors.ts"
import { betaHeader, lowerCount, lowerRequest } from "./request.ts"
import { makeResponseReader, type ResponseReader } from "./response.ts"
import type { ReceivedResponse } from "./transport.ts"
import { makeWatchdog, type Watchdog, type WatchLimits } from "./watchdog.ts"

/**
 * The model port over the Anthropic Messages API. One request, one connection, one stream of events: no retries, no
 * environment, nothing written to the console. Leaving the stream in any way closes the connection.
 */
export interface AnthropicOptions extends EndpointOptions, WatchLimits {
  readonly betas: ReadonlyArray<string>
}

/** The most that is waited for the end of a response whose last event has arrived. */
const DRAIN_MS = 250

/** What requests over one layer share. */
interface Pool {
  readonly endpoint: () => Promise<Endpoint>
  /** Complete responses whose connections are about to be free; a request that waits for them needs no new one. */
  readonly draining: Set<Promise<void>>
}

type Items = readonly [ModelItem, ...Array<ModelItem>]

/** A complete response gives its connection back; whatever else happened, the connection is closed at once. */
const release = (pool: Pool, connection: AbortController, reader: ResponseReader | undefined): void => {
  if (reader === undefined || !reader.complete()) return connection.abort()
  const deadline = setTimeout(() => connection.abort(), DRAIN_MS)
  deadline.unref()
  const settled = (): void => {
    clearTimeout(deadline)
    pool.draining.delete(drained)
  }
  const drained = reader.drain().then(settled, settled)
  pool.draining.add(drained)
}

const serialise = (request: ModelRequest): Effect.Effect<string, ModelFailure> => {
  const body = JSON.stringify(lowerRequest(request))
  const bytes = Buffer.byteLength(body)
  return bytes > LIMITS.requestBodyBytes ? Effect.fail(bodyTooLarge(bytes, LIMITS.requestBodyBytes)) : Effect.succeed(body)
}

const withRequestId = (failure: ModelFailure, requestId: string | null): ModelFailure =>
  requestId === null || failure.requestId !== undefined ? failure : { ...failure, requestId }

interface Opened {
  readonly requestId: string | null
  readonly reader: ResponseReader
}

/** Starts reading at once: bytes that wait unread are lost when the connection breaks. */
const openResponse = (response: ReceivedResponse, watchdog: Watchdog): Result.Result<Opened, ModelFailure> => {
  watchdog.heard()
  const requestId = response.headers.get("request-id")
  const contentType = response.headers.get("content-type") ?? "no content type"
  if (!/^text\/event-stream\b/i.test(contentType)) {
    return Result.fail(withRequestId(notAnEventStream(contentType), requestId))
  }
  return Result.succeed({ requestId, reader: makeResponseReader(response.body, watchdog) })
}

const pullFrom = ({ reader, requestId }: Opened) => {
  const opened: Items = [{ _tag: "Opened", ...(requestId === null ? {} : { requestId }) }]
  let first = true
  const read = Effect.flatMap(Effect.promise(reader.next), (batch): Effect.Effect<Items, ModelFailure | Cause.Done> => {
    if (batch._tag === "Failed") return Effect.fail(withRequestId(batch.failure, requestId))
    if (batch._tag === "End") return Cause.done()
    const [head, ...rest] = batch.events.map((event): ModelItem => ({ _tag: "Event", event }))
    return head === undefined ? Cause.done() : Effect.succeed([head, ...rest])
  })
  return Effect.suspend(() => {
    if (!first) return read
    first = false
    return Effect.succeed(opened)
  })
}

const reportUnknown = (reader: ResponseReader): Effect.Effect<void> =>
  reader.unknown.size === 0
    ? Effect.void
    : Effect.logDebug("stream events that were not understood", Object.fromEntries(reader.unknown))

const REFUSED = 401

/** A key that somebody else gives, where there is no other credential. */
const keyOf = ({ keys, apiKey, authToken }: AnthropicOptions): Effect.Effect<string | undefined, ModelFailure> =>
  keys === undefined || apiKey !== undefined || authToken !== undefined
    ? Effect.succeed(undefined)
    : Effect.tryPromise({
        try: keys.key,
        catch: (error) => missingCredential(error instanceof Error ? error.message : String(error))
      })

const respond = Effect.fnUntraced(function* (options: AnthropicOptions, pool: Pool, request: ModelRequest) {
  const problem = credentialProblem(options)
  if (problem !== undefined) return yield* Effect.fail(problem)
  const body = yield* serialise(request)
  const betas = betaHeader([...customBetas(options), ...options.betas], request.betas)

  const clock = yield* Clock.Clock
  const connection = new AbortController()
  const watchdog = makeWatchdog(clock, options, () => connection.abort())
  let reader: ResponseReader | undefined
  yield* Effect.addFinalizer(() => Effect.sync(() => release(pool, connection, reader)))
  yield* Effect.forkScoped(watchdog.run)

  const key = yield* keyOf(options)
  watchdog.awaiting()
  const answer = yield* Effect.tryPromise({
    try: async () => {
      const [endpoint] = await Promise.all([pool.endpoint(), ...pool.draining])
      return openResponse(
        await endpoint.post({ path: "/v1/messages", body, betas, key, signal: connection.signal }),
        watchdog
      )
    },
    catch: (error) => watchdog.reason() ?? requestFailure(error, clock.currentTimeMillisUnsafe())
  }).pipe(Effect.tapError(({ status }) => Effect.sync(() => (status === REFUSED ? options.keys?.refused() : undefined))))
  const opened = yield* Effect.fromResult(answer)
  reader = opened.reader
  yield* Effect.addFinalizer(() => reportUnknown(opened.reader))
  return Stream.fromPull(Effect.succeed(pullFrom(opened)))
})

const countIn = (answer: string): number | undefined => {
  const value: unknown = JSON.parse(answer)
  const count = typeof value === "object" && value !== null && "input_tokens" in value ? value.input_tokens : undefined
  return typeof count === "number" ? count : undefined
}

const count = Effect.fnUntraced(function* (options: AnthropicOptions, pool: Pool, request: ModelRequest) {
  const problem = credentialProblem(options)
  if (problem !== undefined) return yield* Effect.fail(problem)
  const body = JSON.stringify(lowerCount(request))
  const betas = betaHeader([...customBetas(options), ...options.betas], request.betas)
  const clock = yield* Clock.Clock
  const key = yield* keyOf(options)
  return yield* Effect.tryPromise({
    try: async (signal) => {
      const endpoint = await pool.endpoint()
      const answer = await endpoint.post({ path: "/v1/messages/count_tokens", body, betas, key, signal })
      return countIn(await answer.text())
    },
    catch: (error) => requestFailure(error, clock.currentTimeMillisUnsafe())
  })
})

export const layer = (options: AnthropicOptions): Layer.Layer<Model> =>
  Layer.sync(Model, () => {
    let loading: Promise<Endpoint> | undefined
    const pool: Pool = { endpoint: () => (loading ??= loadEndpoint(options)), draining: new Set() }
    return {
      stream: (request) => Stream.unwrap(respond(options, pool, request)),
      count: (request) => count(options, pool, request)
    }
  })
