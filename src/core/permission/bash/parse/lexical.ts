import { DYNAMIC, type Redirect, type SimpleCommand, type Word } from "../program.ts"

/**
 * Commands in a text that no grammar could read, for rules that deny or ask. Both readings err on the side of seeing too
 * much, and look at each character once.
 */
const SEPARATORS = "\n;&|(){}`"
const RESERVED = new Set([
  "if",
  "then",
  "elif",
  "else",
  "while",
  "until",
  "do",
  "time",
  "!",
  "coproc",
  "fi",
  "done",
  "esac",
  "in"
])
const PLACE = { depth: 0, inSubstitution: false, inPipeline: false, inFunction: false, inBackground: false } as const

interface Piece {
  readonly literal: string
  readonly start: number
  readonly end: number
}

const toWord = (text: string, { literal, start, end }: Piece): Word => {
  const isDynamic = literal.includes(DYNAMIC)
  const source = text.slice(start, end)
  return {
    source,
    start,
    end,
    value: isDynamic ? undefined : literal,
    literal,
    quoting: source === literal ? "bare" : "operand",
    glob: /[*?[]/.test(literal),
    dynamic: isDynamic ? [{ kind: "expansion", source, quoted: false, commands: [] }] : []
  }
}

const toCommand = (
  text: string,
  pieces: ReadonlyArray<Piece>,
  redirects: ReadonlyArray<Redirect>
): SimpleCommand | undefined => {
  const from = pieces.findIndex(({ literal }) => !RESERVED.has(literal))
  const words = from < 0 ? [] : pieces.slice(from).map((piece) => toWord(text, piece))
  const places = [...words, ...redirects]
  if (places.length === 0) return undefined
  const start = places.reduce((least, place) => Math.min(least, place.start), Infinity)
  const end = places.reduce((most, place) => Math.max(most, place.end), 0)
  return { source: text.slice(start, end), start, end, assignments: [], words, redirects, place: PLACE, guessed: true }
}

/** An expansion in braces ends soon or is read piece by piece: looking far ahead at each one would take long. */
const EXPANSION = /\$(?:\{[^}$`]{0,200}\}|[A-Za-z_]\w*|[0-9@*#?$!-])?/y

/** Braces that make several words out of one: which ones is left open. */
const BRACES = /\{[^\s{}]{0,200}(?:,|\.\.)[^\s{}]{0,200}\}/y

interface Splitter {
  readonly text: string
  readonly home: string
  readonly heedsQuotes: boolean
  readonly commands: Array<SimpleCommand>
  pieces: Array<Piece>
  redirects: Array<Redirect>
  /** Operator of the redirect whose target comes next, and where it stands. */
  redirect: { readonly operator: "<" | ">"; readonly start: number } | undefined
  at: number
  start: number
  literal: string
}

const endWord = (splitter: Splitter): void => {
  const { text, start, literal, at, redirect } = splitter
  if (start < 0) return
  const piece = { literal, start, end: at }
  if (redirect === undefined) splitter.pieces.push(piece)
  else {
    const { operator, start: from } = redirect
    const target = toWord(text, piece)
    splitter.redirects.push({ source: text.slice(from, at), start: from, end: at, operator, fd: undefined, target })
  }
  splitter.redirect = undefined
  splitter.start = -1
  splitter.literal = ""
}

const endCommand = (splitter: Splitter): void => {
  endWord(splitter)
  const command = toCommand(splitter.text, splitter.pieces, splitter.redirects)
  if (command !== undefined) splitter.commands.push(command)
  splitter.pieces = []
  splitter.redirects = []
  splitter.redirect = undefined
}

const append = (splitter: Splitter, literal: string, length: number): void => {
  if (splitter.start < 0) splitter.start = splitter.at
  splitter.literal += literal
  splitter.at += length
}

/** A command with a word that braces make: its name may be put together by them, as in `{r,}m`. */
const noteBraces = (splitter: Splitter): void => {
  const { text, at, start, literal, pieces, redirects } = splitter
  BRACES.lastIndex = at
  const braces = BRACES.exec(text)?.[0]
  if (braces === undefined) return
  const piece = { literal: literal + DYNAMIC, start: start < 0 ? at : start, end: at + braces.length }
  const command = toCommand(text, [...pieces, piece], redirects)
  if (command !== undefined) splitter.commands.push(command)
}

/** An expansion outside single quotes: separates, is known, or is dynamic. */
const expand = (splitter: Splitter): void => {
  EXPANSION.lastIndex = splitter.at
  const source = EXPANSION.exec(splitter.text)?.[0] ?? "$"
  if (/^\$\{?IFS\b/.test(source)) {
    endWord(splitter)
    splitter.at += source.length
  } else if (source === "$HOME" || source === "${HOME}") append(splitter, splitter.home, source.length)
  else if (source === "$" && /["']/.test(splitter.text.charAt(splitter.at + 1))) splitter.at += 1
  else if (source === "$") append(splitter, "$", 1)
  else append(splitter, DYNAMIC, source.length)
}

/** What may be a comment, read for commands all the same; quotes and a backslash mean nothing in it. */
const readComment = (splitter: Splitter): void => {
  const { text } = splitter
  while (splitter.at < text.length && text[splitter.at] !== "\n") {
    const character = text.charAt(splitter.at)
    if (SEPARATORS.includes(character)) {
      endCommand(splitter)
      splitter.at += 1
    } else if (/[\s"'\\]/.test(character)) {
      endWord(splitter)
      splitter.at += 1
    } else append(splitter, character, 1)
  }
}

/** True when the character was a quote or an escape and has been dealt with. */
const readQuote = (splitter: Splitter, inDouble: boolean): boolean => {
  const { text, at, heedsQuotes } = splitter
  const character = text.charAt(at)
  if (character === "\\") {
    const next = text.charAt(at + 1)
    if (next === "\n") {
      // A line that is continued for one reading ends for the other: at the end of a comment it does.
      if (!heedsQuotes) endCommand(splitter)
      splitter.at += 2
    } else if (!heedsQuotes) splitter.at += 1
    else append(splitter, inDouble && !'$`"\\'.includes(next) ? `\\${next}` : next, 2)
    return true
  }
  if (character !== "'" || inDouble) return false
  if (!heedsQuotes) {
    splitter.at += 1
    return true
  }
  const close = text.indexOf("'", at + 1)
  const end = close < 0 ? text.length : close
  append(splitter, text.slice(at + 1, end), end + 1 - at)
  return true
}

const split = (text: string, home: string, heedsQuotes: boolean): ReadonlyArray<SimpleCommand> => {
  const splitter: Splitter = {
    text,
    home,
    heedsQuotes,
    commands: [],
    pieces: [],
    redirects: [],
    redirect: undefined,
    at: 0,
    start: -1,
    literal: ""
  }
  /** Whether each open substitution stands in double quotes. */
  const around: Array<boolean> = []
  let inDouble = false
  /** Open braces: a comma between them separates words, as in `{rm,-r,x}`. */
  let braces = 0
  while (splitter.at < text.length) {
    const character = text.charAt(splitter.at)
    if (character === "#" && heedsQuotes && !inDouble && splitter.start < 0) {
      readComment(splitter)
      continue
    }
    if (readQuote(splitter, inDouble)) continue
    if (character === '"') {
      inDouble = heedsQuotes && !inDouble
      if (heedsQuotes) append(splitter, "", 1)
      else splitter.at += 1
    } else if (character === "$" && text[splitter.at + 1] === "(") {
      endCommand(splitter)
      around.push(inDouble)
      inDouble = false
      splitter.at += 2
    } else if (character === "`" || (!inDouble && SEPARATORS.includes(character))) {
      if (character === "{") noteBraces(splitter)
      endCommand(splitter)
      if (character === ")") inDouble = around.pop() ?? false
      if (character === "{") braces += 1
      else if (character === "}") braces = Math.max(0, braces - 1)
      splitter.at += 1
    } else if (character === "$") expand(splitter)
    else if (!inDouble && (character === "<" || character === ">")) {
      endWord(splitter)
      splitter.redirect = { operator: character, start: splitter.at }
      splitter.at += 1
    } else if (!inDouble && (/[\s\0]/.test(character) || (character === "," && braces > 0))) {
      endWord(splitter)
      splitter.at += 1
    } else append(splitter, character, 1)
  }
  endCommand(splitter)
  return splitter.commands
}

/** Respects quotes, and takes every operator, bracket and backtick as the start of a new command. */
export const splitByQuotes = (text: string, home: string): ReadonlyArray<SimpleCommand> => split(text, home, true)

/** Ignores quotes: sees commands wherever they might hide. */
export const splitBlindly = (text: string, home: string): ReadonlyArray<SimpleCommand> => split(text, home, false)
