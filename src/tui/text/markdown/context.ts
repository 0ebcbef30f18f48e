/** What the layout of Markdown depends on besides the text. */
export interface MarkdownOptions {
  readonly width: number
  readonly glyphs: "unicode" | "ascii"
  readonly highlight: boolean
  /** In code. */
  readonly tabWidth: number
  readonly codeWrap: boolean
  /** Columns scrolled to the right inside code and tables. */
  readonly scroll: number
  /** The workspace: links to files below it work. */
  readonly cwd: string
}
