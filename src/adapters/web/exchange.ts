import { Effect } from "effect"
import { type IncomingMessage, request as httpRequest, type RequestOptions } from "node:http"
import { request as httpsRequest } from "node:https"
import type { LookupFunction } from "node:net"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import type { Readable } from "node:stream"
import { LIMITS } from "../../core/domain/limits.ts"
import { WebFailure } from "../../core/ports/Web.ts"
import type { ResolvedAddress } from "./addresses.ts"

/** One request and its answer over a connection to an address that was checked before. */
export interface Exchange {
  readonly url: URL
  readonly addresses: ReadonlyArray<ResolvedAddress>
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Posted as JSON. */
  readonly body?: string | undefined
}

export interface Answer {
  readonly status: number
  readonly statusText: string
  readonly contentType: string
  readonly location: string | undefined
  readonly body: Uint8Array
}

const HEADERS = {
  accept: "text/markdown, text/html;q=0.9, text/plain;q=0.8, application/json;q=0.7, */*;q=0.5",
  "accept-encoding": "gzip, deflate, br",
  "user-agent": `Nacre/${__NACRE_VERSION__}`
}

/** Answers every lookup with the checked addresses, so that a name cannot lead elsewhere the second time. */
const pinned =
  (addresses: ReadonlyArray<ResolvedAddress>): LookupFunction =>
  (_host, options, callback) => {
    const [first] = addresses
    if (options.all === true)
      callback(
        null,
        addresses.map((entry) => ({ ...entry }))
      )
    else callback(null, first?.address ?? "", first?.family)
  }

const unpacked = (response: IncomingMessage): Readable => {
  switch (response.headers["content-encoding"]) {
    case "gzip":
    case "x-gzip":
      return response.pipe(createGunzip())
    case "deflate":
      return response.pipe(createInflate())
    case "br":
      return response.pipe(createBrotliDecompress())
    default:
      return response
  }
}

const networkFailure = (url: URL, error: Error): WebFailure =>
  new WebFailure({ kind: "network", message: `${url.host}: ${error.message}` })

const tooLarge = (url: URL): WebFailure =>
  new WebFailure({
    kind: "tooLarge",
    message: `${url.href} is larger than ${LIMITS.webBodyBytes / 1024 / 1024} MB. Nothing of it was kept.`
  })

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

type Settle = (result: Effect.Effect<Answer, WebFailure>) => void

const receive = (url: URL, response: IncomingMessage, settle: Settle): void => {
  const head = {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? "",
    contentType: response.headers["content-type"] ?? "",
    location: response.headers.location
  }
  if (isRedirect(head.status) && head.location !== undefined) {
    settle(Effect.succeed({ ...head, body: new Uint8Array() }))
    return
  }
  const pieces: Array<Buffer> = []
  let size = 0
  const fail = (error: Error): void => settle(Effect.fail(networkFailure(url, error)))
  const body = unpacked(response)
  body.on("data", (piece: Buffer) => {
    size += piece.length
    if (size > LIMITS.webBodyBytes) settle(Effect.fail(tooLarge(url)))
    else pieces.push(piece)
  })
  body.once("end", () => settle(Effect.succeed({ ...head, body: Buffer.concat(pieces) })))
  body.on("error", fail)
  response.on("error", fail)
  response.once("close", () => {
    if (!response.complete) fail(new Error("the connection ended before the answer did"))
  })
}

const posted = (body: string | undefined): Readonly<Record<string, string | number>> =>
  body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }

const optionsFor = ({ addresses, headers, body }: Exchange): RequestOptions => ({
  method: body === undefined ? "GET" : "POST",
  headers: { ...HEADERS, ...posted(body), ...headers },
  lookup: pinned(addresses),
  // A connection of its own: a pooled one could have been made under another check.
  agent: false
})

export const exchange = (target: Exchange): Effect.Effect<Answer, WebFailure> =>
  Effect.callback((resume) => {
    const { url } = target
    const secure = url.protocol === "https:"
    const outgoing = (secure ? httpsRequest : httpRequest)(url, optionsFor(target))
    const settle: Settle = (result) => {
      clearTimeout(connecting)
      resume(result)
      outgoing.destroy()
    }
    const fail = (error: Error): void => settle(Effect.fail(networkFailure(url, error)))
    const connecting = setTimeout(
      () =>
        settle(
          Effect.fail(
            new WebFailure({
              kind: "timeout",
              message: `${url.host} did not accept a connection within ${LIMITS.webConnectMs / 1000} s.`
            })
          )
        ),
      LIMITS.webConnectMs
    )
    outgoing.once("socket", (socket) => socket.once(secure ? "secureConnect" : "connect", () => clearTimeout(connecting)))
    outgoing.on("error", fail)
    outgoing.once("response", (response) => receive(url, response, settle))
    outgoing.end(target.body)
    return Effect.sync(() => {
      clearTimeout(connecting)
      outgoing.destroy()
    })
  })
