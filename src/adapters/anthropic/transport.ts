import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import { Readable } from "node:stream"

/**
 * The network under the SDK: plain Node requests over kept-alive connections. Node's own fetch compiles a parser at
 * its first call, which costs more than the rest of a start, and gives up silent connections by itself; here silence is
 * the watchdog's to judge. Redirects are not followed, so a credential never goes to another host.
 */
type Fetch = typeof globalThis.fetch

const WITHOUT_BODY = new Set([204, 205, 304])

const headersOf = (message: IncomingMessage): Headers => {
  const headers = new Headers()
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2) {
    headers.append(message.rawHeaders[index] ?? "", message.rawHeaders[index + 1] ?? "")
  }
  return headers
}

const responseOf = (message: IncomingMessage): Response => {
  const status = message.statusCode ?? 0
  const body = WITHOUT_BODY.has(status) ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>)
  return new Response(body, { status, statusText: message.statusMessage ?? "", headers: headersOf(message) })
}

export const makeTransport = (): Fetch => {
  const httpAgent = new HttpAgent({ keepAlive: true })
  const httpsAgent = new HttpsAgent({ keepAlive: true })
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const url = new URL(input instanceof Request ? input.url : input)
      const secure = url.protocol === "https:"
      const request = (secure ? httpsRequest : httpRequest)(url, {
        method: init.method ?? "GET",
        headers: Object.fromEntries(new Headers(init.headers)),
        agent: secure ? httpsAgent : httpAgent,
        ...(init.signal == null ? {} : { signal: init.signal })
      })
      request.on("response", (message) => resolve(responseOf(message)))
      request.on("error", reject)
      request.end(init.body)
    })
}
