import { Effect, Exit, Cause, Option, Stream } from "effect"
import { type AnthropicOptions, layer } from "../../../src/adapters/anthropic/client.ts"
import type { ModelRequest } from "../../../src/core/model/request/model-request.ts"
import type { ModelFailure } from "../../../src/core/model/failure/model-failure.ts"
import { Model, type ModelItem } from "../../../src/core/ports/Model.ts"
import { type MessagesServer, type Script, startMessagesServer } from "../../support/messages-server.ts"

/** What the tests of the adapter share: a request, options for a server, and a run that keeps both ends of a stream. */
export const request = (changes: Partial<ModelRequest> = {}): ModelRequest => ({
  source: "main",
  model: "claude-opus-5-5",
  max_tokens: 1024,
  tools: [],
  system: [],
  messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
  ...changes
})

export const optionsFor = (url: string, changes: Partial<AnthropicOptions> = {}): AnthropicOptions => ({
  apiKey: "test-key",
  baseUrl: url,
  requestTimeoutMs: 60_000,
  idleAbortMs: 0,
  betas: [],
  userAgent: "nacre/test",
  ...changes
})

export const streamFrom = (
  options: AnthropicOptions,
  asked: ModelRequest = request()
): Stream.Stream<ModelItem, ModelFailure> =>
  Stream.unwrap(Effect.map(Model, (model) => model.stream(asked))).pipe(Stream.provide(layer(options)))

export interface Outcome {
  readonly items: ReadonlyArray<ModelItem>
  readonly failure: ModelFailure | undefined
}

/** Runs a stream to its end, good or bad. */
export const collect = (stream: Stream.Stream<ModelItem, ModelFailure>): Effect.Effect<Outcome> =>
  Effect.suspend(() => {
    const items: Array<ModelItem> = []
    return Stream.runForEach(stream, (item) => Effect.sync(() => items.push(item))).pipe(
      Effect.exit,
      Effect.map((exit) => ({ items, failure: failureIn(exit) }))
    )
  })

const failureIn = (exit: Exit.Exit<void, ModelFailure>): ModelFailure | undefined =>
  Exit.isFailure(exit) ? Option.getOrThrow(Cause.findErrorOption(exit.cause)) : undefined

export const run = (options: AnthropicOptions, asked?: ModelRequest): Promise<Outcome> =>
  Effect.runPromise(collect(streamFrom(options, asked)))

/** A server for the time of one test. */
export const withServer = async <A>(script: Script, use: (server: MessagesServer) => Promise<A>): Promise<A> => {
  const server = await startMessagesServer(script)
  try {
    return await use(server)
  } finally {
    await server.close()
  }
}

export const typesOf = (items: ReadonlyArray<ModelItem>): ReadonlyArray<string> =>
  items.map((item) => (item._tag === "Opened" ? "Opened" : item.event.type))

export const textOf = (items: ReadonlyArray<ModelItem>): string =>
  items
    .map((item) =>
      item._tag === "Event" && item.event.type === "content_block_delta" && item.event.delta.type === "text_delta"
        ? item.event.delta.text
        : ""
    )
    .join("")
