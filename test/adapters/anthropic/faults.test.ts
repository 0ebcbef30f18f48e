import { createServer, type Server, type Socket } from "node:net"
import { describe, expect, it } from "vitest"
import { cutAfter, cutInside, duplicated, endAfter, errorAfter, garbageAfter } from "../../support/messages-fault.ts"
import { badToolJson, empty, events, garbage, refusal, status, text } from "../../support/messages-reply.ts"
import { optionsFor, request, run, textOf, typesOf, withServer } from "./harness.ts"

const CLOSED = { kind: "network", status: null, message: "connection closed before the response was complete" }

describe("a refused request", () => {
  it.each([
    [400, "invalid_request_error"],
    [401, "authentication_error"],
    [402, "billing_error"],
    [403, "permission_error"],
    [404, "not_found_error"],
    [413, "request_too_large"],
    [429, "rate_limit_error"],
    [500, "api_error"],
    [503, "api_error"],
    [529, "overloaded_error"]
  ])("with status %i is told once, in the endpoint's own words", (code, errorType) =>
    withServer([status(code, { message: "try later", retryAfter: 7 })], async (server) => {
      const { failure, items } = await run(optionsFor(server.url))
      expect(items).toEqual([])
      expect(failure).toEqual({
        kind: "http",
        status: code,
        errorType,
        message: "try later",
        retryAfterMs: 7_000,
        requestId: "req_000000"
      })
      expect(server.requests).toHaveLength(1)
    })
  )

  it("with a gateway's HTML page keeps the status and spares the page", () =>
    withServer([status(502, { rawBody: "<html><body>Bad gateway</body></html>" })], async (server) => {
      const { failure } = await run(optionsFor(server.url))
      expect(failure).toMatchObject({ kind: "http", status: 502, errorType: null })
      expect(failure?.message).not.toContain("<")
    }))

  it("as malformed is refused by the fake endpoint like by the real one", () =>
    withServer([text("never")], async (server) => {
      const { failure } = await run(optionsFor(server.url), request({ messages: [{ role: "user", content: [] }] }))
      expect(failure).toMatchObject({ kind: "http", status: 400, message: "messages.0.content: must not be empty" })
      expect(failure?.shouldRetry).toBe(false)
      expect(server.violations()).toHaveLength(1)
    }))
})

describe("a broken response", () => {
  it("that is cut between events keeps what came before", () =>
    withServer([cutAfter(3, text("hello there"))], async (server) => {
      const { failure, items } = await run(optionsFor(server.url))
      expect(typesOf(items)).toEqual(["Opened", "message_start", "content_block_start", "content_block_delta"])
      expect(failure).toMatchObject({ ...CLOSED, code: "ECONNRESET", requestId: "req_000000" })
    }))

  it("that is cut inside an event loses only that event", () =>
    withServer([cutInside(2, text("hello there"))], async (server) => {
      const { failure, items } = await run(optionsFor(server.url))
      expect(typesOf(items)).toEqual(["Opened", "message_start", "content_block_start"])
      expect(failure).toMatchObject(CLOSED)
    }))

  it("that ends in good order without message_stop is incomplete", () =>
    withServer([endAfter(-1, text("hello"))], async (server) => {
      const { failure, items } = await run(optionsFor(server.url))
      expect(typesOf(items).at(-1)).toBe("message_delta")
      expect(failure).toMatchObject({ ...CLOSED, code: "ECONNRESET" })
    }))

  it("that has no events at all is incomplete", () =>
    withServer([events([])], async (server) => {
      const { failure, items } = await run(optionsFor(server.url))
      expect(typesOf(items)).toEqual(["Opened"])
      expect(failure).toMatchObject(CLOSED)
    }))

  it("that reports an error inside is told by its type", () =>
    withServer([errorAfter(3, text("hello"), { type: "overloaded_error", message: "busy" })], async (server) => {
      const { failure, items } = await run(optionsFor(server.url))
      expect(textOf(items)).toBe("hello")
      expect(failure).toEqual({
        kind: "stream",
        status: null,
        errorType: "overloaded_error",
        message: "busy",
        requestId: "req_000000"
      })
    }))

  it.each([
    ["an event that is not JSON", "event: message_start\ndata: {nope\n\n"],
    ["a delta without text", 'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta"}}\n\n'],
    ["a start without an index", 'data: {"type":"content_block_start","content_block":{"type":"text"}}\n\n']
  ])("that holds %s fails after the events before it", (_, bytes) =>
    withServer([garbageAfter(3, text("hello"), bytes)], async (server) => {
      const { failure, items } = await run(optionsFor(server.url))
      expect(textOf(items)).toBe("hello")
      expect(failure).toMatchObject({ kind: "stream", status: null, errorType: null })
      expect(failure?.message).toMatch(/malformed/)
    })
  )

  it("that is not an event stream says so", () =>
    withServer([garbage("<html>captive portal</html>", "text/html")], async (server) => {
      const { failure, items } = await run(optionsFor(server.url))
      expect(items).toEqual([])
      expect(failure).toMatchObject({ kind: "stream", requestId: "req_000000" })
      expect(failure?.message).toContain("text/html")
    }))

  it("made of random bytes does not pass for a message", () =>
    withServer([garbage(new Uint8Array([0xff, 0x00, 0x0a, 0x0a, 0xfe, 0x80, 0x0a]))], async (server) => {
      const { failure, items } = await run(optionsFor(server.url))
      expect(typesOf(items)).toEqual(["Opened"])
      expect(failure).toMatchObject(CLOSED)
    }))
})

describe("an odd but complete response", () => {
  it("with every event twice is handed on as it is, up to the first message_stop", () =>
    withServer([duplicated(text("hi"))], async (server) => {
      const { failure, items } = await run(optionsFor(server.url))
      expect(failure).toBeUndefined()
      expect(textOf(items)).toBe("hihi")
      expect(typesOf(items).filter((type) => type === "message_stop")).toHaveLength(1)
    }))

  it.each([
    ["empty", empty(), "end_turn"],
    ["a refusal", refusal("no"), "refusal"],
    ["cut by the output limit", text("half", { stopReason: "max_tokens" }), "max_tokens"],
    ["a call with broken input", badToolJson("Read", '{"file_path": '), "tool_use"]
  ])("that is %s ends normally", (_, reply, stopReason) =>
    withServer([reply], async (server) => {
      const { failure, items } = await run(optionsFor(server.url))
      expect(failure).toBeUndefined()
      const stop = items.flatMap((item) =>
        item._tag === "Event" && item.event.type === "message_delta" ? [item.event.delta.stop_reason] : []
      )
      expect(stop).toEqual([stopReason])
    })
  )
})

const rawServer = async (answer: (socket: Socket) => void): Promise<{ server: Server; url: string }> => {
  const server = createServer((socket) => {
    socket.on("error", () => {})
    socket.once("data", () => answer(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return { server, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}` }
}

describe("no response", () => {
  it("because nobody listens", async () => {
    const { server, url } = await rawServer(() => {})
    await new Promise((resolve) => server.close(resolve))
    const { failure } = await run(optionsFor(url))
    expect(failure).toEqual({
      kind: "network",
      status: null,
      errorType: null,
      code: "ECONNREFUSED",
      message: "connection refused (ECONNREFUSED)"
    })
  })

  it("because the connection closes before the status line", async () => {
    const { server, url } = await rawServer((socket) => socket.end())
    const { failure } = await run(optionsFor(url))
    expect(failure).toMatchObject({ kind: "network", status: null, code: "ECONNRESET" })
    server.close()
  })

  it("because the connection is reset", async () => {
    const { server, url } = await rawServer((socket) => socket.resetAndDestroy())
    const { failure } = await run(optionsFor(url))
    expect(failure).toMatchObject({ kind: "network", status: null })
    expect(failure?.code).toMatch(/ECONNRESET/)
    server.close()
  })

  it("because what answers does not speak HTTP", async () => {
    const { server, url } = await rawServer((socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"))
    const { failure } = await run(optionsFor(url))
    expect(failure).toMatchObject({ kind: "network", status: null })
    server.close()
  })

  it("because the host does not exist", async () => {
    const { failure } = await run(optionsFor("http://nowhere.invalid"))
    expect(failure?.kind).toBe("network")
    expect(failure?.code).toMatch(/ENOTFOUND|EAI_AGAIN/)
  })

  it.each(["not a url", "ftp://127.0.0.1"])("because the base URL is %s: not worth a retry", async (url) => {
    const { failure } = await run(optionsFor(url))
    expect(failure).toMatchObject({ kind: "network", errorType: "invalid_request_error" })
    expect(failure?.message).toContain("base URL")
  })
})

describe("a credential", () => {
  it.each([
    ["is missing", { apiKey: "" }],
    ["holds a line break", { apiKey: "sk-secret\n" }]
  ])("that %s fails before anything is sent", (_, changes) =>
    withServer([text("never")], async (server) => {
      const { failure } = await run(optionsFor(server.url, changes))
      expect(failure?.kind).toBe("credential")
      expect(failure?.message).not.toContain("secret")
      expect(server.requests).toHaveLength(0)
    })
  )

  it("in a custom header is never quoted in a failure", async () => {
    const { failure } = await run(optionsFor("http://127.0.0.1:9", { customHeaders: { "x-secret": "hush\u0000hush" } }))
    expect(failure).toMatchObject({ kind: "network", errorType: "invalid_request_error" })
    expect(failure?.message).not.toContain("hush")
  })
})
