/** Search patterns as vim writes them, read into a tree. Throws a SyntaxError for what is not a pattern. */
import { type CharTest, CLASSES, ESCAPED, readCode, readCollection } from "./characters.ts"

export type Edge = "lineStart" | "lineEnd" | "wordStart" | "wordEnd" | "textStart" | "textEnd"

export type Node =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "char"; readonly test: CharTest; readonly breaks: boolean }
  | { readonly kind: "break" }
  | { readonly kind: "edge"; readonly edge: Edge }
  | { readonly kind: "place"; readonly unit: string; readonly sign: number; readonly value: number }
  | { readonly kind: "group"; readonly index: number | undefined; readonly body: Node }
  | { readonly kind: "choice"; readonly branches: ReadonlyArray<Node> }
  /** The last one matches where all of them match. */
  | { readonly kind: "all"; readonly parts: ReadonlyArray<Node> }
  | { readonly kind: "list"; readonly items: ReadonlyArray<Node> }
  /** As many of the items as there are, from the first on. */
  | { readonly kind: "some"; readonly items: ReadonlyArray<Node> }
  | { readonly kind: "repeat"; readonly body: Node; readonly least: number; readonly most: number; readonly lazy: boolean }
  | { readonly kind: "look"; readonly body: Node; readonly behind: boolean; readonly negative: boolean }
  | { readonly kind: "atomic"; readonly body: Node }
  | { readonly kind: "bound"; readonly end: boolean }
  | { readonly kind: "again"; readonly index: number }

/** Any character but a line break. */
export const ANY: Node = { kind: "char", test: () => true, breaks: false }

export interface Syntax {
  readonly root: Node
  readonly groups: number
  /** A match may go over the end of a line. */
  readonly multiline: boolean
  readonly forcedCase: "ignore" | "match" | undefined
}

type Magic = "v" | "m" | "M" | "V"

/** Characters that are special without a backslash on each level; with one they are then literal, and vice versa. */
const SPECIAL: Readonly<Record<Magic, string>> = { v: "^$.*[~()|+=?{&@<>%", m: "^$.*[~", M: "^$", V: "" }

interface Token {
  readonly name: string
  readonly special: boolean
  readonly escaped: boolean
  readonly length: number
}

const isMagic = (name: string): name is Magic => name === "v" || name === "m" || name === "M" || name === "V"

const list = (items: ReadonlyArray<Node>): Node => {
  const [only] = items
  return items.length === 1 && only !== undefined ? only : { kind: "list", items }
}

class Reader {
  private at = 0
  private magic: Magic = "m"
  /** Where `^` is an edge and `*` a star to be found: at the start of a branch, the latter also behind that edge. */
  private isStart = true
  private isStarText = true
  groups = 0
  multiline = false
  forcedCase: Syntax["forcedCase"] = undefined

  constructor(
    private readonly source: string,
    private readonly replacement: string
  ) {}

  run(): Node {
    const root = this.choice()
    if (this.peek() !== undefined) throw new SyntaxError("E55: Unmatched \\)")
    return root
  }

  private peek(): Token | undefined {
    const char = this.source.codePointAt(this.at)
    if (char === undefined) return undefined
    const name = String.fromCodePoint(char)
    const next = this.source.codePointAt(this.at + 1)
    if (name !== "\\" || next === undefined) {
      return { name, special: SPECIAL[this.magic].includes(name), escaped: false, length: name.length }
    }
    const escaped = String.fromCodePoint(next)
    const special = /^[a-zA-Z0-9_]$/.test(escaped) || (SPECIAL.v.includes(escaped) && !SPECIAL[this.magic].includes(escaped))
    return { name: escaped, special, escaped: true, length: 1 + escaped.length }
  }

  private isNext(...names: ReadonlyArray<string>): boolean {
    const token = this.peek()
    return token?.special === true && names.includes(token.name)
  }

  private skip(): void {
    this.at += this.peek()?.length ?? 0
  }

  /** What comes is at the start of a branch. */
  private begin(): void {
    this.isStart = this.isStarText = true
  }

  private choice(): Node {
    const branches = [this.all()]
    while (this.isNext("|")) {
      this.skip()
      branches.push(this.all())
    }
    const [only] = branches
    return branches.length === 1 && only !== undefined ? only : { kind: "choice", branches }
  }

  private all(): Node {
    const parts = [this.concat()]
    while (this.isNext("&")) {
      this.skip()
      parts.push(this.concat())
    }
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : { kind: "all", parts }
  }

  private concat(): Node {
    this.begin()
    const items: Array<Node> = []
    while (this.peek() !== undefined && !this.isNext("|", "&", ")")) {
      if (!this.option()) items.push(this.piece())
    }
    return list(items)
  }

  /** `\v \c` and the like stand for nothing. */
  private option(): boolean {
    const token = this.peek()
    if (token === undefined || !token.escaped) return false
    if (isMagic(token.name)) this.magic = token.name
    else if (token.name === "c" || token.name === "C") this.forcedCase = token.name === "c" ? "ignore" : "match"
    else if (token.name !== "Z") return false
    this.skip()
    return true
  }

  private piece(): Node {
    const body = this.atom()
    const repeated = this.repetition(body)
    if (repeated === undefined) return body
    if (this.isNext("*", "+", "=", "?", "{", "@")) throw new SyntaxError("E61: Nested *")
    return repeated
  }

  private repetition(body: Node): Node | undefined {
    const token = this.peek()
    if (token?.special !== true || !/^[*+=?{@]$/.test(token.name)) return undefined
    // A star behind the edge at the start is a star to be found.
    if (token.name === "*" && this.isStarText) return undefined
    this.skip()
    if (token.name === "{") return this.limits(body)
    if (token.name === "@") return this.look(body)
    const most = token.name === "=" || token.name === "?" ? 1 : Infinity
    return { kind: "repeat", body, least: token.name === "+" ? 1 : 0, most, lazy: false }
  }

  private limits(body: Node): Node {
    const match = /^(-?)(\d*)(,?)(\d*)\\?\}/.exec(this.source.slice(this.at))
    if (match === null) throw new SyntaxError("E554: Syntax error in \\{...}")
    const [whole, lazy, low = "", comma, high = ""] = match
    this.at += whole.length
    const least = low === "" ? 0 : Number(low)
    const most = comma === "" && low !== "" ? least : high === "" ? Infinity : Number(high)
    const [from, to] = least <= most ? [least, most] : [most, least]
    return { kind: "repeat", body, least: from, most: to, lazy: lazy === "-" }
  }

  private look(body: Node): Node {
    const match = /^\d*(<?)([=!]|>)/.exec(this.source.slice(this.at))
    if (match === null || (match[1] === "<" && match[2] === ">")) throw new SyntaxError("E59: Invalid character after @")
    this.at += match[0].length
    if (match[2] === ">") return { kind: "atomic", body }
    return { kind: "look", body, behind: match[1] === "<", negative: match[2] === "!" }
  }

  private atom(): Node {
    const token = this.peek()
    if (token === undefined) return list([])
    const { isStart, isStarText } = this
    this.isStart = this.isStarText = false
    if (!token.special) {
      this.skip()
      return { kind: "text", text: token.name }
    }
    const start = this.at
    this.skip()
    switch (token.name) {
      case "^":
        this.isStarText = isStart
        return isStart ? { kind: "edge", edge: "lineStart" } : { kind: "text", text: "^" }
      case "$":
        return this.isBranchEnd() ? { kind: "edge", edge: "lineEnd" } : { kind: "text", text: "$" }
      case "*":
        if (isStarText || token.escaped) return { kind: "text", text: "*" }
        throw new SyntaxError("E64: * follows nothing")
      case ".":
        return ANY
      case "~":
        return { kind: "text", text: this.replacement }
      case "<":
        return { kind: "edge", edge: "wordStart" }
      case ">":
        return { kind: "edge", edge: "wordEnd" }
      case "[":
        return this.collection(false) ?? { kind: "text", text: "[" }
      case "(":
        return this.group(++this.groups)
      case "%":
        return this.percent()
      case "_":
        return this.overLines()
      default:
        if (/^[+=?{@&|)]$/.test(token.name))
          throw new SyntaxError(`E64: ${this.source.slice(start, this.at)} follows nothing`)
        return this.escape(token.name)
    }
  }

  /** `$` is an edge at the end of a branch, on the highest level anywhere. */
  private isBranchEnd(): boolean {
    const rest = this.source.slice(this.at).replace(/^(?:\\[cCmMvVZ])+/, "")
    return rest === "" || this.magic === "v" || /^\\[|)&n]/.test(rest)
  }

  private group(index: number | undefined): Node {
    const body = this.choice()
    if (!this.isNext(")")) throw new SyntaxError("E54: Unmatched \\(")
    this.skip()
    this.isStart = this.isStarText = false
    return { kind: "group", index, body }
  }

  private collection(withBreak: boolean): Node | undefined {
    const found = readCollection(this.source.slice(this.at), withBreak)
    if (found === undefined) return undefined
    this.at += found.length
    if (found.breaks) this.multiline = true
    return { kind: "char", test: found.test, breaks: found.breaks }
  }

  private escape(name: string): Node {
    if (name === "n") {
      this.multiline = true
      this.isStart = true
      return { kind: "break" }
    }
    if (name === "z") return this.bound()
    if (/^[1-9]$/.test(name)) {
      if (Number(name) > this.groups) throw new SyntaxError("E65: Illegal back reference")
      return { kind: "again", index: Number(name) }
    }
    const test = CLASSES.get(name)
    if (test !== undefined) return { kind: "char", test, breaks: false }
    return { kind: "text", text: ESCAPED[name] ?? name }
  }

  private bound(): Node {
    const name = this.source[this.at++]
    if (name !== "s" && name !== "e") throw new SyntaxError("E68: Invalid character after \\z")
    return { kind: "bound", end: name === "e" }
  }

  private overLines(): Node {
    const name = this.source[this.at++] ?? ""
    if (name === "^" || name === "$") return { kind: "edge", edge: name === "^" ? "lineStart" : "lineEnd" }
    this.multiline = true
    const found = name === "[" ? this.collection(true) : undefined
    if (found !== undefined) return found
    const test = name === "." ? () => true : CLASSES.get(name)
    if (test === undefined) throw new SyntaxError("E63: Invalid use of \\_")
    return { kind: "char", test, breaks: true }
  }

  private percent(): Node {
    const rest = this.source.slice(this.at)
    if (rest.startsWith("(")) {
      this.at++
      return this.group(undefined)
    }
    if (rest.startsWith("[")) return this.some()
    if (rest.startsWith("^") || rest.startsWith("$")) {
      this.at++
      return { kind: "edge", edge: rest.startsWith("^") ? "textStart" : "textEnd" }
    }
    const code = readCode(rest)
    if (code !== undefined) {
      this.at += code.length
      return { kind: "text", text: code.char }
    }
    const place = /^([<>]?)(\d+)([lcv])/.exec(rest)
    if (place === null) throw new SyntaxError("E71: Invalid character after \\%")
    const [whole, compared, value, unit = ""] = place
    this.at += whole.length
    return { kind: "place", unit, sign: compared === "<" ? -1 : compared === ">" ? 1 : 0, value: Number(value) }
  }

  /** `\%[abc]`: as much of it as is there. */
  private some(): Node {
    this.at++
    const items: Array<Node> = []
    while (this.source[this.at] !== "]") {
      if (this.peek() === undefined) throw new SyntaxError("E69: Missing ] after \\%[")
      items.push(this.atom())
    }
    this.at++
    return { kind: "some", items }
  }
}

export const readPattern = (source: string, replacement: string): Syntax => {
  const reader = new Reader(source, replacement)
  const root = reader.run()
  const { groups, multiline, forcedCase } = reader
  return { root, groups, multiline, forcedCase }
}
