import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import type { Socket } from "node:net"
import { text } from "node:stream/consumers"
import { proxyHeaders, proxyTarget, TunnelAgent } from "./proxy.ts"

/**
 * The network under the SDK: plain Node requests over kept-alive connections. Node's own fetch compiles a parser at
 * its first call, which costs more than the rest of a start, and gives up silent connections by itself; here silence is
 * the watchdog's to judge. Redirects are not followed, so a credential never goes to another host.
 */
type Fetch = typeof globalThis.fetch

/** The head of an answer as the SDK reads it; a real `Headers` costs more than the rest of the answer. */
export interface ReceivedHeaders {
  readonly get: (name: string) => string | null
  readonly entries: () => IterableIterator<[string, string]>
}

/** What the SDK and we use of a `Response`. The body is the socket's own stream: no web stream is put around it. */
export interface ReceivedResponse {
  readonly ok: boolean
  readonly status: number
  readonly url: string
  readonly headers: ReceivedHeaders
  readonly body: AsyncIterable<Uint8Array>
  readonly text: () => Promise<string>
}

const headersOf = (message: IncomingMessage): ReceivedHeaders => {
  const values = new Map<string, string>()
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2) {
    const name = (message.rawHeaders[index] ?? "").toLowerCase()
    const value = message.rawHeaders[index + 1] ?? ""
    const earlier = values.get(name)
    values.set(name, earlier === undefined ? value : `${earlier}, ${value}`)
  }
  return { get: (name) => values.get(name.toLowerCase()) ?? null, entries: () => values.entries() }
}

const responseOf = (message: IncomingMessage, url: URL): ReceivedResponse => {
  const status = message.statusCode ?? 0
  return {
    ok: status >= 200 && status < 300,
    status,
    url: url.href,
    headers: headersOf(message),
    body: message,
    text: () => text(message)
  }
}

const sentHeaders = (headers: RequestInit["headers"]): Record<string, string> =>
  Object.fromEntries(headers instanceof Headers ? headers : new Headers(headers))

const ignore = (): void => {}

/**
 * In the tick in which a connection goes back to the agent nobody listens for its errors, and an abort in that tick
 * would end the process. One listener per connection, which serves many requests.
 */
const guardSocket = (socket: Socket): void => {
  if (!socket.listeners("error").includes(ignore)) socket.on("error", ignore)
}

/** A request that is not encrypted goes to the proxy as it is, with the whole address. */
const throughProxy = (proxy: URL | undefined, url: URL): RequestOptions =>
  proxy === undefined ? {} : { ...proxyTarget(proxy), path: url.href }

export const makeTransport = (proxyAddress?: string): Fetch => {
  const proxy = proxyAddress === undefined ? undefined : new URL(proxyAddress)
  const plainProxy = proxy?.protocol === "https:" ? new HttpsAgent({ keepAlive: true }) : undefined
  const httpAgent = plainProxy ?? new HttpAgent({ keepAlive: true })
  const httpsAgent = proxy === undefined ? new HttpsAgent({ keepAlive: true }) : new TunnelAgent(proxy)
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const url = new URL(input instanceof Request ? input.url : input)
      const secure = url.protocol === "https:"
      const request = (secure || plainProxy !== undefined ? httpsRequest : httpRequest)(url, {
        ...(secure ? {} : throughProxy(proxy, url)),
        method: init.method ?? "GET",
        headers: {
          ...sentHeaders(init.headers),
          ...(secure || proxy === undefined ? {} : { host: url.host, ...proxyHeaders(proxy) })
        },
        agent: secure ? httpsAgent : httpAgent,
        ...(init.signal == null ? {} : { signal: init.signal })
      })
      request.on("response", (message) => {
        // A body that nobody reads any more may still break; whoever reads it learns of it from the stream itself.
        message.on("error", ignore)
        resolve(responseOf(message, url) as Partial<Response> as Response)
      })
      request.on("socket", guardSocket)
      request.on("error", reject)
      request.end(init.body)
    })
}
