/** Motions, searches and text objects, with characters and words of the text itself. */
import { count, type Session, words } from "./words.ts"

/** A character of the text, as it is typed. */
const target = ({ random, lines }: Session): string => {
  const characters = Array.from(random.pick(lines)).filter((char) => char !== "\t" && !/\p{M}/u.test(char))
  const char =
    characters.length === 0 || random.chance(0.2) ? random.pick(["e", "o", " ", "(", '"', "x"]) : random.pick(characters)
  return char === "<" ? "<lt>" : char === " " ? "<Space>" : char
}

const literal = (text: string): string => text.replace(/[\\.*$^~[\]/?]/g, "\\$&").replaceAll("<", "<lt>")

const PATTERNS = [
  "\\<lt>\\w",
  "\\w\\>",
  "[aeiou]",
  "o\\+",
  "^\\s*",
  "\\s\\+$",
  "x\\|o",
  "\\d\\+",
  "$",
  "^",
  "\\(\\w\\)\\1",
  ".\\{2}",
  "\\v(a|e)+",
  "the\\c",
  "T",
  "\\a*",
  "e\\n",
  "zzzz",
  "[^a-z ]",
  "\\s",
  "t\\zsh",
  "e\\ze ",
  "o\\=n",
  "\\(a\\|i\\)\\w",
  "[[:upper:]]",
  "\\%(n\\|m\\)e",
  "\\w\\{-1,}e",
  "(",
  "\\[",
  "\\.",
  ",\\s",
  "\\v<lt>\\w{3}>",
  "\\Vo.",
  "f\\@<lt>!o",
  "a\\&.",
  "[0-9]\\{1,2}"
]

export const pattern = (session: Session): string => {
  const { random, lines } = session
  if (random.chance(0.4)) return random.pick(PATTERNS)
  const found = random.pick(lines).match(/\w+|[^\w\s\p{M}]/gu) ?? ["e"]
  const word = random.pick(found)
  return literal(random.chance(0.5) ? word : word.slice(0, 2)).replaceAll("\\?", ".")
}

const OFFSETS = ["e", "e+1", "e-1", "s+1", "s-2", "b", "b+2", "+1", "-1", "+2", "0", "+", "-", "e+2"]

const search = (session: Session): string => {
  const { random } = session
  const key = random.pick(["/", "/", "?"])
  const shape = random.below(12)
  if (shape === 0) return `${key}<CR>`
  if (shape === 1) return `${key}${key}${random.pick(OFFSETS)}<CR>`
  if (shape === 2) return `${key}${pattern(session)}${key};/${pattern(session)}<CR>`
  if (shape < 6) return `${key}${pattern(session)}${key}${random.pick(OFFSETS)}<CR>`
  return `${key}${pattern(session)}<CR>`
}

export const MARKS = words("a b c")
const JUMPS = words("a a b c < > [ ] . ^ ' `")

const MOTIONS = [
  ...words("h j k l w b e W B E ge gE 0 ^ $ g_ | gg G gj gk g0 g$ ( ) { } % ; , n N * # g* g# H M L + - _ <Space> <BS>"),
  ...words("[( ]) [{ ]} w w b e j j k l h $ } { ( ) <Left> <Right> <Up> <Down> <Home> <End> <C-n> <C-p> <C-h>")
]

/** Where exactly the last change was depends on how fast somebody typed: vim inserts what it can read at once. */
const jump = ({ random }: Session): string => {
  const name = random.pick(JUMPS)
  return (name === "." ? "'" : random.pick(["'", "`"])) + name.replace("<", "<lt>")
}

/** Motions that are supported, with the keys that they wait for. */
export const motion = (session: Session): string => {
  const { random, lines } = session
  const shape = random.below(20)
  if (shape < 3) return random.pick(["f", "F", "t", "T"]) + target(session)
  if (shape === 3) return search(session)
  if (shape === 4) return jump(session)
  if (shape === 5) return `${1 + random.below(lines.length + 1)}${random.pick(["G", "gg", "|"])}`
  return random.pick(MOTIONS)
}

export const counted = (session: Session, keys: string, chance = 0.25): string =>
  /^[0-9]/.test(keys) ? keys : count(session, chance) + keys

const OBJECTS = words("w w W s p p b B ( ) [ ] { } < > \" ' ` t t")

export const object = ({ random }: Session): string => random.pick(["i", "a"]) + random.pick(OBJECTS).replace("<", "<lt>")
