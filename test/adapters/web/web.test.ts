import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { gzipSync, brotliCompressSync, deflateSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import type { Lookup } from "../../../src/adapters/web/addresses.ts"
import type { Answer } from "../../../src/adapters/web/exchange.ts"
import { makeWeb } from "../../../src/adapters/web/layer.ts"
import { LIMITS } from "../../../src/core/domain/limits.ts"
import type { WebRequest } from "../../../src/core/ports/Web.ts"
import type { Redirected, WebPage } from "../../../src/core/tools/web/web-page.ts"
import { type Handler, withServer } from "./server.ts"

const ALLOWED = ["127.0.0.1", "local.test", "www.local.test"]

const toLoopback: Lookup = async () => [{ address: "127.0.0.1", family: 4 }]

const get = (url: string, request: Partial<WebRequest> = {}, lookup: Lookup = toLoopback) =>
  Effect.runPromise(makeWeb({ lookup }).fetch({ url, allowedHosts: ALLOWED, closedHosts: [], ...request }))

const refusal = async (url: string, request: Partial<WebRequest> = {}, lookup: Lookup = toLoopback) => {
  const result = await Effect.runPromise(
    Effect.result(makeWeb({ lookup }).fetch({ url, allowedHosts: ALLOWED, closedHosts: [], ...request }))
  )
  if (Result.isSuccess(result)) throw new Error("expected a failure")
  return result.failure
}

const page = (answer: WebPage | Redirected): WebPage => {
  if (answer._tag !== "Page") throw new Error("expected a page")
  return answer
}

const text = (answer: WebPage | Redirected): string => {
  const { content } = page(answer)
  if (content._tag !== "Text") throw new Error("expected text")
  return content.text
}

const html =
  (body: string): Handler =>
  (_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8")
    response.end(body)
  }

describe("a page", () => {
  it("comes as Markdown without what nobody would see", () =>
    withServer(
      html(`<html><head><title>t</title><style>p{}</style></head><body><!-- note <p> -->
        <h1>Title</h1><p>Some <b>bold</b> <a href="/x">link</a></p><script>alert("</p>")</script>
        <svg/><p hidden>secret one</p><div style="display: none">secret two</div><i aria-hidden="true">secret three</i>
        <pre><code>a &lt; b</code></pre><SCRIPT type=x>secret four</SCRIPT><svg class="i"/></body></html>`),
      async ({ origin }) => {
        const answer = await get(`${origin}/page?q=1`)
        expect(text(answer)).toBe("# Title\n\nSome **bold** [link](/x)\n\n```\na < b\n```")
        expect(page(answer)).toMatchObject({
          url: `${origin}/page?q=1`,
          status: 200,
          statusText: "OK",
          mediaType: "text/html"
        })
      }
    ))

  it("is asked for with a preference for Markdown and nothing that identifies the user", () =>
    withServer(
      (request, response) => response.end(JSON.stringify(request.headers)),
      async ({ origin }) => {
        const headers = JSON.parse(text(await get(origin))) as Record<string, string>
        expect(headers["accept"]?.startsWith("text/markdown")).toBe(true)
        expect(Object.keys(headers).toSorted()).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"])
      }
    ))

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync]
  ])("may be packed with %s", (encoding, pack) =>
    withServer(
      (_, response) => {
        response.writeHead(200, { "content-encoding": encoding, "content-type": "text/plain" })
        response.end(pack(Buffer.from("unpacked")))
      },
      async ({ origin }) => expect(text(await get(origin))).toBe("unpacked")
    )
  )

  it("is decoded by its charset", () =>
    withServer(
      (_, response) => {
        response.setHeader("content-type", "text/plain; charset=iso-8859-1")
        response.end(Buffer.from("sch\u00f6n", "latin1"))
      },
      async ({ origin }) => expect(text(await get(origin))).toBe("schön")
    ))

  it("is cut at the bound and says so", () =>
    withServer(
      (_, response) => {
        response.writeHead(200, { "content-type": "text/plain" })
        response.end("x".repeat(LIMITS.webTextChars + 1))
      },
      async ({ origin }) => {
        const { content } = page(await get(origin))
        expect(content).toMatchObject({ _tag: "Text", cut: true })
        expect(content._tag === "Text" && content.text.length).toBe(LIMITS.webTextChars)
      }
    ))

  it("that is not text comes as bytes", () =>
    withServer(
      (_, response) => response.writeHead(200, { "content-type": "image/png" }).end(Buffer.from([1, 0, 2])),
      async ({ origin }) =>
        expect(page(await get(origin)).content).toEqual({ _tag: "Binary", bytes: Buffer.from([1, 0, 2]) })
    ))

  it("with an error status is an answer", () =>
    withServer(
      (_, response) => response.writeHead(404, { "content-type": "text/plain" }).end("gone"),
      async ({ origin }) => expect(page(await get(origin))).toMatchObject({ status: 404, statusText: "Not Found" })
    ))

  it("that is too large, also unpacked, is refused", () =>
    withServer(
      (_, response) => {
        response.writeHead(200, { "content-encoding": "gzip" })
        response.end(gzipSync(Buffer.alloc(LIMITS.webBodyBytes + 1)))
      },
      async ({ origin }) => expect((await refusal(origin)).kind).toBe("tooLarge")
    ))

  it("that breaks off is a failure", () =>
    withServer(
      (_, response) => {
        response.writeHead(200, { "content-length": "100" })
        response.write("half")
        setImmediate(() => response.destroy())
      },
      async ({ origin }) => expect((await refusal(origin)).kind).toBe("network")
    ))

  it("nested without end is still read", () =>
    withServer(html(`${"<div>".repeat(50_000)}deep`), async ({ origin }) => expect(text(await get(origin))).toBe("deep")))
})

describe("redirects", () => {
  const redirecting =
    (target: (path: string) => string | undefined): Handler =>
    (request, response) => {
      const location = target(request.url ?? "")
      if (location === undefined) response.end("arrived")
      else response.writeHead(302, { location }).end()
    }

  it("within the host are followed", () =>
    withServer(
      redirecting((path) => (path === "/a" ? "/b" : undefined)),
      async ({ origin }) => expect(page(await get(`${origin}/a`)).url).toBe(`${origin}/b`)
    ))

  it("between a host and its www are followed", () =>
    withServer(
      (request, response) => {
        const { host = "" } = request.headers
        if (host.startsWith("www.")) response.end("arrived")
        else response.writeHead(301, { location: `http://www.${host}/` }).end()
      },
      async ({ port }) => {
        const start = `http://local.test:${port}/`
        expect(page(await get(start)).url).toBe(`http://www.local.test:${port}/`)
        // A rule about the other name is a rule about another host.
        for (const closedHosts of [["www.local.test"], ["*.local.test"], ["*"]]) {
          expect(await get(start, { closedHosts })).toMatchObject({ _tag: "Redirected" })
        }
        expect(page(await get(start, { closedHosts: ["local.test"] })).status).toBe(200)
      }
    ))

  it("to another host are reported, and that host is never contacted or even resolved", () =>
    withServer(
      (_, response) => response.end("secret"),
      async (other) =>
        withServer(
          redirecting(() => `http://other.test:${other.port}/x`),
          async ({ origin, port }) => {
            const resolved: Array<string> = []
            const lookup: Lookup = async (host) => {
              resolved.push(host)
              return [{ address: "127.0.0.1", family: 4 }]
            }
            const allowedHosts = ["local.test", "other.test"]
            const answer = await get(`http://local.test:${port}/`, { allowedHosts }, lookup)
            expect(answer).toEqual({
              _tag: "Redirected",
              from: `http://local.test:${port}/`,
              to: `http://other.test:${other.port}/x`,
              status: 302,
              statusText: "Found"
            })
            expect(other.asked).toEqual([])
            expect(resolved).toEqual(["local.test"])
            expect(origin).not.toBe(other.origin)
          }
        )
    ))

  it("end after ten", () =>
    withServer(
      redirecting((path) => `/${Number(path.slice(1)) + 1}`),
      async ({ origin, asked }) => {
        expect((await refusal(`${origin}/0`)).kind).toBe("redirects")
        expect(asked).toHaveLength(11)
      }
    ))

  it.each(["file:///etc/passwd", "http://user:secret@127.0.0.1/", "javascript:1"])("to %s are a failure", (location) =>
    withServer(
      redirecting(() => location),
      async ({ origin }) => expect((await refusal(origin)).kind).toBe("network")
    )
  )
})

describe("private addresses", () => {
  it("are refused without a rule, by address and by name, and nothing is sent", () =>
    withServer(
      (_, response) => response.end("secret"),
      async ({ origin, port, asked }) => {
        for (const allowedHosts of [[], ["*"], ["example.com"]]) {
          expect((await refusal(origin, { allowedHosts })).kind).toBe("address")
          expect((await refusal(`http://innocent.test:${port}/`, { allowedHosts })).message).toContain("loopback")
        }
        expect(asked).toEqual([])
      }
    ))

  it("are refused when they hide among public ones", async () => {
    const lookup: Lookup = async () => [
      { address: "93.184.216.34", family: 4 },
      { address: "10.0.0.1", family: 4 }
    ]
    expect((await refusal("https://mixed.test/", { allowedHosts: [] }, lookup)).message).toContain("private")
  })

  it("of cloud metadata are refused even by rule, however they are written", async () => {
    for (const url of [
      "http://169.254.169.254/latest",
      "http://[::ffff:169.254.169.254]/",
      "http://2852039166/",
      "http://metadata.google.internal/"
    ]) {
      const allowedHosts = ["169.254.169.254", "::ffff:a9fe:a9fe", "metadata.google.internal"]
      expect((await refusal(url, { allowedHosts })).message).toContain("metadata")
    }
    const lookup: Lookup = async () => [{ address: "fd00:ec2::254", family: 6 }]
    expect((await refusal("https://named.test/", { allowedHosts: ["named.test"] }, lookup)).kind).toBe("address")
  })

  it("cannot be slipped in after the check: one resolution serves check and connection", () =>
    withServer(
      (_, response) => response.end("first"),
      async ({ port }) => {
        let calls = 0
        const rebinding: Lookup = async () => [{ address: calls++ === 0 ? "127.0.0.1" : "10.255.255.1", family: 4 }]
        expect(text(await get(`http://local.test:${port}/`, {}, rebinding))).toBe("first")
        expect(calls).toBe(1)
      }
    ))

  it("are checked again at every redirect", () =>
    withServer(
      (_, response) => response.writeHead(302, { location: "/next" }).end(),
      async ({ port, asked }) => {
        let calls = 0
        const rebinding: Lookup = async () => [{ address: calls++ === 0 ? "127.0.0.1" : "169.254.169.254", family: 4 }]
        expect((await refusal(`http://local.test:${port}/`, {}, rebinding)).kind).toBe("address")
        expect(asked).toHaveLength(1)
      }
    ))

  it("that resolve to nothing are a failure", async () => {
    const failing: Lookup = async () => {
      throw new Error("ENOTFOUND")
    }
    expect((await refusal("https://nowhere.test/", {}, failing)).message).toContain("could not be resolved")
    expect((await refusal("https://nowhere.test/", {}, async () => [])).kind).toBe("address")
  })
})

describe("the way there", () => {
  const answer: Answer = {
    status: 200,
    statusText: "OK",
    contentType: "text/plain",
    location: undefined,
    body: Buffer.from("x")
  }
  const publicLookup: Lookup = async () => [{ address: "93.184.216.34", family: 4 }]

  it("is https for every public host, also if a rule names it", async () => {
    const seen: Array<string> = []
    const web = makeWeb({
      lookup: publicLookup,
      exchange: ({ url }) => Effect.sync(() => (seen.push(url.href), answer))
    })
    await Effect.runPromise(web.fetch({ url: "http://docs.test/a", allowedHosts: [], closedHosts: [] }))
    await Effect.runPromise(web.fetch({ url: "http://docs.test:8080/a", allowedHosts: ["docs.test"], closedHosts: [] }))
    expect(seen).toEqual(["https://docs.test/a", "https://docs.test:8080/a"])
  })

  it("takes a minute at most", async () => {
    const web = makeWeb({ lookup: publicLookup, exchange: () => Effect.never })
    const program = Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(
        Effect.result(web.fetch({ url: "https://slow.test/", allowedHosts: [], closedHosts: [] }))
      )
      yield* TestClock.adjust(LIMITS.webTotalMs)
      return yield* Fiber.join(fiber)
    })
    const result = await Effect.runPromise(program.pipe(Effect.provide(TestClock.layer())))
    expect(Result.isFailure(result) && result.failure.kind).toBe("timeout")
  })

  it("ends with the asking fiber: the connection is closed", () => {
    let closed = false
    return withServer(
      (_, response) => {
        response.once("close", () => {
          closed = true
        })
      },
      async ({ origin, asked }) => {
        const fiber = Effect.runFork(makeWeb().fetch({ url: origin, allowedHosts: ALLOWED, closedHosts: [] }))
        await expect.poll(() => asked.length).toBe(1)
        await Effect.runPromise(Fiber.interrupt(fiber))
        await expect.poll(() => closed).toBe(true)
      }
    )
  })

  it("that nobody answers is a failure", async () => {
    const free = await withServer(
      () => undefined,
      async ({ origin }) => origin
    )
    expect((await refusal(free)).kind).toBe("network")
  })
})
