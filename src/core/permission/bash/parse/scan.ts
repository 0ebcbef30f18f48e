import type { Mark } from "./marks.ts"
import { readHereStart, readNewline } from "./scan-heredoc.ts"
import { type Scanner, scanWord, skipLine, stop } from "./scan-word.ts"

/**
 * The second reading of a shell text, independent of the grammar: it knows bash's own rules for quotes, comments, words,
 * operators and here-documents, for the part of the language that can be allowed at all. It stops at anything else.
 */
export interface Scan {
  readonly marks: ReadonlyArray<Mark>
  /** Stretches whose text is taken as it is: single quotes and here-documents with a quoted delimiter. */
  readonly verbatim: ReadonlyArray<Mark>
  /** Nothing but blanks and comments. */
  readonly blank: boolean
  /** What it does not read. */
  readonly stopped: { readonly construct: string; readonly at: number } | undefined
}

const OPERATORS = /&&|\|\||\|&|;;&|;;|;&|[;&|]/y
const REDIRECT = /&>>?|<<<|<<-|<<|<>|<&|<\(|<|>>|>&|>\||>\(|>/y
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/

/** Where in a command the reading stands. */
type Position = "start" | "prefix" | "words" | "closed"

interface Level {
  /** What ends this level: a word, a parenthesis, or the end of the text. */
  readonly closers: ReadonlyArray<string>
  readonly opener: string
}

const OPENERS: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["{", ["}"]],
  ["if", ["then"]],
  ["then", ["elif", "else", "fi"]],
  ["elif", ["then"]],
  ["else", ["fi"]]
])

const UNREAD = new Set(["[[", "case", "for", "while", "until", "select", "function", "coproc", "do", "done", "esac", "in"])
const RESERVED = new Set(["{", "}", "!", "if", "then", "elif", "else", "fi", "time", ...UNREAD])

interface Reading {
  readonly levels: Array<Level>
  position: Position
  /** First and last offset of the words of the command that is being read. */
  first: number
  last: number
  /** An operator that needs a command behind it. */
  open: boolean
  afterTime: boolean
}

const endCommand = (scanner: Scanner, reading: Reading): void => {
  if (reading.afterTime) stop(scanner, "time", scanner.at)
  if (reading.first >= 0) scanner.marks.push({ kind: "command", start: reading.first, end: reading.last })
  reading.position = "start"
  reading.first = -1
  reading.last = -1
}

/** A redirect with its target; `start` is where its descriptor began. */
const readRedirect = (scanner: Scanner, start: number): void => {
  const { text } = scanner
  REDIRECT.lastIndex = scanner.at
  const operator = REDIRECT.exec(text)?.[0] ?? ""
  if (operator.endsWith("(")) return stop(scanner, "process substitution", scanner.at)
  if (scanner.at - start > 3) return stop(scanner, "descriptor", start)
  scanner.at += operator.length
  if (text[scanner.at] === "#") return stop(scanner, "# after a redirect", scanner.at)
  while (text[scanner.at] === " " || text[scanner.at] === "\t") scanner.at += 1
  const from = scanner.at
  if (text[from] === "#") return stop(scanner, "# after a redirect", from)
  scanWord(scanner)
  if (scanner.at === from) return stop(scanner, "redirect without target", from)
  if (operator === "<<" || operator === "<<-") readHereStart(scanner, from, scanner.at, operator === "<<-")
  else scanner.marks.push({ kind: "word", start: from, end: scanner.at })
  scanner.marks.push({ kind: `redirect ${operator}`, start, end: scanner.at })
}

/** A redirect as part of a command: behind it reserved words are ordinary ones. */
const takeRedirect = (scanner: Scanner, reading: Reading, start: number): void => {
  if (reading.afterTime) stop(scanner, "time", start)
  readRedirect(scanner, start)
  if (reading.position === "start") reading.position = "prefix"
  reading.open = false
}

/** A reserved word where a command may begin; false when the word is an ordinary one. */
const readReserved = (scanner: Scanner, reading: Reading, word: string, start: number): boolean => {
  if (!RESERVED.has(word)) return false
  const level = reading.levels.at(-1)
  const isCloser = level?.closers.includes(word) === true
  if (word === "time") {
    reading.afterTime = true
    return false
  }
  if (UNREAD.has(word) || reading.position === "prefix" || reading.afterTime) {
    stop(scanner, word, start)
    return true
  }
  scanner.marks.push({ kind: word, start, end: scanner.at })
  if (word === "!") {
    reading.open = true
    return true
  }
  if (isCloser) {
    if (reading.open) stop(scanner, `${word} after an operator`, start)
    reading.levels.pop()
  } else if (word !== "{" && word !== "if") {
    stop(scanner, `${word} in an unexpected place`, start)
    return true
  }
  const closers = OPENERS.get(word)
  if (closers === undefined) {
    reading.position = "closed"
    reading.open = false
  } else {
    reading.levels.push({ closers, opener: word })
    reading.position = "start"
    reading.open = true
  }
  return true
}

const readToken = (scanner: Scanner, reading: Reading): void => {
  const { text } = scanner
  const start = scanner.at
  scanWord(scanner)
  if (scanner.stopped !== undefined) return
  const word = text.slice(start, scanner.at)
  const next = scanner.at < scanner.limit ? text.charAt(scanner.at) : ""
  if ((next === "<" || next === ">") && /^\d+$/.test(word)) return takeRedirect(scanner, reading, start)
  if ((next === "<" || next === ">") && /^\{\w+\}$/.test(word)) return stop(scanner, "named descriptor", start)
  if (next === "(") return stop(scanner, "parenthesis after a word", scanner.at)
  const isBeforeWords = reading.position === "start" || reading.position === "prefix"
  if (reading.position === "closed") {
    if (reading.levels.at(-1)?.closers.includes(word) === true) readReserved(scanner, reading, word, start)
    else stop(scanner, "word behind a group", start)
    return
  }
  if (isBeforeWords && readReserved(scanner, reading, word, start)) return
  const isAssignment = isBeforeWords && ASSIGNMENT.test(word)
  if (isBeforeWords && /^[A-Za-z_]\w*\[/.test(word)) return stop(scanner, "array", start)
  if (reading.afterTime && word !== "time") {
    if (isAssignment || word.startsWith("-")) return stop(scanner, "time", start)
    reading.afterTime = false
  }
  scanner.marks.push({ kind: isAssignment ? "assignment" : "word", start, end: scanner.at })
  if (reading.first < 0) reading.first = start
  reading.last = scanner.at
  reading.open = false
  // The word behind `time` is where a command begins.
  reading.position = isAssignment ? "prefix" : reading.afterTime ? "start" : "words"
}

const readOperator = (scanner: Scanner, reading: Reading): void => {
  OPERATORS.lastIndex = scanner.at
  const operator = OPERATORS.exec(scanner.text)?.[0] ?? ""
  const isEmpty = reading.position === "start"
  if (isEmpty) return stop(scanner, `${operator} without a command before it`, scanner.at)
  if (operator.startsWith(";") && operator !== ";") return stop(scanner, operator, scanner.at)
  const start = scanner.at
  endCommand(scanner, reading)
  scanner.at += operator.length
  if (operator !== ";") scanner.marks.push({ kind: operator, start, end: scanner.at })
  reading.open = operator !== ";" && operator !== "&"
}

const openSubshell = (scanner: Scanner, reading: Reading): void => {
  const { at } = scanner
  if (scanner.text[at + 1] === "(") return stop(scanner, "((", at)
  if (reading.position !== "start") return stop(scanner, "parenthesis after a word", at)
  if (reading.afterTime) return stop(scanner, "time", at)
  scanner.marks.push({ kind: "(", start: at, end: at + 1 })
  scanner.at += 1
  reading.levels.push({ closers: [")"], opener: "(" })
  reading.open = true
}

/** Returns true when the parenthesis ends this reading, because it closes a substitution. */
const closeParenthesis = (scanner: Scanner, reading: Reading, isNested: boolean): boolean => {
  const { at } = scanner
  if (reading.open) stop(scanner, ") after an operator", at)
  endCommand(scanner, reading)
  if (reading.levels.length === 0) {
    if (!isNested) stop(scanner, ") without (", at)
    return true
  }
  if (reading.levels.pop()?.opener !== "(") stop(scanner, ") in an unexpected place", at)
  scanner.marks.push({ kind: ")", start: at, end: at + 1 })
  scanner.at += 1
  reading.position = "closed"
  return false
}

const readComment = (scanner: Scanner): void => {
  const start = scanner.at
  skipLine(scanner)
  scanner.marks.push({ kind: "comment", start, end: scanner.at })
}

/** A continued line joins what touches it on both sides; between blanks that changes nothing. */
const isBetweenTokens = (text: string, at: number): boolean =>
  /[ \t\n]/.test(text[at - 1] ?? " ") || (/[&|;(]/.test(text[at - 1] ?? "") && !/[&|;<>()]/.test(text[at + 2] ?? ""))

/** Reads commands up to the end of the text, or up to the parenthesis that closes a substitution. */
const readCommands = (scanner: Scanner, isNested: boolean): void => {
  const { text } = scanner
  const reading: Reading = { levels: [], position: "start", first: -1, last: -1, open: false, afterTime: false }
  const pendingBefore = scanner.pending.length
  while (scanner.at < scanner.limit) {
    const character = text.charAt(scanner.at)
    const next = text[scanner.at + 1]
    if (character === " " || character === "\t") scanner.at += 1
    else if (character === "\\" && next === "\n") {
      if (!isBetweenTokens(text, scanner.at)) stop(scanner, "continued line in a word", scanner.at)
      scanner.at += 2
    } else if (character === "\n") {
      if (reading.position !== "start") endCommand(scanner, reading)
      else if (reading.afterTime || scanner.marks.at(-1)?.kind === "!") stop(scanner, "line end", scanner.at)
      readNewline(scanner, isNested ? pendingBefore : 0)
    } else if (character === "#") readComment(scanner)
    else if (character === "<" || character === ">" || (character === "&" && next === ">")) {
      takeRedirect(scanner, reading, scanner.at)
    } else if (character === "(") openSubshell(scanner, reading)
    else if (character === ")") {
      if (closeParenthesis(scanner, reading, isNested)) return
    } else if (character === ";" || character === "&" || character === "|") readOperator(scanner, reading)
    else readToken(scanner, reading)
  }
  endCommand(scanner, reading)
  if (reading.levels.length > 0 || isNested) stop(scanner, "something that is not closed", scanner.limit)
  if (reading.open) stop(scanner, "operator without a command behind it", scanner.limit)
}

export const scan = (text: string): Scan => {
  const scanner: Scanner = {
    text,
    at: 0,
    limit: text.length,
    depth: 0,
    marks: [],
    verbatim: [],
    pending: [],
    stopped: undefined,
    readCommands
  }
  readCommands(scanner, false)
  if (scanner.pending.length > 0) stop(scanner, "here-document without end", text.length)
  const { marks, verbatim, stopped } = scanner
  return { marks, verbatim, stopped, blank: stopped === undefined && marks.every(({ kind }) => kind === "comment") }
}
