import { createServer, type IncomingMessage, request as httpRequest } from "node:http"
import { createServer as createTcpServer, type AddressInfo, connect } from "node:net"
import { describe, expect, it } from "vitest"
import { text } from "../../support/messages-reply.ts"
import { optionsFor, run, textOf, withServer } from "./harness.ts"

interface Proxy {
  readonly url: (user?: string) => string
  /** What it was asked for: method, address, and who asked. */
  readonly asked: ReadonlyArray<readonly [string | undefined, string | undefined, string | undefined]>
}

const listening = async (server: {
  readonly listen: (port: number, host: string, then: () => void) => unknown
  readonly address: () => unknown
}): Promise<number> => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  return (server.address() as AddressInfo).port
}

/** Carries what it is asked for, or refuses every tunnel with a status. */
const withProxy = async <A>(refusal: string | undefined, use: (proxy: Proxy) => Promise<A>): Promise<A> => {
  const asked: Array<Proxy["asked"][number]> = []
  const note = ({ method, url, headers }: IncomingMessage): void =>
    void asked.push([method, url, headers["proxy-authorization"]])
  const server = createServer((incoming, answer) => {
    note(incoming)
    const { "proxy-authorization": _, ...headers } = incoming.headers
    const onward = httpRequest(incoming.url ?? "", { method: incoming.method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(answer)
    })
    incoming.pipe(onward)
  })
  server.on("connect", (incoming: IncomingMessage, client) => {
    note(incoming)
    client.on("error", () => undefined)
    if (refusal !== undefined) return void client.end(`HTTP/1.1 ${refusal}\r\n\r\n`)
    const target = connect(Number(incoming.url?.split(":").at(-1)), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n")
      client.pipe(target).pipe(client)
    })
    target.on("error", () => client.destroy())
  })
  const port = await listening(server)
  try {
    return await use({ url: (user = "") => `http://${user}127.0.0.1:${port}`, asked })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe("a proxy", () => {
  it("is asked with the whole address where nothing is encrypted, and is told who asks", () =>
    withServer([text("good morning"), text("again")], (server) =>
      withProxy(undefined, async (proxy) => {
        const options = optionsFor(server.url, { proxy: proxy.url("me:p%40ss@") })
        expect(textOf((await run(options)).items)).toBe("good morning")
        expect(textOf((await run(options)).items)).toBe("again")
        const who = `Basic ${Buffer.from("me:p@ss").toString("base64")}`
        expect(proxy.asked).toEqual([
          ["POST", `${server.url}/v1/messages`, who],
          ["POST", `${server.url}/v1/messages`, who]
        ])
        expect(server.violations()).toEqual([])
      })
    ))

  it("is asked for a tunnel where everything is, and sees nothing but the name of the host", () =>
    withProxy(undefined, async (proxy) => {
      let first: Buffer = Buffer.alloc(0)
      const host = createTcpServer((socket) => {
        socket.on("error", () => undefined)
        socket.once("data", (bytes) => {
          first = bytes
          socket.destroy()
        })
      })
      const port = await listening(host)
      const { failure } = await run(optionsFor(`https://api.example.test:${port}`, { proxy: proxy.url() }))
      host.close()
      expect(failure?.kind).toBe("network")
      expect(proxy.asked).toEqual([["CONNECT", `api.example.test:${port}`, undefined]])
      // The first bytes of a TLS handshake, which name the host.
      expect([...first.subarray(0, 2)]).toEqual([0x16, 0x03])
      expect(first.includes("api.example.test")).toBe(true)
      expect(first.includes("test-key")).toBe(false)
    }))

  it("that refuses is named, with what it said", () =>
    withProxy("407 Proxy Authentication Required", async (proxy) => {
      const { failure } = await run(optionsFor("https://api.example.test", { proxy: proxy.url("me:secret@") }))
      expect(JSON.stringify(failure)).toContain("refused the connection: 407 Proxy Authentication Required")
      expect(JSON.stringify(failure)).not.toContain("secret")
    }))

  it("that is not there is a connection that failed", async () => {
    const { failure } = await run(optionsFor("https://api.example.test", { proxy: "http://127.0.0.1:9" }))
    expect(failure?.kind).toBe("network")
  })
})
