/** The syntax tree of a shell text as plain data, so that a decision depends on nothing but values. */
export interface SyntaxNode {
  /** Name of the grammar's node, such as `simple_expansion`; for an anonymous node its text. */
  readonly type: string
  readonly named: boolean
  /** Field under which the parent holds this node (`name`, `argument`, `body` …). */
  readonly field?: string
  /** Offsets into the text in UTF-16 units. */
  readonly start: number
  readonly end: number
  /** The parser invented it to go on. */
  readonly missing?: true
  readonly children: ReadonlyArray<SyntaxNode>
}

export interface SyntaxTree {
  readonly root: SyntaxNode
  /** Some part of the text did not fit the grammar. */
  readonly hasError: boolean
}

/** Reads a text, or gives nothing when no parser could be loaded or it gave up. The same text gives the same tree. */
export type ParseShell = (text: string) => SyntaxTree | undefined
