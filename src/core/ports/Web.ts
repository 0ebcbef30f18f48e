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
}

export type PageContent =
  /** Text; HTML has become Markdown. `cut`: there was more. */
  | { readonly _tag: "Text"; readonly text: string; readonly cut: boolean }
  | { readonly _tag: "Binary"; readonly bytes: Uint8Array }

export interface WebPage {
  readonly _tag: "Page"
  /** After redirects. */
  readonly url: string
  readonly status: number
  readonly statusText: string
  /** Media type without parameters, lower case; empty if the server gave none. */
  readonly mediaType: string
  /** Size of the body, unpacked. */
  readonly bytes: number
  readonly content: PageContent
}

export interface Redirected {
  readonly _tag: "Redirected"
  readonly from: string
  readonly to: string
  readonly status: number
  readonly statusText: string
}

export class Web extends Context.Service<
  Web,
  {
    readonly fetch: (request: WebRequest) => Effect.Effect<WebPage | Redirected, WebFailure>
  }
>()("nacre/ports/Web") {}
