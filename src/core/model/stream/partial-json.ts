import { Result } from "effect"
import { append, empty, toArray, type Log } from "../../domain/append-list.ts"

/**
 * Tool input while it streams in: a JSON reader that is fed chunk by chunk and can say at any moment what the text so
 * far amounts to.
 *
 * A reader is an immutable value. Each character is looked at once, however the text is cut; finished containers are
 * built once. `value` copies only the containers that are still open, so its cost does not depend on the text read.
 *
 * The order that values keep: call `a` extended by `b` when `a` is absent, or both are strings and `b` begins with
 * `a`, or both are arrays (objects) and every item (key) of `a` is extended by the one of `b` at the same place, or
 * they are equal. For prefixes of one JSON text without duplicate keys, the value of a longer prefix extends the value
 * of a shorter one. The one exception is a bare number as the whole text: it has no end mark, so it is read as it
 * stands.
 */
export interface PartialJson {
  readonly mode: Mode
  readonly open: Frame | undefined
  /** Decoded text of the string being read, or the letters of the number or literal being read. */
  readonly token: string
  /** An escape sequence whose end has not arrived. */
  readonly escape: string
  readonly root: unknown
  /** Characters consumed; after a fault the place of the fault. */
  readonly offset: number
  /** What is wrong with the text. Everything after it is ignored and the value stays as it was. */
  readonly fault: string | undefined
}

type Mode =
  | "value"
  | "firstItem"
  | "firstKey"
  | "nextKey"
  | "key"
  | "colon"
  | "string"
  | "number"
  | "literal"
  | "next"
  | "done"

type Frame =
  | { readonly kind: "array"; readonly items: Log<unknown>; readonly parent: Frame | undefined }
  | {
      readonly kind: "object"
      readonly entries: Log<readonly [string, unknown]>
      readonly key: string
      readonly parent: Frame | undefined
    }

export interface JsonProblem {
  readonly message: string
  /** Index of the first character that does not fit; the text's length when it merely ends too early. */
  readonly position: number
}

const INITIAL: PartialJson = {
  mode: "value",
  open: undefined,
  token: "",
  escape: "",
  root: undefined,
  offset: 0,
  fault: undefined
}

export const start = (): PartialJson => INITIAL

/** The reader after one more piece of text. */
export const push = (reader: PartialJson, chunk: string): PartialJson => {
  const base = reader.offset
  let current = reader
  while (current.fault === undefined && current.offset - base < chunk.length) {
    current = readRun(current, chunk, current.offset - base)
  }
  return current
}

/** The longest valid prefix value; `undefined` while there is none. */
export const value = (reader: PartialJson): unknown => {
  if (reader.open === undefined && reader.mode === "number") {
    return NUMBER.test(reader.token) ? Number(reader.token) : undefined
  }
  let current = reader.mode === "string" ? reader.token : reader.root
  for (let frame = reader.open; frame !== undefined; frame = frame.parent) current = build(frame, current)
  return current
}

/** The whole text, strictly; an empty one stands for no arguments. */
export const parseStrict = (text: string): Result.Result<unknown, JsonProblem> => {
  if (text.trim() === "") return Result.succeed({})
  try {
    return Result.succeed(JSON.parse(text) as unknown)
  } catch {
    // The engine's own message differs between versions and may quote the whole text; our reader knows the place.
    const reader = push(start(), text)
    const message = reader.fault ?? "The text ends before the value is complete"
    return Result.fail({ message, position: reader.offset })
  }
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const NUMBER_CHARS = /[-+0-9.eE]*/y
const LITERAL_CHARS = /[a-z]*/y
const WHITESPACE = /[ \t\n\r]*/y
const LITERALS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t"
}

const matchAt = (pattern: RegExp, chunk: string, index: number): string => {
  pattern.lastIndex = index
  return pattern.exec(chunk)?.[0] ?? ""
}

/** Length of the run that a string holds verbatim: up to a quote, a backslash or a control character. */
const plainRun = (chunk: string, from: number): number => {
  let index = from
  for (; index < chunk.length; index++) {
    const code = chunk.charCodeAt(index)
    if (code === 0x22 || code === 0x5c || code < 0x20) break
  }
  return index - from
}

const broken = (reader: PartialJson, fault: string): PartialJson => ({ ...reader, fault })

const build = (frame: Frame, tail: unknown): unknown => {
  if (frame.kind === "array") {
    const items = toArray(frame.items)
    if (tail !== undefined) items.push(tail)
    return items
  }
  // fromEntries defines properties, so a key named __proto__ stays an ordinary key as in JSON.parse.
  const entries = toArray(frame.entries)
  if (tail !== undefined) entries.push([frame.key, tail])
  return Object.fromEntries(entries)
}

/** Puts a finished value into the innermost open container. */
const deliver = (reader: PartialJson, finished: unknown): PartialJson => {
  const frame = reader.open
  const settled = { ...reader, token: "", escape: "" }
  if (frame === undefined) return { ...settled, mode: "done", root: finished }
  return {
    ...settled,
    mode: "next",
    open:
      frame.kind === "array"
        ? { ...frame, items: append(frame.items, finished) }
        : { ...frame, entries: append(frame.entries, [frame.key, finished]) }
  }
}

const close = (reader: PartialJson, frame: Frame): PartialJson =>
  deliver({ ...reader, open: frame.parent, offset: reader.offset + 1 }, build(frame, undefined))

const readRun = (reader: PartialJson, chunk: string, index: number): PartialJson => {
  switch (reader.mode) {
    case "string":
    case "key":
      return readString(reader, chunk, index)
    case "number":
      return readNumber(reader, chunk, index)
    case "literal":
      return readLiteral(reader, chunk, index)
    default:
      return readStructure(reader, chunk, index)
  }
}

const readStructure = (reader: PartialJson, chunk: string, index: number): PartialJson => {
  const blank = matchAt(WHITESPACE, chunk, index).length
  const character = chunk[index + blank]
  const at: PartialJson = blank === 0 ? reader : { ...reader, offset: reader.offset + blank }
  if (character === undefined) return at
  const after = { ...at, offset: at.offset + 1 }
  switch (at.mode) {
    case "firstItem":
      return character === "]" && at.open !== undefined ? close(at, at.open) : beginValue(at, character)
    case "value":
      return beginValue(at, character)
    case "firstKey":
      if (character === "}" && at.open !== undefined) return close(at, at.open)
      return character === '"' ? { ...after, mode: "key" } : broken(at, "Expected a key in double quotes or }")
    case "nextKey":
      return character === '"' ? { ...after, mode: "key" } : broken(at, "Expected a key in double quotes")
    case "colon":
      return character === ":" ? { ...after, mode: "value" } : broken(at, "Expected : after the key")
    case "next":
      return readSeparator(at, character)
    default:
      return broken(at, "Unexpected text after the value")
  }
}

const readSeparator = (at: PartialJson, character: string): PartialJson => {
  const frame = at.open
  if (frame?.kind === "array") {
    if (character === "]") return close(at, frame)
    if (character === ",") return { ...at, mode: "value", offset: at.offset + 1 }
    return broken(at, "Expected , or ] after an item")
  }
  if (frame !== undefined && character === "}") return close(at, frame)
  if (character === ",") return { ...at, mode: "nextKey", offset: at.offset + 1 }
  return broken(at, "Expected , or } after a value")
}

const beginValue = (at: PartialJson, character: string): PartialJson => {
  const offset = at.offset + 1
  if (character === "{") {
    return { ...at, offset, mode: "firstKey", open: { kind: "object", entries: empty(), key: "", parent: at.open } }
  }
  if (character === "[") {
    return { ...at, offset, mode: "firstItem", open: { kind: "array", items: empty(), parent: at.open } }
  }
  if (character === '"') return { ...at, offset, mode: "string" }
  if (character === "-" || (character >= "0" && character <= "9")) return { ...at, mode: "number" }
  if (character === "t" || character === "f" || character === "n") return { ...at, mode: "literal" }
  return broken(at, "Expected a value")
}

const readNumber = (reader: PartialJson, chunk: string, index: number): PartialJson => {
  const run = matchAt(NUMBER_CHARS, chunk, index)
  const grown = { ...reader, token: reader.token + run, offset: reader.offset + run.length }
  if (index + run.length === chunk.length) return grown
  return NUMBER.test(grown.token) ? deliver(grown, Number(grown.token)) : broken(grown, "Malformed number")
}

const readLiteral = (reader: PartialJson, chunk: string, index: number): PartialJson => {
  const run = matchAt(LITERAL_CHARS, chunk, index)
  const token = reader.token + run
  const grown = { ...reader, token, offset: reader.offset + run.length }
  if (Object.hasOwn(LITERALS, token)) return deliver(grown, LITERALS[token])
  const unfinished = index + run.length === chunk.length && Object.keys(LITERALS).some((name) => name.startsWith(token))
  return unfinished ? grown : broken(reader, "Expected true, false or null")
}

const readString = (reader: PartialJson, chunk: string, index: number): PartialJson => {
  if (reader.escape !== "") return readEscape(reader, chunk.charAt(index))
  const run = chunk.slice(index, index + plainRun(chunk, index))
  const grown = { ...reader, token: reader.token + run, offset: reader.offset + run.length }
  const stop = chunk[index + run.length]
  if (stop === undefined) return grown
  if (stop === "\\") return { ...grown, escape: "\\", offset: grown.offset + 1 }
  if (stop !== '"') return broken(grown, "Control character inside a string")
  const ended = { ...grown, offset: grown.offset + 1 }
  if (ended.mode === "string") return deliver(ended, ended.token)
  const frame = ended.open
  if (frame?.kind !== "object") return broken(reader, "A key outside an object")
  return { ...ended, mode: "colon", token: "", open: { ...frame, key: ended.token } }
}

const readEscape = (reader: PartialJson, character: string): PartialJson => {
  const next = { ...reader, offset: reader.offset + 1 }
  if (reader.escape === "\\") {
    if (character === "u") return { ...next, escape: "\\u" }
    const decoded = ESCAPES[character]
    if (decoded === undefined) return broken(reader, "Unknown escape sequence")
    return { ...next, token: reader.token + decoded, escape: "" }
  }
  if (!/^[0-9a-fA-F]$/.test(character)) return broken(reader, "Expected four hexadecimal digits after \\u")
  const escape = reader.escape + character
  if (escape.length < 6) return { ...next, escape }
  return { ...next, token: reader.token + String.fromCharCode(Number.parseInt(escape.slice(2), 16)), escape: "" }
}
