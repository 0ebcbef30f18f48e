/** What a call would touch; the permission engine decides over needs and never looks at tool inputs itself. */
export type Need =
  /** With `below`, everything below the path as well. */
  | { readonly kind: "read"; readonly path: string; readonly below?: true }
  | { readonly kind: "edit"; readonly path: string }
  | { readonly kind: "shell"; readonly command: string }
  | { readonly kind: "fetch"; readonly url: string; readonly host: string }
  /** Touches nothing outside the conversation. */
  | { readonly kind: "nothing" }
  /** Only a user (or the host in its place) can answer. */
  | { readonly kind: "interaction" }
  /** Anything else: decided by rules on the tool's name alone. */
  | { readonly kind: "other" }
