/** One line of a program table: programs that take the same flags and treat their operands alike. */
export interface ProgramRow {
  /** Base names, separated by blanks. */
  readonly names: string
  readonly role: OperandRole
  /** In the language of `flags.ts`. */
  readonly flags?: string
  /** With these flags alone it only reads: no write, no other process, no network. */
  readonly reads?: true
  /** Unquoted globs are harmless: no name that they expand to can become a harmful flag. */
  readonly globs?: true
  /** `-5` is a flag. */
  readonly numbers?: true
  /** The argument of a letter is always the next word, also in a bundle of letters. */
  readonly apart?: true
  /** More operands than this are not understood. */
  readonly most?: number
  /** Goes into directories: `always`, or with one of these flags. */
  readonly recursive?: string
}

/** What the operands of a program are. */
export type OperandRole =
  /** Plain text. */
  | "text"
  /** There should be none. */
  | "none"
  | "read"
  | "write"
  | "remove"
  /** Files that are read, the working directory when there are none. */
  | "list"
  /** A pattern, unless a flag gives it; then files that are read. */
  | "pattern"
  /** A pattern, unless a flag gives it; then places that are searched, the working directory when there are none. */
  | "search"
  /** Sources that are read, then the target. */
  | "copy"
  /** Sources that go away, then the target. */
  | "move"
  | "link"
  /** Text first, then files that are changed. */
  | "mode"
  /** One file that is read and one that is written. */
  | "filter"
  /** A script, unless a flag gives it; then files, changed in place with a flag. */
  | "script"
  | "dd"
  | "archive"
  | "find"
  | "url"
  | "remote"
  /** A file with code, then its arguments. */
  | "code"
  /** A sub-command and its words. */
  | "verb"
  | "test"
