/**
 * JSON that remembers where everything stood, so that a warning can name line and column and a key written twice is
 * noticed. Strict JSON; a byte order mark at the start is tolerated.
 */
export type JsonNode =
  | { readonly kind: "object"; readonly at: number; readonly members: ReadonlyArray<JsonMember> }
  | { readonly kind: "array"; readonly at: number; readonly items: ReadonlyArray<JsonNode> }
  | { readonly kind: "value"; readonly at: number; readonly value: string | number | boolean | null }

export interface JsonMember {
  readonly key: string
  readonly at: number
  readonly value: JsonNode
}

export type JsonReading =
  | { readonly _tag: "Read"; readonly node: JsonNode }
  | { readonly _tag: "Broken"; readonly at: number; readonly expected: string }

const BLANK = /[ \t\r\n]*/y
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Deeper than any file a person writes, and far from the end of the stack. */
const DEPTH_LIMIT = 100

class Broken extends Error {
  readonly at: number
  readonly expected: string
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
    if (this.at < this.text.length) throw new Broken(this.at, "the end of the file")
    return node
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
    if (this.takes("{")) return { kind: "object", at, members: this.sequence("}", () => this.member()) }
    if (this.takes("[")) return { kind: "array", at, items: this.sequence("]", () => this.value()) }
    const token = this.take(STRING) ?? this.take(SCALAR)
    if (token === undefined) throw new Broken(at, "a value")
    return { kind: "value", at, value: JSON.parse(token) }
  }

  private member(): JsonMember {
    this.blank()
    const at = this.at
    const token = this.take(STRING)
    if (token === undefined) throw new Broken(at, "a name in double quotes")
    if (!this.takes(":")) throw new Broken(this.at, '":" after the name')
    return { key: String(JSON.parse(token)), at, value: this.value() }
  }

  private sequence<Item>(end: string, item: () => Item): ReadonlyArray<Item> {
    const items: Array<Item> = []
    if (++this.depth > DEPTH_LIMIT) throw new Broken(this.at, "fewer levels")
    if (!this.takes(end)) {
      do items.push(item())
      while (this.takes(","))
      if (!this.takes(end)) throw new Broken(this.at, `"," or "${end}"`)
    }
    this.depth--
    return items
  }
}

export const readJson = (text: string): JsonReading => {
  try {
    return { _tag: "Read", node: new Reader(text).document() }
  } catch (failure) {
    if (failure instanceof Broken) return { _tag: "Broken", at: failure.at, expected: failure.expected }
    throw failure
  }
}

/** Line and column from 1, as editors count. */
export const placeOf = (text: string, at: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, at)
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") }
}
