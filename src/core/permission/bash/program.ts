/**
 * A shell text as the permission engine sees it. Two readers with opposite bias use it: deny and ask rules look at every
 * command anywhere and at every literal piece; an allow needs words whose value is known and no obstacle at all.
 */
export interface ShellProgram {
  readonly source: string
  /** Nothing but blanks and comments: running it does nothing. */
  readonly blank: boolean
  /** Every simple command at any depth, in the order of the text: lists, pipelines, groups, substitutions, bodies. */
  readonly commands: ReadonlyArray<SimpleCommand>
  readonly body: ReadonlyArray<Statement>
  /** Why the text is not fully understood; empty means that it is. */
  readonly obstacles: ReadonlyArray<Obstacle>
}

/** How statements hang together, as far as it matters for following `cd`. */
export type Statement =
  | { readonly kind: "command"; readonly command: SimpleCommand }
  | { readonly kind: "list"; readonly operator: "&&" | "||" | ";" | "&"; readonly parts: ReadonlyArray<Statement> }
  | { readonly kind: "pipeline"; readonly parts: ReadonlyArray<Statement> }
  | { readonly kind: "group" | "subshell" | "negation" | "if"; readonly parts: ReadonlyArray<Statement> }
  /** Understood only for deny and ask; its commands are in `commands` all the same. */
  | { readonly kind: "opaque"; readonly construct: string; readonly commands: ReadonlyArray<SimpleCommand> }

export interface SimpleCommand {
  readonly source: string
  readonly start: number
  readonly end: number
  readonly assignments: ReadonlyArray<Assignment>
  /** The program first. Empty for a bare assignment, a lone redirect, or the redirects of a group. */
  readonly words: ReadonlyArray<Word>
  readonly redirects: ReadonlyArray<Redirect>
  readonly place: CommandPlace
  /** Seen by a rough reading of a text that was not understood: for rules that deny or ask, and not for show. */
  readonly guessed?: true
}

/** Where a command stands. */
export interface CommandPlace {
  /** How many substitutions, groups, bodies and strings it is in. */
  readonly depth: number
  readonly inSubstitution: boolean
  readonly inPipeline: boolean
  readonly inFunction: boolean
  readonly inBackground: boolean
}

export interface Assignment {
  readonly start: number
  readonly end: number
  readonly name: string
  /** Absent for an array. */
  readonly value: Word | undefined
  readonly appends: boolean
}

export interface Word {
  readonly source: string
  readonly start: number
  readonly end: number
  /**
   * The value when it is known before the command runs; undefined for a dynamic word. A word with `glob` has its pattern
   * as value and may become several words, or stay as it is.
   */
  readonly value: string | undefined
  /** The literal pieces in order with `DYNAMIC` where a piece is only known at run time. */
  readonly literal: string
  /** bare: no quoting at all; operand: quotes or escapes that only an operand may have; strange: `$'…'`, `$"…"`, continuations. */
  readonly quoting: "bare" | "operand" | "strange"
  /** Has an unquoted `*`, `?` or `[`. */
  readonly glob: boolean
  readonly dynamic: ReadonlyArray<DynamicPart>
}

/** Stands in `Word.literal` for what is only known at run time. */
export const DYNAMIC = "\u{FFFC}"

export interface DynamicPart {
  readonly kind: "variable" | "expansion" | "substitution" | "process" | "arithmetic" | "braces" | "ansi" | "tilde"
  readonly source: string
  /** Name of a plain variable. */
  readonly name?: string
  readonly quoted: boolean
  /** Commands inside a substitution. */
  readonly commands: ReadonlyArray<SimpleCommand>
}

export interface Redirect {
  readonly source: string
  readonly start: number
  readonly end: number
  /** `>`, `>>`, `>|`, `<`, `<>`, `&>`, `&>>`, `>&`, `<&`, `<<`, `<<-`, `<<<`. */
  readonly operator: string
  readonly fd: number | undefined
  /** File or descriptor; absent for a here-document. */
  readonly target: Word | undefined
  readonly heredoc?: HereDocument
}

export interface HereDocument {
  /** A quoted delimiter: the body is taken as it is. */
  readonly quoted: boolean
  /** What the command reads: without escapes and stripped tabs, with `DYNAMIC` for what is only known at run time. */
  readonly body: string
  /** What an unquoted body holds that is only known at run time. */
  readonly dynamic: ReadonlyArray<DynamicPart>
}

/** Something that keeps the text from being fully understood. */
export interface Obstacle {
  /**
   * dynamic: an argument of a command is dynamic, nothing else. The same is to be seen in `Word.dynamic` of that
   * argument, so that a proof may tolerate it there. Every other kind rules an allow out.
   */
  readonly kind: "parse" | "limit" | "construct" | "character" | "obfuscation" | "disagreement" | "dynamic"
  /** For people: `$(…)`, `for loop`, `carriage return`. */
  readonly construct: string
  /** Column in the text, from 1. */
  readonly column: number
}
