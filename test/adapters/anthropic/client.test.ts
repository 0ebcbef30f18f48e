import { Effect, Stream } from "effect"
import { describe, expect, it, vi } from "vitest"
import { layer } from "../../../src/adapters/anthropic/client.ts"
import { Model } from "../../../src/core/ports/Model.ts"
import { gatedAt, pinged, stallAfter, trickled } from "../../support/messages-fault.ts"
import { blocks, events, gate, text, thinking, toolUse } from "../../support/messages-reply.ts"
import type { Json } from "../../support/messages-validate.ts"
import { collect, optionsFor, request, run, streamFrom, textOf, typesOf, withServer } from "./harness.ts"

describe("a response", () => {
  it("is opened with the request id and followed by its events in order", () =>
    withServer([text("good morning", { deltaChars: 4 })], async (server) => {
      const { failure, items } = await run(optionsFor(server.url))
      expect(failure).toBeUndefined()
      expect(items[0]).toEqual({ _tag: "Opened", requestId: "req_000000" })
      expect(typesOf(items)).toEqual([
        "Opened",
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop"
      ])
      expect(textOf(items)).toBe("good morning")
    }))

  it("arrives while it is being made: the endpoint goes on only when an event was seen", () => {
    const seen = gate()
    return withServer([gatedAt(3, seen.opened, text("good morning", { deltaChars: 4 }))], async (server) => {
      const stream = streamFrom(optionsFor(server.url)).pipe(
        Stream.tap((item) => Effect.sync(() => (textOf([item]) === "" ? undefined : seen.open())))
      )
      expect(textOf((await Effect.runPromise(collect(stream))).items)).toBe("good morning")
    })
  })

  it("arrives whole when every byte comes alone, characters of several bytes too", () =>
    withServer([trickled(text("dürfen 漢字 👩‍👩‍👧 ende"))], async (server) => {
      expect(textOf((await run(optionsFor(server.url))).items)).toBe("dürfen 漢字 👩‍👩‍👧 ende")
    }))

  it("hands on pings and unknown fields, and drops unknown events and deltas", () =>
    withServer(
      [
        events([
          { type: "message_start", message: { id: "m", model: "x", novelty: 1 }, extra: true },
          { type: "sparkle" },
          { type: "content_block_delta", index: 0, delta: { type: "sparkle_delta", sparkle: 1 } },
          { type: "ping" },
          { type: "message_stop" }
        ])
      ],
      async (server) => {
        const { failure, items } = await run(optionsFor(server.url))
        expect(failure).toBeUndefined()
        expect(typesOf(items)).toEqual(["Opened", "message_start", "ping", "message_stop"])
        expect(items[1]).toEqual({
          _tag: "Event",
          event: { type: "message_start", message: { id: "m", model: "x", novelty: 1 }, extra: true }
        })
      }
    ))

  it("carries thinking, calls and pings", () =>
    withServer(
      [
        pinged(
          blocks([
            { type: "thinking", thinking: "hm" },
            { type: "tool_use", name: "Read", input: { a: 1 } }
          ])
        )
      ],
      async (server) => {
        const { items } = await run(optionsFor(server.url))
        const deltas = items.flatMap((item) =>
          item._tag === "Event" && item.event.type === "content_block_delta" ? [item.event.delta] : []
        )
        expect(deltas).toEqual([
          { type: "thinking_delta", thinking: "hm" },
          { type: "signature_delta", signature: "signature" },
          { type: "input_json_delta", partial_json: '{"a":1}' }
        ])
        expect(typesOf(items).filter((type) => type === "ping")).toHaveLength(10)
      }
    ))
})

describe("a request", () => {
  it("carries the key where gateways look for it, our agent, custom headers and all betas once", () =>
    withServer([text("ok")], async (server) => {
      await run(
        optionsFor(server.url, { betas: ["a", "b"], customHeaders: { "X-Team": "blue", "Anthropic-Beta": "c, a" } }),
        request({ betas: ["d"] })
      )
      const headers = server.requests[0]?.headers
      expect(headers?.["x-api-key"]).toBe("test-key")
      expect(headers).not.toHaveProperty("authorization")
      expect(headers?.["user-agent"]).toBe("nacre/test")
      expect(headers?.["x-team"]).toBe("blue")
      expect(headers?.["anthropic-beta"]).toBe("c,a,b,d")
      expect(headers?.["anthropic-version"]).toBeDefined()
    }))

  it("prefers the key to the token and sends no beta header without betas", () =>
    withServer([text("ok"), text("ok")], async (server) => {
      await run(optionsFor(server.url, { authToken: "token" }))
      await run({ ...optionsFor(server.url), apiKey: "", authToken: "token" })
      const sent = server.requests.map(({ headers }) => [headers["x-api-key"], headers.authorization])
      expect(sent).toEqual([
        ["test-key", undefined],
        [undefined, "Bearer token"]
      ])
      expect(server.requests[0]?.headers).not.toHaveProperty("anthropic-beta")
    }))

  it("leaves the credential to a custom header", () =>
    withServer([text("ok")], async (server) => {
      await run({ ...optionsFor(server.url, { customHeaders: { "x-api-key": "mine" } }), apiKey: "" })
      expect(server.requests[0]?.headers["x-api-key"]).toBe("mine")
      expect(server.requests[0]?.headers).not.toHaveProperty("authorization")
    }))

  it("lets a custom Authorization header stand beside the key", () =>
    withServer([text("ok")], async (server) => {
      await run(optionsFor(server.url, { customHeaders: { Authorization: "Bearer gateway" } }))
      const headers = server.requests[0]?.headers
      expect([headers?.["x-api-key"], headers?.authorization]).toEqual(["test-key", "Bearer gateway"])
    }))

  it("takes neither credential nor address from the environment", () =>
    withServer([text("ok")], async (server) => {
      vi.stubEnv("ANTHROPIC_API_KEY", "from-environment")
      vi.stubEnv("ANTHROPIC_AUTH_TOKEN", "from-environment")
      vi.stubEnv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
      try {
        await run(optionsFor(server.url))
        expect(server.requests[0]?.headers["x-api-key"]).toBe("test-key")
        expect(server.requests[0]?.headers).not.toHaveProperty("authorization")
        const { failure } = await run({ ...optionsFor(server.url), apiKey: "" })
        expect(failure?.kind).toBe("credential")
      } finally {
        vi.unstubAllEnvs()
      }
    }))

  it("reuses the connection of the one before", () =>
    withServer([text("one"), toolUse("Read", {}), thinking("two", "three")], async (server) => {
      const model = Effect.provide(
        Effect.gen(function* () {
          const { stream } = yield* Model
          for (let turn = 0; turn < 3; turn++) yield* collect(stream(request()))
        }),
        layer(optionsFor(server.url))
      )
      await Effect.runPromise(model)
      expect(server.requests.map(({ connection }) => connection)).toEqual([0, 0, 0])
    }))

  it("can run beside another over the same layer", () =>
    withServer(
      (body) => text(String(body["max_tokens"])),
      async (server) => {
        const both = Effect.gen(function* () {
          const { stream } = yield* Model
          return yield* Effect.all(
            [1, 2, 3].map((max_tokens) => collect(stream(request({ max_tokens })))),
            { concurrency: "unbounded" }
          )
        }).pipe(Effect.provide(layer(optionsFor(server.url))))
        expect((await Effect.runPromise(both)).map(({ items }) => textOf(items))).toEqual(["1", "2", "3"])
      }
    ))

  it("is made anew each time a stream is run", () =>
    withServer([text("one"), text("two")], async (server) => {
      const twice = Effect.gen(function* () {
        const stream = (yield* Model).stream(request())
        return [yield* collect(stream), yield* collect(stream)]
      }).pipe(Effect.provide(layer(optionsFor(server.url))))
      expect((await Effect.runPromise(twice)).map(({ items }) => textOf(items))).toEqual(["one", "two"])
    }))

  it("is not sent when its body is past the limit", () =>
    withServer([], async (server) => {
      const huge = "x".repeat(33 * 1024 * 1024)
      const { failure } = await run(
        optionsFor(server.url),
        request({ messages: [{ role: "user", content: [{ type: "text", text: huge }] }] })
      )
      expect(failure).toMatchObject({ kind: "http", status: 413, errorType: "request_too_large" })
      expect(server.requests).toHaveLength(0)
    }))
})

describe("the console", () => {
  const script = (body: Json) =>
    body["model"] === "unknown events" ? events([{ type: "sparkle" }, { type: "message_stop" }]) : text("ok")

  it("stays silent for models and settings that make the SDK speak", () =>
    withServer(script, async (server) => {
      const methods = ["log", "info", "warn", "error", "debug"] as const
      const spies = methods.map((method) => vi.spyOn(console, method).mockImplementation(() => {}))
      vi.stubEnv("ANTHROPIC_LOG", "debug")
      try {
        const enabled = { type: "enabled", budget_tokens: 1024 } as const
        await run(optionsFor(server.url), request({ model: "claude-sonnet-4-5" }))
        const asked = request({ model: "claude-opus-4-6", max_tokens: 2_000, thinking: enabled })
        await run(optionsFor(server.url, { betas: ["x"] }), asked)
        await run(optionsFor("http://127.0.0.1:9"))
        await run(optionsFor(server.url), request({ model: "unknown events" }))
        for (const spy of spies) expect(spy).not.toHaveBeenCalled()
      } finally {
        vi.unstubAllEnvs()
        for (const spy of spies) spy.mockRestore()
      }
    }))
})

describe("the end of a response", () => {
  it("is message_stop, whatever the endpoint says afterwards", () =>
    withServer([events([{ type: "message_stop" }, { type: "message_stop" }, { type: "error" }])], async (server) => {
      const { failure, items } = await run(optionsFor(server.url))
      expect(failure).toBeUndefined()
      expect(typesOf(items)).toEqual(["Opened", "message_stop"])
    }))

  it("may come from the consumer, and closes the connection", () =>
    withServer([stallAfter(3, text("hello"))], async (server) => {
      const taken = await Effect.runPromise(streamFrom(optionsFor(server.url)).pipe(Stream.take(3), Stream.runCollect))
      expect(typesOf(taken)).toEqual(["Opened", "message_start", "content_block_start"])
      await server.requests[0]?.closed
      expect(server.requests[0]?.aborted).toBe(true)
    }))
})
