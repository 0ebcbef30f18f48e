import { makeRandom, type Random } from "../../../../sim/random.ts"

/**
 * Bash programs from a seed: quotes, escapes, expansions, redirects, here-documents, nesting, wrappers; some of them
 * damaged afterwards. Programs are `p`, `q`, `echo` and the like; nothing names a file outside the current directory.
 */
interface Writer {
  readonly random: Random
  text: string
  /** Bodies of here-documents that follow the next line end. */
  bodies: Array<string>
  documents: number
}

const PROGRAMS = [
  "p",
  "q",
  "r-s",
  "echo",
  "ls",
  "git",
  "true",
  "false",
  "env",
  "time p",
  "command q",
  "[ a",
  "test",
  "cd d",
  ":",
  "exit",
  "printf a",
  "time",
  "time ! p",
  "pwd",
  "cat"
]
const LITERALS = [
  "a",
  "b1",
  "x.txt",
  "-f",
  "-rf",
  "--flag",
  "--k=v",
  "a=b",
  "HEAD~1",
  "a:b",
  "@x",
  "%p",
  "+x",
  "a,b",
  "{}",
  "{a}",
  "stash@{0}",
  ".",
  "..",
  "d/e",
  "1",
  "22",
  "a#b",
  "é",
  "日本",
  "=",
  "==",
  "!=",
  "]",
  "in",
  "do",
  "then",
  "fi",
  "}",
  "{",
  "if",
  "!",
  "a!",
  "$",
  "^",
  "a]b",
  "-",
  "--",
  "~x~",
  "a~",
  ":",
  "%",
  "a..b",
  "time",
  "function",
  ",",
  "..",
  "--x=~/y",
  "-x=~",
  "a=b:~/c",
  "[",
  "a[1]=2",
  "#a"
]
const QUOTED = [
  "",
  " ",
  "a b",
  "a;b",
  "a|b",
  "a && b",
  "#",
  "x # y",
  "$HOME",
  "$(p)",
  "`p`",
  "\\",
  "\\n",
  "*",
  "{a,b}",
  "~",
  "(",
  ")",
  "\n",
  "a\nb",
  "<",
  ">",
  ">x",
  "<<E",
  '"',
  "don",
  "é\u00a0",
  "!",
  "\t"
]
const DOUBLE = [
  "",
  " ",
  "a b",
  "a;b",
  "a|b",
  "#",
  "x # y",
  "$HOME",
  "${HOME}",
  "$PWD",
  "\\$HOME",
  '\\"',
  "\\\\",
  "\\`",
  "\\a",
  "'",
  "it's",
  "*",
  "{a,b}",
  "~",
  "(",
  ")",
  "\n",
  "a\\\nb",
  "$",
  "$ ",
  "<",
  ">x",
  "$'",
  "!",
  "%",
  "[",
  "]"
]
const ESCAPED = [
  "\\ ",
  "\\$",
  "\\'",
  '\\"',
  "\\\\",
  "\\;",
  "\\#",
  "\\~",
  "\\*",
  "\\&",
  "\\|",
  "\\(",
  "\\a",
  "\\{",
  "\\n",
  "\\é"
]
const KNOWN = ["~", "~/a", "$HOME", "${HOME}", "$HOME/a", "${HOME}b", "$PWD", "${PWD}/x", '"$HOME"', '"$PWD/y z"']
const GLOBS = ["*", "*.txt", "?n.txt", "[a-z]*", "i[n]*", "z*"]
const DYNAMIC = [
  "$x",
  '"$x"',
  "$1",
  "$?",
  "${x:-y}",
  "$((1+2))",
  "$'a\\x41'",
  '$"t"',
  "{a,b}",
  "{1..3}",
  "`q`",
  "<(q a)",
  "~+",
  "a=~",
  "$@"
]
const FILES = [
  "o1",
  "o2",
  "'o 3'",
  '"o4"',
  "o\\ 5",
  "~/h1",
  "$HOME/h2",
  '"$PWD/o6"',
  "d",
  "in.txt",
  "'$(q o7)'",
  "\\$HOME",
  "'`q o8`'",
  '"\\$x"',
  "'~'",
  "o9\\\\"
]
const BLANKS = [" ", " ", " ", " ", " ", "  ", "\t", " \\\n", " \\\n  "]
const DAMAGE = [
  "'",
  '"',
  "\\",
  "`",
  "$",
  "#",
  ";",
  "&",
  "|",
  "(",
  ")",
  "{",
  "}",
  "<",
  ">",
  "\n",
  " ",
  "!",
  "~",
  "*",
  "=",
  ",",
  "<<",
  "$(",
  "\\\n",
  "\t",
  "[",
  "]",
  "2>",
  "&>",
  "${",
  "=(",
  "((",
  " # ",
  "\r"
]

const chance = ({ random }: Writer, percent: number): boolean => random.chance(percent / 100)

const pick = ({ random }: Writer, from: ReadonlyArray<string>): string => random.pick(from)

const write = (writer: Writer, text: string): void => {
  writer.text += text
}

const newline = (writer: Writer): void => {
  write(writer, "\n")
  for (const body of writer.bodies.splice(0)) write(writer, body)
}

const substitution = (writer: Writer, depth: number): string => {
  const inner: Writer = { random: writer.random, text: "", bodies: [], documents: writer.documents }
  if (chance(writer, 40)) {
    inner.text = `cat <<'E'\n${pick(writer, QUOTED)}${pick(writer, QUOTED)} (x\nE\n`
  } else {
    list(inner, depth + 2)
    if (inner.bodies.length > 0) newline(inner)
  }
  return `$(${inner.text})`
}

const piece = (writer: Writer, depth: number): string => {
  const dice = writer.random.int(100)
  if (dice < 38) return pick(writer, LITERALS)
  if (dice < 52) return `'${pick(writer, QUOTED)}${pick(writer, QUOTED)}'`
  if (dice < 68) return `"${pick(writer, DOUBLE)}${pick(writer, DOUBLE)}"`
  if (dice < 78) return pick(writer, ESCAPED)
  if (dice < 86) return pick(writer, KNOWN)
  if (dice < 90) return pick(writer, GLOBS)
  if (dice < 92) return pick(writer, DYNAMIC)
  if (dice < 96 && depth < 3) return chance(writer, 70) ? `"${substitution(writer, depth)}"` : substitution(writer, depth)
  return pick(writer, LITERALS)
}

const word = (writer: Writer, depth: number): string => {
  let text = piece(writer, depth)
  while (chance(writer, 22)) text += piece(writer, depth)
  return text
}

const redirect = (writer: Writer): string => {
  const dice = writer.random.int(100)
  const gap = chance(writer, 50) ? " " : ""
  if (dice < 40)
    return `${pick(writer, ["", "", "1", "2", "3"])}${pick(writer, [">", ">>", ">|", "<>"])}${gap}${pick(writer, FILES)}`
  if (dice < 50) return `<${gap}in.txt`
  if (dice < 60) return pick(writer, ["2>&1", ">&2", "1>&2", "2>&-", "<&-", "3<&0"])
  if (dice < 66) return `${pick(writer, ["&>", "&>>", ">&"])}${gap}${pick(writer, FILES)}`
  if (dice < 74) return `<<<${gap}${word(writer, 3)}`
  const name = `E${writer.documents++}`
  const strips = chance(writer, 20)
  const isQuoted = chance(writer, 60)
  const line = isQuoted
    ? pick(writer, QUOTED).replaceAll("\n", "")
    : pick(writer, ["x", "a b", "it's", "$HOME", "$(q z)", "\\$x", '"', "#", "$x", "a\\"])
  const tab = strips ? "\t" : ""
  writer.bodies.push(chance(writer, 10) ? `${tab}${name}\n` : `${tab}${line}\n${line}\n${tab}${name}\n`)
  return `<<${strips ? "-" : ""}${gap}${isQuoted ? pick(writer, [`'${name}'`, `"${name}"`, `\\${name}`]) : name}`
}

const simple = (writer: Writer, depth: number): void => {
  const parts: Array<string> = []
  while (chance(writer, 8))
    parts.push(`${pick(writer, ["A", "A", "B", "B", "HOME", "PWD"])}=${chance(writer, 20) ? "" : word(writer, 3)}`)
  if (chance(writer, 3)) parts.push(redirect(writer))
  parts.push(chance(writer, 4) ? word(writer, depth) : pick(writer, PROGRAMS))
  const count = writer.random.int(4)
  for (let index = 0; index < count; index++) parts.push(chance(writer, 14) ? redirect(writer) : word(writer, depth))
  if (parts.some((part) => part === "[ a")) parts.push("]")
  for (const [index, part] of parts.entries()) write(writer, index === 0 ? part : pick(writer, BLANKS) + part)
}

const trailing = (writer: Writer): void => {
  while (chance(writer, 12)) write(writer, ` ${redirect(writer)}`)
}

const compound = (writer: Writer, depth: number): void => {
  const dice = writer.random.int(4)
  if (dice === 0) {
    write(writer, "{ ")
    list(writer, depth + 1)
    write(writer, writer.bodies.length > 0 ? "" : ";")
    if (writer.bodies.length > 0) newline(writer)
    write(writer, " }")
  } else if (dice === 1) {
    write(writer, pick(writer, ["(", "( "]))
    list(writer, depth + 1)
    if (writer.bodies.length > 0) newline(writer)
    write(writer, ")")
  } else if (dice === 2) {
    write(writer, "if ")
    sequence(writer, depth + 1)
    write(writer, "then ")
    sequence(writer, depth + 1)
    if (chance(writer, 30)) {
      write(writer, "elif ")
      sequence(writer, depth + 1)
      write(writer, "then ")
      sequence(writer, depth + 1)
    }
    if (chance(writer, 40)) {
      write(writer, "else\n")
      sequence(writer, depth + 1)
    }
    write(writer, "fi")
  } else {
    write(writer, "! ")
    simple(writer, depth)
    return
  }
  trailing(writer)
}

const pipeline = (writer: Writer, depth: number): void => {
  const part = (): void => (depth < 4 && chance(writer, 14) ? compound(writer, depth) : simple(writer, depth))
  part()
  while (chance(writer, 15)) {
    write(writer, pick(writer, [" | ", "|", " |& ", " |\n"]))
    part()
  }
}

const list = (writer: Writer, depth: number): void => {
  pipeline(writer, depth)
  while (chance(writer, depth > 2 ? 8 : 28)) {
    const dice = writer.random.int(10)
    if (dice < 4) write(writer, pick(writer, [" && ", "&&", " || ", "||"]))
    else if (dice < 7) write(writer, pick(writer, ["; ", ";", " ; "]))
    else {
      if (chance(writer, 25)) write(writer, pick(writer, [" # note", " # it's", ' # "x" y', " #"]))
      newline(writer)
    }
    pipeline(writer, depth)
  }
}

/** A list that ends with a separator, as `if` wants it. */
const sequence = (writer: Writer, depth: number): void => {
  list(writer, depth)
  if (writer.bodies.length > 0 || chance(writer, 30)) newline(writer)
  else write(writer, "; ")
}

const damaged = (writer: Writer, text: string): string => {
  const at = writer.random.int(text.length + 1)
  const dice = writer.random.int(4)
  if (dice === 0) return text.slice(0, at) + text.slice(at + 1)
  if (dice === 1) return text.slice(0, at) + text.slice(Math.max(0, at - 3))
  return text.slice(0, at) + pick(writer, DAMAGE) + text.slice(at)
}

export const programFrom = (seed: number): string => {
  const writer: Writer = { random: makeRandom(seed), text: "", bodies: [], documents: 0 }
  list(writer, 0)
  if (writer.bodies.length > 0) newline(writer)
  let { text } = writer
  while (chance(writer, 30)) text = damaged(writer, text)
  return text
}
