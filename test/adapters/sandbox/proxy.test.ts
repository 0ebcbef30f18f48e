import { connect, createServer, type Server, type Socket } from "node:net"
import { once } from "node:events"
import { connect as connectCarrier } from "node:http2"
import { afterEach, describe, expect, it } from "vitest"
import { serveChannel } from "../../../src/adapters/sandbox/proxy.ts"

/** The proxy at the far end of a channel, without a sandbox around the near end. */
const closing: Array<() => void> = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const listen = async (onConnection: (socket: Socket) => void): Promise<number> => {
  const server: Server = createServer((socket) => onConnection(socket.on("error", () => undefined)))
  closing.push(() => server.close())
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

const openProxy = async () => {
  const port = await listen((channel) =>
    serveChannel(channel, {
      policy: () => ({ allowed: ["localhost"], denied: [], unknown: "deny" }),
      ask: () => Promise.resolve("nobody is asked"),
      note: () => undefined
    })
  )
  const socket = connect(port, "127.0.0.1")
  const carrier = connectCarrier("http://proxy", { createConnection: () => socket })
  closing.push(
    () => carrier.destroy(),
    () => socket.destroy()
  )
  return () => carrier.request({ ":method": "CONNECT", ":authority": "proxy" })
}

const textOf = async (stream: NodeJS.ReadableStream): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString("latin1")
}

const socksRequest = (port: number): Buffer =>
  Buffer.concat([
    Buffer.from([5, 1, 0]),
    Buffer.from([5, 1, 0, 3, 9]),
    Buffer.from("localhost"),
    Buffer.from([port >> 8, port & 255])
  ])

describe("the proxy of a sandbox", () => {
  it("outlives servers that break off, however they were asked for", async () => {
    const port = await listen((socket) => socket.once("data", () => socket.resetAndDestroy()))
    const stream = await openProxy()
    const requests = [
      Buffer.concat([socksRequest(port), Buffer.from("hello")]),
      Buffer.from(`CONNECT localhost:${port} HTTP/1.1\r\n\r\nhello`),
      Buffer.from(`GET http://localhost:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`)
    ]
    for (const request of requests) {
      const asked = stream()
      asked.on("error", () => undefined)
      asked.write(request)
      await textOf(asked).catch(() => "")
    }
    const echo = await listen((socket) => socket.pipe(socket))
    const asked = stream()
    asked.end(Buffer.concat([socksRequest(echo), Buffer.from("still here")]))
    expect(await textOf(asked)).toContain("still here")
  })

  it("hands on what a client sends right behind its request for a tunnel", async () => {
    const port = await listen((socket) => socket.once("data", (data) => socket.end(`got ${data.toString()}`)))
    const stream = await openProxy()
    const asked = stream()
    asked.write(`CONNECT localhost:${port} HTTP/1.1\r\n\r\nearly`)
    expect(await textOf(asked)).toContain("got early")
  })
})
