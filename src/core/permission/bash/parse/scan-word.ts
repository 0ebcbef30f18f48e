import type { Mark } from "./marks.ts"

/** The state of the second reading, and how it reads words. */
export interface Scanner {
  readonly text: string
  at: number
  limit: number
  depth: number
  readonly marks: Array<Mark>
  readonly verbatim: Array<Mark>
  /** Here-documents whose bodies begin at the next line. */
  readonly pending: Array<HereStart>
  stopped: { readonly construct: string; readonly at: number } | undefined
  /** Commands of a substitution, up to its closing parenthesis. */
  readonly readCommands: (scanner: Scanner, isNested: boolean) => void
}

export interface HereStart {
  readonly delimiter: string
  readonly isQuoted: boolean
  readonly stripsTabs: boolean
}

const MAX_DEPTH = 40

/** Ends the reading here; only the first reason counts. */
export const stop = (scanner: Scanner, construct: string, at: number): void => {
  scanner.stopped ??= { construct, at }
  scanner.at = scanner.text.length
  scanner.limit = 0
}

/** Moves to the end of the line. */
export const skipLine = (scanner: Scanner): void => {
  const end = scanner.text.indexOf("\n", scanner.at)
  scanner.at = end < 0 || end > scanner.limit ? scanner.limit : end
}

const SIMPLE = /\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\}|\{[0-9@*#?$!-]\}|[0-9@*#?$!-])/y

const readSubstitution = (scanner: Scanner): void => {
  const start = scanner.at
  if (scanner.depth >= MAX_DEPTH) return stop(scanner, "deep nesting", start)
  scanner.marks.push({ kind: "$(", start, end: start + 2 })
  scanner.at += 2
  scanner.depth += 1
  const pendingBefore = scanner.pending.length
  scanner.readCommands(scanner, true)
  scanner.depth -= 1
  if (scanner.stopped !== undefined) return
  if (scanner.pending.length !== pendingBefore) return stop(scanner, "here-document without end", start)
  scanner.marks.push({ kind: "$)", start: scanner.at, end: scanner.at + 1 })
  scanner.at += 1
}

/** An expansion at `$` or a backtick. */
export const scanExpansion = (scanner: Scanner, isQuoted: boolean): void => {
  const { text, at } = scanner
  if (text[at] === "`") return stop(scanner, "backticks", at)
  SIMPLE.lastIndex = at
  const simple = SIMPLE.exec(text)
  if (simple !== null) {
    scanner.at += simple[0].length
    if (scanner.at > scanner.limit) stop(scanner, "expansion", at)
    return
  }
  const next = at + 1 < scanner.limit ? text[at + 1] : ""
  if (next === "(") {
    if (text[at + 2] === "(") stop(scanner, "$((…))", at)
    else readSubstitution(scanner)
  } else if (next === "{") stop(scanner, "${…}", at)
  else if (next === "[") stop(scanner, "$[…]", at)
  else if (!isQuoted && (next === "'" || next === '"')) stop(scanner, `$${next}…${next}`, at)
  else scanner.at += 1
}

const scanDoubleQuotes = (scanner: Scanner): void => {
  const { text } = scanner
  const start = scanner.at
  scanner.at += 1
  while (scanner.at < scanner.limit) {
    const character = text.charAt(scanner.at)
    if (character === '"') {
      scanner.at += 1
      return
    }
    if (character === "\\") scanner.at += 2
    else if (character === "$" || character === "`") scanExpansion(scanner, true)
    else scanner.at += 1
  }
  stop(scanner, "quote without end", start)
}

const scanSingleQuotes = (scanner: Scanner): void => {
  const start = scanner.at
  const close = scanner.text.indexOf("'", start + 1)
  if (close < 0 || close >= scanner.limit) return stop(scanner, "quote without end", start)
  scanner.at = close + 1
  scanner.verbatim.push({ kind: "quotes", start, end: scanner.at })
}

const METACHARACTERS = " \t\n;&|()<>"

/** Moves behind the word that begins here; stays where it is when none does. */
export const scanWord = (scanner: Scanner): void => {
  const { text } = scanner
  while (scanner.at < scanner.limit) {
    const character = text.charAt(scanner.at)
    if (METACHARACTERS.includes(character)) {
      const isProcess = (character === "<" || character === ">") && text[scanner.at + 1] === "("
      if (isProcess) stop(scanner, "process substitution", scanner.at)
      return
    }
    if (character === "\\") {
      if (text[scanner.at + 1] === "\n") return stop(scanner, "continued line in a word", scanner.at)
      if (scanner.at + 1 >= scanner.limit) return stop(scanner, "backslash at the end", scanner.at)
      scanner.at += 2
    } else if (character === "'") scanSingleQuotes(scanner)
    else if (character === '"') scanDoubleQuotes(scanner)
    else if (character === "$" || character === "`") scanExpansion(scanner, false)
    else scanner.at += 1
  }
}
