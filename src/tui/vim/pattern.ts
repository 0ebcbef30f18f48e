/**
 * Search patterns as vim writes them, turned into regular expressions. Understood are the levels of magic, collections,
 * classes, repetition, groups, alternation, word borders, `\zs` `\ze` and look-around.
 */

export interface PatternOptions {
  readonly ignorecase: boolean
  readonly smartcase: boolean
  /** What `~` stands for: the last replacement. */
  readonly replacement: string
}

export interface Pattern {
  readonly expression: RegExp
  /** A match may go over the end of a line. */
  readonly multiline: boolean
}

type Magic = "very" | "magic" | "no" | "none"

const LEVELS: Readonly<Record<string, Magic>> = { v: "very", m: "magic", M: "no", V: "none" }

/** Characters that are special without a backslash on each level; with one they are then literal, and vice versa. */
const SPECIAL: Readonly<Record<Magic, string>> = {
  very: "^$.*[~()|+=?{&@<>%",
  magic: "^$.*[~",
  no: "^$",
  none: ""
}

const KEYWORD = "[\\p{L}\\p{N}_]"

/** Kinds of words: scripts written without blanks border on each other and on letters. */
const SCRIPTS = [
  ...["Hiragana", "Katakana", "Han", "Hangul"].map((script) => `\\p{Script=${script}}`),
  "\\u{1f000}-\\u{1faff}"
]
const LETTERS = `(?![${SCRIPTS.join("")}])[\\p{L}\\p{N}\\p{M}_]`
const WORDS: ReadonlyArray<string> = [LETTERS, ...SCRIPTS.map((script) => `[${script}]`)]
const WORD_START = `(?:${WORDS.map((word) => `(?<!${word})(?=${word})`).join("|")})`
const WORD_END = `(?:${WORDS.map((word) => `(?<=${word})(?!${word})`).join("|")})`

const CLASSES: Readonly<Record<string, string>> = {
  s: "[ \\t]",
  S: "[^ \\t\\n]",
  d: "[0-9]",
  D: "[^0-9\\n]",
  w: "[0-9A-Za-z_]",
  W: "[^0-9A-Za-z_\\n]",
  a: "[A-Za-z]",
  A: "[^A-Za-z\\n]",
  l: "[a-z]",
  L: "[^a-z\\n]",
  u: "[A-Z]",
  U: "[^A-Z\\n]",
  h: "[A-Za-z_]",
  H: "[^A-Za-z_\\n]",
  x: "[0-9A-Fa-f]",
  X: "[^0-9A-Fa-f\\n]",
  o: "[0-7]",
  O: "[^0-7\\n]",
  k: KEYWORD,
  i: KEYWORD,
  f: "[\\w/.\\-+,#$%~=]",
  p: "[^\\x00-\\x1f\\n]",
  e: "\\x1b",
  t: "\\t",
  r: "\\r",
  b: "\\x08",
  n: "\\n"
}

const NAMED: Readonly<Record<string, string>> = {
  alpha: "A-Za-z",
  digit: "0-9",
  alnum: "0-9A-Za-z",
  lower: "a-z",
  upper: "A-Z",
  punct: "!-\\/:-@\\[-`\\{-~",
  space: "\\t-\\r ",
  blank: " \\t",
  xdigit: "0-9A-Fa-f",
  word: "0-9A-Za-z_"
}

const escapeLiteral = (char: string): string => (/[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char)
const escapeInSet = (char: string): string => (/[\\\]^[&~!#$%*+,.:;<=>?@`{|}-]/.test(char) ? `\\${char}` : char)

class Translator {
  private at = 0
  private magic: Magic = "magic"
  private out = ""
  /** Where the last atom begins in `out`, for a repetition that must wrap it. */
  private atom = 0
  private readonly groups: Array<number> = []
  multiline = false
  forced: "ignore" | "match" | undefined = undefined
  hasUpper = false

  constructor(
    private readonly source: string,
    private readonly replacement: string
  ) {}

  run(): string {
    while (this.at < this.source.length) this.token()
    return this.out
  }

  private token(): void {
    const char = this.take()
    const escaped = char === "\\" && this.at < this.source.length
    const name = escaped ? this.take() : char
    if (escaped && LEVELS[name] !== undefined) {
      this.magic = LEVELS[name]
      return
    }
    const isSpecial = SPECIAL[this.magic].includes(name) !== escaped
    if (isSpecial && this.special(name)) return
    if (escaped && this.escape(name)) return
    if (name !== name.toLowerCase()) this.hasUpper = true
    this.push(escapeLiteral(name))
  }

  private take(): string {
    const char = String.fromCodePoint(this.source.codePointAt(this.at) ?? 0)
    this.at += char.length
    return char
  }

  /** An atom for any of several characters takes the marks that stand on the character with it. */
  private pushClass(text: string): void {
    this.push(`(?:${text}\\p{M}*(?!\\p{M}))`)
  }

  private push(text: string): void {
    this.atom = this.out.length
    this.out += text
  }

  /** Anchors are anchors only at the borders of a branch. */
  private atBranchStart(): boolean {
    return this.out === "" || /(?:\((?:\?[:=!]|\?<[=!])?|\||\\n)$/.test(this.out)
  }

  private atBranchEnd(): boolean {
    const rest = this.source.slice(this.at)
    return rest === "" || (this.magic === "very" ? /^(?:[|)&]|\\n)/ : /^\\[|)&n]/).test(rest)
  }

  private special(name: string): boolean {
    switch (name) {
      case "^":
        this.push(this.atBranchStart() ? "^" : "\\^")
        return true
      case "$":
        this.push(this.atBranchEnd() ? "$" : "\\$")
        return true
      case ".":
        this.pushClass("[^\\n]")
        return true
      case "~":
        this.push(Array.from(this.replacement, escapeLiteral).join(""))
        return true
      case "[":
        return this.collection(false)
      case "*":
        if (this.atBranchStart() || this.out.endsWith("^")) this.push("\\*")
        else this.out += "*"
        return true
      case "+":
        this.out += "+"
        return true
      case "=":
      case "?":
        this.out += "?"
        return true
      case "{":
        return this.repetition()
      case "(":
        this.open("(")
        return true
      case ")":
        this.close()
        return true
      case "|":
        this.out += "|"
        return true
      case "<":
        this.push(WORD_START)
        return true
      case ">":
        this.push(WORD_END)
        return true
      case "@":
        return this.lookAround()
      case "%":
        return this.percent()
      default:
        return false
    }
  }

  private open(text: string): void {
    this.groups.push(this.out.length)
    this.out += text
  }

  private close(): void {
    const start = this.groups.pop()
    if (start === undefined) throw new SyntaxError("E55: Unmatched \\)")
    this.out += ")"
    this.atom = start
  }

  private escape(name: string): boolean {
    if (name === "c" || name === "C") {
      this.forced = name === "c" ? "ignore" : "match"
      return true
    }
    if (name === "z") return this.border()
    if (name === "_") return this.overLines()
    if (name >= "1" && name <= "9") {
      this.push(`\\${name}`)
      return true
    }
    const known = CLASSES[name]
    if (known === undefined) return false
    if (name === "n") this.multiline = true
    if (name === "n") this.push(known)
    else this.pushClass(known)
    return true
  }

  /** `\zs` makes what came before a look-behind, `\ze` what follows a look-ahead. */
  private border(): boolean {
    const name = this.take()
    if (name === "s") {
      this.out = `(?<=${this.out})`
      this.atom = 0
      return true
    }
    if (name !== "e") return false
    const rest = new Translator(this.source.slice(this.at), this.replacement)
    rest.magic = this.magic
    this.push(`(?=${rest.run()})`)
    this.multiline = this.multiline || rest.multiline
    this.at = this.source.length
    return true
  }

  private overLines(): boolean {
    const name = this.take()
    this.multiline = true
    if (name === "[") return this.collection(true)
    if (name === "^" || name === "$") this.push(name)
    else this.push(name === "." ? "[\\s\\S]" : `(?:${CLASSES[name] ?? escapeLiteral(name)}|\\n)`)
    return true
  }

  private collection(withBreak: boolean): boolean {
    const match = /^(\^?)(\]?(?:\[:\w+:\]|\\.|[^\]])*)\]/su.exec(this.source.slice(this.at))
    if (match === null) return false
    const [whole, negated = "", body = ""] = match
    this.at += whole.length
    const items = body.replace(/\[:(\w+):\]|\\([etrbn\\\]^-])|(-)|([\s\S])/gu, (_all, named, escaped, dash, char) => {
      if (named !== undefined) return NAMED[String(named)] ?? ""
      if (escaped !== undefined) return CLASSES[String(escaped)] ?? escapeInSet(String(escaped))
      return dash ?? escapeInSet(String(char))
    })
    const safe = items.replace(/^-|-$/g, "\\-")
    if (/[A-Z]/.test(body.replace(/\[:\w+:\]/g, ""))) this.hasUpper = true
    // A negated set holds what it does not match: the line break unless it is asked for.
    const lineBreak = (negated !== "") === withBreak ? "" : "\\n"
    this.pushClass(`[${negated}${safe}${lineBreak}]`)
    return true
  }

  private repetition(): boolean {
    const match = /^(-?)(\d*)(,?)(\d*)\\?\}/.exec(this.source.slice(this.at))
    if (match === null) return false
    const [whole, lazy, low = "", comma, high = ""] = match
    this.at += whole.length
    const exact = comma === "" && low !== ""
    this.out += exact ? `{${low}}` : `{${low === "" ? "0" : low},${high}}`
    if (lazy === "-") this.out += "?"
    return true
  }

  private lookAround(): boolean {
    const match = /^(\d*)(<?[=!]|>)/.exec(this.source.slice(this.at))
    const kind = match?.[2]
    if (match === null || kind === undefined || kind === ">") return false
    this.at += match[0].length
    this.out = `${this.out.slice(0, this.atom)}(?${kind}${this.out.slice(this.atom)})`
    return true
  }

  private percent(): boolean {
    if (this.source[this.at] === "(") {
      this.at++
      this.open("(?:")
      return true
    }
    const code = /^[dxu]([0-9a-fA-F]+)/.exec(this.source.slice(this.at))
    if (code !== null) {
      this.at += code[0].length
      const value = Number.parseInt(code[1] ?? "", code[0].startsWith("d") ? 10 : 16)
      this.push(escapeLiteral(String.fromCodePoint(value)))
      return true
    }
    return false
  }
}

/** The expression for a pattern; undefined when it is not a pattern. */
export const compilePattern = (source: string, options: PatternOptions): Pattern | undefined => {
  const translator = new Translator(source, options.replacement)
  try {
    const expression = translator.run()
    const ignore =
      translator.forced === undefined
        ? options.ignorecase && !(options.smartcase && translator.hasUpper)
        : translator.forced === "ignore"
    // A match may not end before a mark that stands on its last character.
    const whole = `(?:${expression})(?!\\p{M})`
    return { expression: new RegExp(whole, `gmu${ignore ? "i" : ""}`), multiline: translator.multiline }
  } catch {
    return undefined
  }
}

/** A pattern that matches a text as it is. */
export const literalPattern = (text: string, delimiter: string): string =>
  text.replace(/[\\.*$^~[]/g, "\\$&").replaceAll(delimiter, `\\${delimiter}`)
