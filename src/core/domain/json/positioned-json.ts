/**
 * JSON that remembers where everything stood, so that a warning can name line and column, a key written twice is
 * noticed and a change can leave every other byte alone. Strict JSON; a byte order mark at the start is tolerated.
 */
export type JsonNode =
  | { readonly kind: "object"; readonly at: number; readonly end: number; readonly members: ReadonlyArray<JsonMember> }
  | { readonly kind: "array"; readonly at: number; readonly end: number; readonly items: ReadonlyArray<JsonNode> }
  | { readonly kind: "value"; readonly at: number; readonly end: number; readonly value: JsonScalar }

export type JsonScalar = string | number | boolean | null
export type Json = JsonScalar | ReadonlyArray<Json> | { readonly [name: string]: Json }

export const isList = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)

export const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === "object" && value !== null && !isList(value)

export interface JsonMember {
  readonly key: string
  readonly at: number
  readonly value: JsonNode
}

export type JsonReading =
  | { readonly _tag: "Read"; readonly node: JsonNode }
  | {
      readonly _tag: "Broken"
      readonly at: number
      readonly expected: string
      /** What was whole before the break, when the text began as an object or a list. */
      readonly salvaged: JsonNode | undefined
    }

const BLANK = /[ \t\r\n]*/y
/** Plain characters in one go: pictures in notebooks are texts of many megabytes. */
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Deeper than any file a user writes, and far from the end of the stack. */
const DEPTH_LIMIT = 100
export const FEWER_LEVELS = "fewer levels"

class Broken extends Error {
  readonly at: number
  readonly expected: string
  /** Grows from the inside out while the readers give up one after the other. */
  salvaged: JsonNode | undefined
  constructor(at: number, expected: string) {
    super(expected)
    this.at = at
    this.expected = expected
  }
}

class Reader {
  private at: number
  private depth = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
    this.at = text.startsWith("\ufeff") ? 1 : 0
  }

  document(): JsonNode {
    const node = this.value()
    this.blank()
    if (this.at === this.text.length) return node
    const failure = new Broken(this.at, "the end of the file")
    failure.salvaged = node
    throw failure
  }

  private blank(): void {
    BLANK.lastIndex = this.at
    BLANK.exec(this.text)
    this.at = Math.max(this.at, BLANK.lastIndex)
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const token = pattern.exec(this.text)?.[0]
    this.at += token?.length ?? 0
    return token
  }

  private takes(character: string): boolean {
    this.blank()
    if (this.text[this.at] !== character) return false
    this.at++
    return true
  }

  private value(): JsonNode {
    this.blank()
    const at = this.at
    if (this.takes("{")) {
      const members: Array<JsonMember> = []
      const whole = (): JsonNode => ({ kind: "object", at, end: this.at, members })
      return this.sequence("}", () => members.push(this.member(members)), whole)
    }
    if (this.takes("[")) {
      const items: Array<JsonNode> = []
      return this.sequence(
        "]",
        () => items.push(this.value()),
        () => ({ kind: "array", at, end: this.at, items })
      )
    }
    const token = this.take(STRING) ?? this.take(SCALAR)
    if (token === undefined) throw new Broken(at, "a value")
    return { kind: "value", at, end: this.at, value: JSON.parse(token) }
  }

  private member(siblings: Array<JsonMember>): JsonMember {
    this.blank()
    const at = this.at
    const token = this.take(STRING)
    if (token === undefined) throw new Broken(at, "a name in double quotes")
    const key = String(JSON.parse(token))
    if (!this.takes(":")) throw new Broken(this.at, '":" after the name')
    try {
      return { key, at, value: this.value() }
    } catch (failure) {
      const inside = failure instanceof Broken ? failure.salvaged : undefined
      if (inside !== undefined) siblings.push({ key, at, value: inside })
      throw failure
    }
  }

  private sequence(end: string, item: () => void, whole: () => JsonNode): JsonNode {
    if (++this.depth > DEPTH_LIMIT) throw new Broken(this.at, FEWER_LEVELS)
    try {
      if (!this.takes(end)) {
        do item()
        while (this.takes(","))
        if (!this.takes(end)) throw new Broken(this.at, `"," or "${end}"`)
      }
    } catch (failure) {
      if (failure instanceof Broken) failure.salvaged = whole()
      throw failure
    }
    this.depth--
    return whole()
  }
}

export const readJson = (text: string): JsonReading => {
  try {
    return { _tag: "Read", node: new Reader(text).document() }
  } catch (failure) {
    if (!(failure instanceof Broken)) throw failure
    return { _tag: "Broken", at: failure.at, expected: failure.expected, salvaged: failure.salvaged }
  }
}

/** Line and column from 1, as editors count. */
export const locationFrom = (text: string, at: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, at)
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") }
}

/** `placeOf` for many places of one text: the lines are counted once. */
export const placesIn = (text: string): ((at: number) => { readonly line: number; readonly column: number }) => {
  const starts = [0]
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1)
  return (at) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: at - (starts[low] ?? 0) + 1 }
  }
}

/** The plain value. Of a name that stands twice the last one counts; `__proto__` is a name like any other. */
export const plainOf = (node: JsonNode): Json => {
  switch (node.kind) {
    case "value":
      return node.value
    case "array":
      return node.items.map(plainOf)
    case "object":
      return Object.fromEntries(node.members.map(({ key, value }) => [key, plainOf(value)]))
  }
}
