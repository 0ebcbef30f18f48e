/** What leaves of a Markdown text stand in: quotes and list items, outermost first. */

export interface QuoteFrame {
  readonly kind: "quote"
  readonly start: number
}

export interface ItemFrame {
  readonly kind: "item"
  /** Where its mark begins in the source. */
  readonly start: number
  /** Columns that its further lines are indented by. */
  readonly indent: number
  /** The mark as written: `-`, `*`, `12.` */
  readonly mark: string
  /** `[ ]` or `[x]` behind the mark. */
  readonly task?: { readonly at: number; readonly done: boolean }
}

export type Frame = QuoteFrame | ItemFrame

/** A piece of a line behind the marks of its frames. */
export interface Fragment {
  readonly text: string
  /** Where the text begins in the source. */
  readonly at: number
  /** Behind the line break. */
  readonly end: number
}

interface LeafBase {
  readonly frames: ReadonlyArray<Frame>
  /** Frames from this one on begin here: their marks are drawn. */
  readonly fresh: number
  /** The source it answers for, marks and line break included. */
  readonly start: number
  readonly end: number
}

export type Alignment = "left" | "right" | "center"

/** The smallest blocks, in the order of the source. Code and HTML come line by line. */
export type Leaf = LeafBase &
  (
    | { readonly kind: "paragraph"; readonly lines: ReadonlyArray<Fragment> }
    | { readonly kind: "heading"; readonly depth: number; readonly lines: ReadonlyArray<Fragment> }
    | { readonly kind: "fence"; readonly info: string }
    | { readonly kind: "code"; readonly line: Fragment; readonly fenced: boolean }
    | { readonly kind: "fenceEnd" }
    | { readonly kind: "html"; readonly line: Fragment }
    | { readonly kind: "rule" }
    | { readonly kind: "definition"; readonly label: string; readonly href: string; readonly line: Fragment }
    | {
        readonly kind: "table"
        readonly align: ReadonlyArray<Alignment>
        readonly lines: ReadonlyArray<Fragment>
        /** Its head came with an earlier leaf. */
        readonly continued: boolean
      }
    | { readonly kind: "empty" }
    | { readonly kind: "blank" }
  )
