/** Ex lines: ranges, substitutions, `:g` and the commands on lines. */
import type { Command } from "../script.ts"
import { MARKS, pattern } from "./moves.ts"
import { count, piece, type Session, words } from "./words.ts"

const REPLACEMENTS = [
  "",
  "x",
  "[&]",
  "\\0\\0",
  "\\1",
  "\\u&",
  "\\U&\\E!",
  "a\\rb",
  "é",
  "\\&",
  "~",
  "~y",
  "\\L&",
  "<\\/b>",
  "\\t"
]
const FLAGS = ["", "", "g", "g", "i", "I", "e", "n", "&", "gi", "&g", "g 2"]

const substitution = (session: Session): string => {
  const { random } = session
  const shape = random.below(14)
  if (shape === 0 && session.hasReplaced) return random.pick(["s", "&", "&&", "~", "~&", "s g", "s 2"])
  session.hasReplaced = true
  const [open] = random.pick([["/"], ["/"], ["/"], ["#"], [","]])
  const source = random.chance(0.1) ? "" : pattern(session)
  if (shape === 1) return `s${open}${source}`
  if (shape === 2) return `s${open}${source}${open}${random.pick(REPLACEMENTS).replaceAll("<", "<lt>")}`
  return `s${open}${source}${open}${random.pick(REPLACEMENTS).replaceAll("<", "<lt>")}${open}${random.pick(FLAGS)}`
}

const RANGES = [
  "",
  "",
  "%",
  ".",
  "$",
  "1,2",
  "2",
  ".,$",
  "1,.",
  "'a",
  "'a,$",
  "'<lt>,'>",
  "'[,']",
  ".,+1",
  "-1,.",
  "-,+",
  "+",
  "1;+1",
  "2,3",
  "0",
  "'.",
  ".+1",
  "$-1,$",
  "3"
]

const address = (session: Session): string => {
  const { random } = session
  if (random.chance(0.15)) return `/${pattern(session)}/`
  if (random.chance(0.05)) return `?${pattern(session)}?`
  if (random.chance(0.05)) return `/${pattern(session)}/;+1`
  return random.pick(RANGES)
}

const NORMALS = ["dd", "A;", "Ix ", "dw", "x", "wD", "0ix", "$x", "J", "yyp", "guw", "ea!", "3x", "@a", "."]
const TARGETS = ["0", "$", ".", "1", "'a", "+1", "-1", "-2", "2", "+", "3"]

const lineEx = (session: Session): string => {
  const { random } = session
  const name = random.pick(words("d d y m m t t co j j! > < >> << pu pu! norm norm k s s s"))
  if (name === "s") return substitution(session)
  if (name === "norm") return `norm ${random.pick(NORMALS)}`
  if (name === "m" || name === "t" || name === "co") return `${name} ${random.pick(TARGETS)}`
  if (name === "d" || name === "y")
    return `${name}${random.chance(0.3) ? ` ${random.pick(["a", "A", "b", "2", "a 2", "_"])}` : ""}`
  if (name === "k") return `k${random.pick(MARKS)}`
  if (name.startsWith("pu")) return `${name}${random.chance(0.4) ? ` ${random.pick(["a", "0", "1", "-", '"'])}` : ""}`
  const counted = !name.startsWith("j") && random.chance(0.2)
  return `${name}${counted ? ` ${1 + random.below(3)}` : ""}`.replaceAll("<", "<lt>")
}

/** Vim leaves the caret behind the end of a line that it was asked to join to itself. */
const JOINED = ["", ".", "1,2", ".,$", ".,+1"]

export const exOnRange = (session: Session): string => {
  const { random } = session
  if (random.chance(0.12)) return `${random.pick(["g", "v", "g!"])}/${pattern(session)}/${lineEx(session)}`
  const line = lineEx(session)
  return random.chance(0.06) ? `${line}|${address(session)}${lineEx(session)}` : line
}

export const exCommand = (session: Session): Command => {
  const { random } = session
  session.hasLine = true
  if (random.chance(0.08)) return [piece(`:${address(session)}<CR>`, false)]
  if (random.chance(0.06)) return [piece(`:${random.pick(["u", "red", "noh", "u 1", "u 0", "u 2"])}<CR>`, false)]
  if (random.chance(0.15))
    return [piece(`:${random.pick(["g", "v", "%g", "g!", ".,$g"])}/${pattern(session)}/${lineEx(session)}<CR>`, false)]
  const line = exOnRange(session)
  const range = line.startsWith("j") ? random.pick(JOINED) : address(session)
  return [piece(`${range === "" ? count(session, 0.1) : ""}:${range}${line}<CR>`, false)]
}
