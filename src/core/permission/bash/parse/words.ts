import { decodeAnsiQuote } from "./ansi-quote.ts"
import { DYNAMIC, type DynamicPart, type Obstacle, type SimpleCommand, type Word } from "../program.ts"

/** What the lowering knows about an expansion that begins at some offset. */
export interface Nested {
  readonly end: number
  readonly kind: DynamicPart["kind"]
  readonly commands: ReadonlyArray<SimpleCommand>
  /** The text it stands for, when that is known although it is an expansion. */
  readonly text?: string
}

export interface WordContext {
  readonly text: string
  readonly home: string
  /** The text sets HOME somewhere, so that `~` and `$HOME` may be anything. */
  readonly setsHome: boolean
  /** Undefined when the directory may have changed before the word is read. */
  readonly directory: string | undefined
  readonly nested: (at: number, isQuoted: boolean) => Nested | undefined
  readonly note: (kind: Obstacle["kind"], construct: string, at: number) => void
}

interface Reading {
  readonly context: WordContext
  readonly start: number
  readonly end: number
  at: number
  literal: string
  quoting: Word["quoting"]
  glob: boolean
  /** How much of an unquoted `{…,…}` or `{…..…}` was seen. */
  brace: "none" | "open" | "separated" | "closed"
  bracket: boolean
  /** Behind an unquoted `=`, where a tilde after `=` or `:` is expanded as well. */
  assigning: boolean
  readonly dynamic: Array<DynamicPart>
}

const NAMED = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\}|([0-9@*#?$!-]))/y
/** Text that is neither split into words nor read as a pattern when a variable brings it in without quotes. */
const isInert = (text: string): boolean => !/[\s*?[\\]/.test(text)

const addDynamic = (reading: Reading, part: DynamicPart, literal: string = DYNAMIC): void => {
  reading.dynamic.push(part)
  reading.literal += literal
}

const markQuoted = (reading: Reading): void => {
  if (reading.quoting === "bare") reading.quoting = "operand"
}

const readAnsiQuote = (reading: Reading): void => {
  const { text } = reading.context
  const start = reading.at
  const { value, end } = decodeAnsiQuote(text, start + 2, reading.end)
  reading.at = end
  reading.quoting = "strange"
  addDynamic(reading, { kind: "ansi", source: text.slice(start, end), quoted: true, commands: [] }, value)
}

const readNested = (reading: Reading, isQuoted: boolean): void => {
  const { context, at } = reading
  const nested = context.nested(at, isQuoted)
  if (nested === undefined || nested.end <= at || nested.end > reading.end) {
    context.note("disagreement", "expansion without a clear end", at)
    const close = context.text[at] === "`" ? context.text.indexOf("`", at + 1) : -1
    reading.at = Math.min(close < 0 ? at + 2 : close + 1, reading.end)
    addDynamic(reading, { kind: "expansion", source: context.text.slice(at, reading.at), quoted: isQuoted, commands: [] })
    return
  }
  reading.at = nested.end
  if (nested.text !== undefined) {
    reading.literal += nested.text
    return
  }
  const { kind, commands } = nested
  addDynamic(reading, { kind, source: context.text.slice(at, nested.end), quoted: isQuoted, commands })
}

const readDollar = (reading: Reading, isQuoted: boolean): void => {
  const { context, at, end } = reading
  const { text } = context
  NAMED.lastIndex = at
  const named = NAMED.exec(text)
  if (named !== null && at + named[0].length <= end) {
    const [source, bare, braced, special] = named
    const name = bare ?? braced ?? special ?? ""
    reading.at += source.length
    const value = name === "HOME" ? context.home : name === "PWD" ? context.directory : undefined
    const isKnown = value !== undefined && (isQuoted || isInert(value)) && !(name === "HOME" && context.setsHome)
    if (isKnown) reading.literal += value
    else addDynamic(reading, { kind: "variable", source, name, quoted: isQuoted, commands: [] }, value)
    return
  }
  const next = at + 1 < end ? text[at + 1] : undefined
  if (next === "(" || next === "{" || next === "[") readNested(reading, isQuoted)
  else if (next === "'" && !isQuoted) readAnsiQuote(reading)
  else if (next === '"' && !isQuoted) {
    reading.quoting = "strange"
    addDynamic(reading, { kind: "ansi", source: '$"', quoted: true, commands: [] }, "")
    reading.at += 1
  } else {
    reading.literal += "$"
    reading.at += 1
  }
}

/** Reads up to the closing quote, or to the end for text that is read as if it stood in double quotes. */
const readDoubleQuoted = (reading: Reading, closer: '"' | undefined): void => {
  const { text } = reading.context
  const escapable = closer === undefined ? "$`\\\n" : '$`"\\\n'
  while (reading.at < reading.end) {
    const character = text.charAt(reading.at)
    if (character === closer) {
      reading.at += 1
      return
    }
    if (character === "\\" && reading.at + 1 < reading.end && escapable.includes(text.charAt(reading.at + 1))) {
      const next = text.charAt(reading.at + 1)
      if (next === "\n") reading.quoting = "strange"
      else reading.literal += next
      reading.at += 2
    } else if (character === "$") readDollar(reading, true)
    else if (character === "`") readNested(reading, true)
    else {
      reading.literal += character
      reading.at += 1
    }
  }
  if (closer !== undefined) reading.context.note("disagreement", "quote without end", reading.start)
}

const readSingleQuoted = (reading: Reading): void => {
  const { text, note } = reading.context
  const close = text.indexOf("'", reading.at + 1)
  if (close < 0 || close >= reading.end) {
    note("disagreement", "quote without end", reading.at)
    reading.literal += text.slice(reading.at + 1, reading.end)
    reading.at = reading.end
  } else {
    reading.literal += text.slice(reading.at + 1, close)
    reading.at = close + 1
  }
}

const readTilde = (reading: Reading): void => {
  const { context, at, end } = reading
  const { text, home, setsHome } = context
  const isPlain = at + 1 >= end || text[at + 1] === "/"
  const isFirst = at === reading.start
  if (isPlain && isFirst && isInert(home) && !setsHome) {
    reading.at += 1
    reading.literal += home
    return
  }
  let to = at + 1
  while (to < end && !"/:\"'\\$`".includes(text.charAt(to))) to++
  reading.at = to
  const part: DynamicPart = { kind: "tilde", source: text.slice(at, to), quoted: false, commands: [] }
  addDynamic(reading, part, isPlain ? home : DYNAMIC)
}

const isTildePlace = ({ at, start, assigning, context }: Reading): boolean =>
  at === start || (assigning && (context.text[at - 1] === "=" || context.text[at - 1] === ":"))

/** One character outside quotes that stands for itself, as far as quoting goes. */
const readBare = (reading: Reading, character: string): void => {
  const { context, at, start, end } = reading
  const { text, note } = context
  const next = at + 1 < end ? text.charAt(at + 1) : ""
  if (character === "*" || character === "?") reading.glob = true
  else if (character === "[") reading.bracket = true
  else if (character === "]" && reading.bracket) reading.glob = true
  else if (character === "{") reading.brace = reading.brace === "none" ? "open" : reading.brace
  else if (character === "," || (character === "." && next === ".")) {
    if (reading.brace === "open") reading.brace = "separated"
  } else if (character === "}" && reading.brace === "separated") reading.brace = "closed"
  else if (character === "=" && !text.startsWith("-", start)) reading.assigning = true
  else if (character === "#" && at > start && /["'`]/.test(text.charAt(at - 1) + next)) {
    note("construct", "# beside a quote", at)
  } else if (character === "!" && next !== "" && !/[="'\\]/.test(next) && text[at - 1] !== "[") {
    note("construct", "history expansion", at)
  }
  reading.literal += character
  reading.at += 1
}

const readUnquoted = (reading: Reading): void => {
  const { context, end } = reading
  const { text } = context
  while (reading.at < end) {
    const character = text.charAt(reading.at)
    if (character === "\\") {
      if (text[reading.at + 1] === "\n") reading.quoting = "strange"
      else {
        markQuoted(reading)
        reading.literal += reading.at + 1 < end ? text.charAt(reading.at + 1) : "\\"
      }
      reading.at = Math.min(reading.at + 2, end)
    } else if (character === "'") {
      markQuoted(reading)
      readSingleQuoted(reading)
    } else if (character === '"') {
      markQuoted(reading)
      reading.at += 1
      readDoubleQuoted(reading, '"')
    } else if (character === "$") readDollar(reading, false)
    else if (character === "`") readNested(reading, false)
    else if ((character === "<" || character === ">") && text[reading.at + 1] === "(") readNested(reading, false)
    else if (character === "~" && isTildePlace(reading)) readTilde(reading)
    else readBare(reading, character)
  }
}

const startReading = (context: WordContext, start: number, end: number, assigning: boolean): Reading => ({
  context,
  start,
  end,
  at: start,
  literal: "",
  quoting: "bare",
  glob: false,
  brace: "none",
  bracket: false,
  assigning,
  dynamic: []
})

/** Reads one word of a shell text by its characters; the tree only says where the word is and what is nested in it. */
export const readWord = (context: WordContext, start: number, end: number, isAssigned = false): Word => {
  const reading = startReading(context, start, end, isAssigned)
  readUnquoted(reading)
  const source = context.text.slice(start, end)
  const { literal, quoting, glob, dynamic } = reading
  if (reading.brace === "closed") dynamic.push({ kind: "braces", source, quoted: false, commands: [] })
  return { source, start, end, value: dynamic.length === 0 ? literal : undefined, literal, quoting, glob, dynamic }
}

/** The body of a here-document with a bare delimiter: it is expanded like a text in double quotes. */
export const readBody = (context: WordContext, start: number, end: number): Pick<Word, "literal" | "dynamic"> => {
  const reading = startReading(context, start, end, false)
  readDoubleQuoted(reading, undefined)
  return { literal: reading.literal, dynamic: reading.dynamic }
}
