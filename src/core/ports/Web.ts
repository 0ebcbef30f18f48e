import type { WebPage, Redirected } from "../tools/web/web-page.ts"
import { Context, Data, type Effect } from "effect"

/**
 * Reading one page of the web. The address that was checked is the one connected to; a redirect to another host is
 * reported and not followed; nothing is sent but the request for the page.
 */
export class WebFailure extends Data.TaggedError("WebFailure")<{
  /** address: the host leads where it must not; network: no usable answer; timeout; tooLarge; redirects: too many. */
  readonly kind: "address" | "network" | "timeout" | "tooLarge" | "redirects"
  readonly message: string
}> {}

export interface WebRequest {
  readonly url: string
  /**
   * Hosts that allow rules name. Only these may lead to private addresses, and only those that do stay on plain http.
   */
  readonly allowedHosts: ReadonlyArray<string>
  /** Hosts that deny or ask rules name: no redirect leads there unseen. */
  readonly closedHosts: ReadonlyArray<string>
  /** Sent beside the usual ones. No redirect leads them to another host. */
  readonly headers?: Readonly<Record<string, string>>
  /** Posted as JSON; without it the page is only read. */
  readonly body?: string
}

export class Web extends Context.Service<
  Web,
  {
    readonly fetch: (request: WebRequest) => Effect.Effect<WebPage | Redirected, WebFailure>
  }
>()("nacre/ports/Web") {}
