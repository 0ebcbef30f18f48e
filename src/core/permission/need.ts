/** What a call would touch; the permission engine decides over needs and never looks at tool inputs itself. */
export type Need =
  /** With `below`, everything below the path as well. */
  | { readonly kind: "read"; readonly path: string; readonly below?: true }
  | { readonly kind: "edit"; readonly path: string }
  | { readonly kind: "shell"; readonly command: string }
  | { readonly kind: "fetch"; readonly url: string; readonly host: string }
  /** Touches nothing outside the conversation. */
  | { readonly kind: "nothing" }
  /** Only a person (or the host in its place) can answer. */
  | { readonly kind: "interaction" }
  /** Anything else: decided by rules on the tool's name alone. */
  | { readonly kind: "other" }

/** What the file system says about one path, gathered by the shell once per decision. */
export interface PathFact {
  /** Absolute, with `.` and `..` resolved, links not followed. */
  readonly path: string
  /** The same after resolving every link that exists; the missing tail is kept. */
  readonly realPath: string
  readonly exists: boolean
  /** Places that links on the way led to, other than the two ends. */
  readonly via?: ReadonlyArray<string>
}
