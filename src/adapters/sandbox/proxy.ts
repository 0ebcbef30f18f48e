/** The only way from a sandbox to the network: an HTTP and SOCKS proxy at the far end of the channel. */
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http"
import { createServer as createCarrier } from "node:http2"
import { Duplex } from "node:stream"
import { parseUrl } from "../../core/domain/net/host.ts"
import { type Destination, dial, DialFailure, type Dialled } from "./connect.ts"
import { joinStreams } from "./join-streams.ts"
import { serveSocks, SOCKS_VERSION } from "./socks.ts"

type Dial = (to: Destination, client: Duplex) => Promise<Duplex>

const HOP_BY_HOP = /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

const statusOf = (cause: unknown): number => (cause instanceof DialFailure && cause.refused ? 403 : 502)

const wordsOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, "$1")

/** What a client sent right behind its request already belongs to the tunnel. */
const tunnel = async (request: IncomingMessage, stream: Duplex, early: Buffer, dialTo: Dial): Promise<void> => {
  const match = /^(.+):(\d{1,5})$/.exec(request.url ?? "")
  try {
    const target = await dialTo({ host: bareHost(match?.[1] ?? ""), port: Number(match?.[2]) }, stream)
    stream.write("HTTP/1.1 200 Connection established\r\n\r\n")
    if (early.length > 0) target.write(early)
    joinStreams(stream, target)
  } catch (cause) {
    const status = statusOf(cause) === 403 ? "403 Forbidden" : "502 Bad Gateway"
    const body = `${wordsOf(cause)}\n`
    const head = `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
    stream.end(`${head}Connection: close\r\n\r\n${body}`)
  }
}

const kept = (headers: IncomingMessage["headers"]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.test(name)))

const refuse = (response: ServerResponse, status: number, words: string): void => {
  if (response.headersSent) response.destroy()
  else response.writeHead(status, { "content-type": "text/plain", connection: "close" }).end(`${words}\n`)
}

const forward = async (request: IncomingMessage, response: ServerResponse, dialTo: Dial): Promise<void> => {
  const url = parseUrl(request.url ?? "")
  if (url?.protocol !== "http:") {
    refuse(response, 400, "A request to the proxy names a whole http:// address.")
    return
  }
  try {
    const socket = await dialTo({ host: bareHost(url.hostname), port: Number(url.port || 80) }, request.socket)
    const upstream = httpRequest({
      createConnection: () => socket,
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...kept(request.headers), host: url.host, connection: "close" }
    })
    upstream.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, kept(answer.headers))
      answer.on("error", () => response.destroy()).pipe(response)
    })
    upstream.on("error", (cause) => refuse(response, 502, cause.message))
    response.on("close", () => upstream.destroy())
    request.pipe(upstream)
  } catch (cause) {
    refuse(response, statusOf(cause), wordsOf(cause))
  }
}

/**
 * The same connection, which only ever gets bytes to write: Node's HTTP/2 streams garble texts that are written
 * together with bytes, as its HTTP server does.
 */
const inBytes = (stream: Duplex): Duplex => {
  const bytes = new Duplex({
    read: () => void stream.resume(),
    write: (chunk: Buffer, _encoding, done) => {
      if (stream.write(chunk)) done()
      else stream.once("drain", done)
    },
    final: (done) => {
      stream.end()
      done()
    },
    destroy: (error, done) => {
      stream.destroy()
      done(error)
    }
  })
  stream.on("data", (chunk: Buffer) => {
    if (!bytes.push(chunk)) stream.pause()
  })
  stream.on("end", () => bytes.push(null))
  stream.on("error", () => bytes.destroy())
  stream.on("close", () => {
    if (!stream.readableEnded) bytes.destroy()
  })
  return bytes
}

/** The first byte tells which of the two a client speaks. */
const distinguish = (stream: Duplex, dialTo: Dial, serveHttp: (stream: Duplex) => void): void => {
  const look = (): void => {
    const first: Buffer | null = stream.read(1)
    if (first === null) {
      stream.once("readable", look)
      return
    }
    stream.unshift(first)
    if (first[0] === SOCKS_VERSION) serveSocks(stream, (to) => dialTo(to, stream)).catch(() => stream.destroy())
    else serveHttp(stream)
  }
  stream.on("error", () => undefined)
  look()
}

/** Serves one sandbox until its channel closes. */
export const serveChannel = (channel: NodeJS.ReadWriteStream, dialled: Dialled): void => {
  const waiting = new Set<AbortController>()
  const dialTo: Dial = (to, client) => {
    const controller = new AbortController()
    const leave = (): void => controller.abort()
    waiting.add(controller)
    client.once("close", leave)
    return dial(dialled, { ...to, gone: controller.signal }).finally(() => {
      waiting.delete(controller)
      client.off("close", leave)
    })
  }
  const http = createServer((request, response) => void forward(request, response, dialTo))
  http.on("connect", (request, stream, head) => void tunnel(request, stream, head, dialTo))
  http.on("clientError", (_cause, stream) => stream.destroy())
  const carrier = createCarrier()
  carrier.on("sessionError", () => undefined)
  carrier.on("stream", (stream) => {
    stream.respond({ ":status": 200 })
    distinguish(inBytes(stream), dialTo, (connection) => http.emit("connection", connection))
  })
  channel.on("error", () => undefined)
  channel.on("close", () => {
    for (const controller of waiting) controller.abort()
  })
  carrier.emit("connection", channel)
}
