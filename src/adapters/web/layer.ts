import { Effect, Layer } from "effect"
import { lookup as systemLookup } from "node:dns/promises"
import { LIMITS } from "../../core/domain/limits.ts"
import { Web, WebFailure, type WebRequest } from "../../core/ports/Web.ts"
import type { Redirected, WebPage } from "../../core/tools/web/web-page.ts"
import { hostOf, isSameHost, matchesHost, parseUrl, upgradeToHttps, urlProblem } from "../../core/domain/net/host.ts"
import { checkedAddresses, type Lookup } from "./addresses.ts"
import { contentOf, mediaTypeOf } from "./content.ts"
import { type Answer, exchange } from "./exchange.ts"

/** Fetches a page hop by hop. Every hop is resolved, checked and connected to anew; none leaves the first host. */
interface Network {
  readonly lookup: Lookup
  readonly exchange: typeof exchange
}

interface Journey {
  readonly request: WebRequest
  readonly origin: URL
  readonly network: Network
}

const pageOf = (url: URL, answer: Answer): Effect.Effect<WebPage> =>
  Effect.map(
    Effect.promise(() => contentOf(answer.contentType, answer.body)),
    (content) => ({
      _tag: "Page",
      url: url.href,
      status: answer.status,
      statusText: answer.statusText,
      mediaType: mediaTypeOf(answer.contentType),
      bytes: answer.body.length,
      content
    })
  )

const networkFailure = (message: string): WebFailure => new WebFailure({ kind: "network", message })

/** The other name of a host, with or without www, has rules of its own. */
const isClosed = (next: URL, { origin, request }: Journey): boolean =>
  hostOf(next) !== hostOf(origin) && request.closedHosts.some((pattern) => matchesHost(pattern, hostOf(next)))

const hop = (url: URL, journey: Journey, left: number): Effect.Effect<WebPage | Redirected, WebFailure> =>
  Effect.gen(function* () {
    const { addresses, local } = yield* checkedAddresses(url, journey.request.allowedHosts, journey.network.lookup)
    const { headers, body } = journey.request
    const target = local ? url : upgradeToHttps(url)
    const answer = yield* journey.network.exchange({ url: target, addresses, headers, body })
    if (answer.location === undefined) return yield* pageOf(target, answer)
    const next = parseUrl(answer.location, target)
    if (next === undefined || urlProblem(next.href) !== undefined) {
      return yield* networkFailure(`${target.href} redirects to something that cannot be fetched.`)
    }
    if (!isSameHost(next, journey.origin) || isClosed(next, journey)) {
      const { status, statusText } = answer
      return { _tag: "Redirected" as const, from: journey.origin.href, to: next.href, status, statusText }
    }
    if (left === 0) {
      return yield* new WebFailure({
        kind: "redirects",
        message: `${journey.origin.href} redirects more than ${LIMITS.webRedirects} times, at last to ${next.href}`
      })
    }
    return yield* hop(next, journey, left - 1)
  })

const fetchPage = (request: WebRequest, network: Network): Effect.Effect<WebPage | Redirected, WebFailure> => {
  const origin = parseUrl(request.url)
  const problem = urlProblem(request.url)
  if (origin === undefined || problem !== undefined) return Effect.fail(networkFailure(problem ?? "no URL"))
  return hop(origin, { request, origin, network }, LIMITS.webRedirects).pipe(
    Effect.timeoutOrElse({
      duration: LIMITS.webTotalMs,
      orElse: () =>
        Effect.fail(
          new WebFailure({
            kind: "timeout",
            message: `${request.url} was not there after ${LIMITS.webTotalMs / 1000} s.`
          })
        )
    })
  )
}

const systemAddresses: Lookup = async (host) =>
  (await systemLookup(host, { all: true })).map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))

/** Over another way to resolve names or to exchange messages than the system's. */
export const makeWeb = (network: Partial<Network> = {}): Web["Service"] => ({
  fetch: (request) => fetchPage(request, { lookup: systemAddresses, exchange, ...network })
})

export const layer: Layer.Layer<Web> = Layer.succeed(Web, makeWeb())
