/**
 * A quote-aware reading of shell text into simple commands, for deny and ask rules. It errs on the side of seeing too
 * many commands. Where quoting could be read in two ways it says so (`sound: false`) and callers also use `blindly`,
 * which ignores quotes altogether. No allow is ever decided from this reading alone.
 */
export interface Word {
  /** After removing quotes and escapes. */
  readonly text: string
  /** Holds an expansion, a glob or braces: the value is known only when it runs. */
  readonly dynamic: boolean
}

export interface Redirect {
  readonly direction: "in" | "out"
  readonly target: Word
}

/** One simple command at any depth: substitutions and subshells stand beside the command that holds them. */
export interface Segment {
  readonly words: ReadonlyArray<Word>
  readonly redirects: ReadonlyArray<Redirect>
}

export interface Reading {
  readonly segments: ReadonlyArray<Segment>
  readonly sound: boolean
}

const MAX_DEPTH = 40

interface PendingWord {
  text: string
  started: boolean
  quoted: boolean
  dynamic: boolean
}

interface Scanner {
  readonly text: string
  readonly home: string
  readonly segments: Array<Segment>
  at: number
  sound: boolean
}

const ANSI_ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  f: "\f",
  v: "\v"
}

/** The text of `$'...'` from after the opening quote; leaves the scanner behind the closing one. */
const readAnsiQuote = (scanner: Scanner): string => {
  let value = ""
  while (scanner.at < scanner.text.length && scanner.text[scanner.at] !== "'") {
    const rest = scanner.text.slice(scanner.at, scanner.at + 12)
    const coded = /^\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3}))/.exec(rest)
    if (coded !== null) {
      const [all, ...codes] = coded
      const [x, u, long, octal] = codes
      const point = octal === undefined ? Number.parseInt(x ?? u ?? long ?? "0", 16) : Number.parseInt(octal, 8)
      value += point <= 0x10ffff ? String.fromCodePoint(point) : ""
      scanner.at += all.length
    } else if (rest.startsWith("\\")) {
      value += ANSI_ESCAPES[rest.charAt(1)] ?? rest.charAt(1)
      scanner.at += 2
    } else {
      value += rest.charAt(0)
      scanner.at++
    }
  }
  scanner.sound &&= scanner.at < scanner.text.length
  scanner.at++
  return value
}

const readSingleQuote = (scanner: Scanner): string => {
  const end = scanner.text.indexOf("'", scanner.at)
  scanner.sound &&= end >= 0
  const value = scanner.text.slice(scanner.at, end < 0 ? undefined : end)
  scanner.at = end < 0 ? scanner.text.length : end + 1
  return value
}

/** Commands in backticks; inside them a backslash protects only backtick, dollar and itself. */
const readBackticks = (scanner: Scanner, depth: number): void => {
  let end = scanner.at
  while (end < scanner.text.length && scanner.text[end] !== "`") end += scanner.text[end] === "\\" ? 2 : 1
  scanner.sound &&= end < scanner.text.length
  const inner = scanner.text.slice(scanner.at, end).replaceAll(/\\([`$\\])/g, "$1")
  const nested: Scanner = { ...scanner, text: inner, at: 0 }
  readCommands(nested, undefined, depth + 1)
  scanner.sound &&= nested.sound
  scanner.at = end + 1
}

/** An expansion after `$`: appends what is known of it and marks the word. */
const readExpansion = (scanner: Scanner, word: PendingWord, depth: number): void => {
  const rest = scanner.text.slice(scanner.at, scanner.at + 64)
  if (rest.startsWith("(")) {
    scanner.at++
    readCommands(scanner, ")", depth + 1)
    word.dynamic = true
    return
  }
  const home = /^(?:HOME\b|\{HOME\})/.exec(rest)
  if (home !== null) {
    scanner.at += home[0].length
    word.text += scanner.home
    return
  }
  word.dynamic = true
  if (rest.startsWith("{")) {
    const end = scanner.text.indexOf("}", scanner.at)
    const inner = scanner.text.slice(scanner.at + 1, end < 0 ? undefined : end)
    if (end < 0 || /["'`\\{$(]/.test(inner)) scanner.sound = false
    word.text += `\${${inner}}`
    scanner.at = end < 0 ? scanner.text.length : end + 1
    return
  }
  const name = /^(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(rest)?.[0] ?? ""
  word.text += `$${name}`
  scanner.at += name.length
}

const readDoubleQuote = (scanner: Scanner, word: PendingWord, depth: number): void => {
  while (scanner.at < scanner.text.length) {
    const character = scanner.text.charAt(scanner.at++)
    if (character === '"') return
    if (character === "\\") {
      const next = scanner.text.charAt(scanner.at++)
      if (next !== "\n") word.text += '$`"\\'.includes(next) ? next : `\\${next}`
    } else if (character === "$") readExpansion(scanner, word, depth)
    else if (character === "`") {
      readBackticks(scanner, depth)
      word.dynamic = true
    } else word.text += character
  }
  scanner.sound = false
}

interface PendingSegment {
  words: Array<Word>
  redirects: Array<Redirect>
  word: PendingWord
  /** Operator of the redirect whose target comes next. */
  operator: string | undefined
}

const newWord = (): PendingWord => ({ text: "", started: false, quoted: false, dynamic: false })
const newSegment = (): PendingSegment => ({ words: [], redirects: [], word: newWord(), operator: undefined })

const BRACES = /\{[^{}]*(?:,|\.\.)[^{}]*\}/

const endWord = (pending: PendingSegment): void => {
  const { word, operator } = pending
  pending.word = newWord()
  if (!word.started) return
  const done: Word = { text: word.text, dynamic: word.dynamic || BRACES.test(word.text) }
  if (operator === undefined) {
    pending.words.push(done)
    return
  }
  pending.operator = undefined
  const isDuplicate = operator.endsWith("&") && /^(?:\d+|-)$/.test(done.text)
  if (!isDuplicate) pending.redirects.push({ direction: operator.includes(">") ? "out" : "in", target: done })
}

const endSegment = (scanner: Scanner, pending: PendingSegment): PendingSegment => {
  endWord(pending)
  if (pending.words.length > 0 || pending.redirects.length > 0) {
    if (pending.words.some(({ text }) => text === "case")) scanner.sound = false
    scanner.segments.push({ words: pending.words, redirects: pending.redirects })
  }
  return newSegment()
}

/** A redirection operator that begins at the scanner's position minus one. */
const readRedirect = (scanner: Scanner, pending: PendingSegment, first: string): void => {
  const more = /^[<>|&]*/.exec(scanner.text.slice(scanner.at, scanner.at + 3))?.[0] ?? ""
  const operator = first + more
  if (operator.startsWith("<<")) scanner.sound = false
  if (/^\d+$/.test(pending.word.text) && !pending.word.quoted) pending.word = newWord()
  endWord(pending)
  pending.operator = operator
  scanner.at += more.length
}

/** `<(...)` and `>(...)`: the commands inside run, the word itself is a name made at run time. */
const readProcess = (scanner: Scanner, pending: PendingSegment, depth: number): void => {
  scanner.at++
  readCommands(scanner, ")", depth + 1)
  pending.word.started = true
  pending.word.dynamic = true
}

/** One character outside quotes that belongs to a word. */
const readWordCharacter = (scanner: Scanner, pending: PendingSegment, character: string, depth: number): void => {
  const { word } = pending
  if (character === "#" && !word.started) scanner.sound = false
  word.started = true
  if (character === "\\") {
    word.quoted = true
    word.text += scanner.text.charAt(scanner.at++)
  } else if (character === "'") {
    word.quoted = true
    word.text += readSingleQuote(scanner)
  } else if (character === '"') {
    word.quoted = true
    readDoubleQuote(scanner, word, depth)
  } else if (character === "$") {
    const next = scanner.text[scanner.at]
    if (next === "'" || next === '"') {
      scanner.at++
      word.quoted = true
      if (next === "'") word.text += readAnsiQuote(scanner)
      else readDoubleQuote(scanner, word, depth)
    } else readExpansion(scanner, word, depth)
  } else if (character === "`") {
    readBackticks(scanner, depth)
    word.dynamic = true
  } else {
    if ("*?[".includes(character)) word.dynamic = true
    word.text += character
  }
}

const FIELD_SEPARATOR = /^\$(?:IFS\b|\{IFS[^}]*\})/

const readCommands = (scanner: Scanner, closer: ")" | undefined, depth: number): void => {
  if (depth > MAX_DEPTH) {
    scanner.sound = false
    scanner.at = scanner.text.length
    return
  }
  let pending = newSegment()
  while (scanner.at < scanner.text.length) {
    const character = scanner.text.charAt(scanner.at)
    const rest = scanner.text.slice(scanner.at, scanner.at + 64)
    const separator = FIELD_SEPARATOR.exec(rest)
    scanner.at += separator === null ? 1 : separator[0].length
    if (separator !== null || character === " " || character === "\t" || character === "\r") endWord(pending)
    else if (rest.startsWith("\\\n")) scanner.at++
    else if (character === "<" || character === ">" || rest.startsWith("&>")) {
      if (rest[1] === "(") readProcess(scanner, pending, depth)
      else readRedirect(scanner, pending, character)
    } else if (";&|\n".includes(character)) pending = endSegment(scanner, pending)
    else if (character === "(") {
      pending = endSegment(scanner, pending)
      readCommands(scanner, ")", depth + 1)
    } else if (character === ")") {
      endSegment(scanner, pending)
      if (closer !== undefined) return
      pending = newSegment()
    } else readWordCharacter(scanner, pending, character, depth)
  }
  endSegment(scanner, pending)
  if (closer !== undefined) scanner.sound = false
}

export const readCommand = (text: string, home: string): Reading => {
  const scanner: Scanner = { text, home, segments: [], at: 0, sound: !text.includes("\0") }
  readCommands(scanner, undefined, 0)
  return { segments: scanner.segments, sound: scanner.sound }
}

/** Every piece between operators with all quotes and escapes removed: sees commands wherever they might hide. */
export const blindly = (text: string): ReadonlyArray<Segment> =>
  text
    .replaceAll("\\\n", "")
    .replaceAll(/["'\\]/g, "")
    .replaceAll(/\$(?:IFS\b|\{IFS[^}]*\})/g, " ")
    .split(/[;&|\n(){}`<>]/)
    .map((piece) => piece.split(/[ \t\r]+/).filter((word) => word !== ""))
    .filter((words) => words.length > 0)
    .map((words) => ({ words: words.map((word) => ({ text: word, dynamic: /[$*?[]/.test(word) })), redirects: [] }))
