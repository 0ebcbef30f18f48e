/** What searching for files and text finds. */
export interface Found<Entry> {
  readonly entries: ReadonlyArray<Entry>
  /** False when the time was up or the output grew too large: there may be more. */
  readonly complete: boolean
  /** What could not be searched, in the engine's words. */
  readonly warning?: string
}

export interface FileCount {
  readonly path: string
  /** Matching lines, or matches when the expression spans lines. */
  readonly count: number
}

export type GrepLine =
  | { readonly kind: "match" | "context"; readonly path: string; readonly line: number; readonly text: string }
  /** Between groups of lines that do not touch. */
  | { readonly kind: "separator" }
  /** A file of which nothing can be shown, for example because it is binary. */
  | { readonly kind: "notice"; readonly path: string; readonly text: string }
