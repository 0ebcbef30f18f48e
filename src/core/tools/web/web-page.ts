/** What reading one address of the web gives. */
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

export type PageContent =
  /** Text; HTML has become Markdown. `cut`: there was more. */
  | { readonly _tag: "Text"; readonly text: string; readonly cut: boolean }
  | { readonly _tag: "Binary"; readonly bytes: Uint8Array }

export interface Redirected {
  readonly _tag: "Redirected"
  readonly from: string
  readonly to: string
  readonly status: number
  readonly statusText: string
}
