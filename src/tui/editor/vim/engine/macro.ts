/** Macros: strokes kept as text in a register, in the bytes that vim would keep. */
import { clusters } from "../../../screen/cell/width.ts"
import { type Stroke, strokeOfCharacter } from "../../../keymap/stroke.ts"
import type { RegisterText } from "../state/register.ts"

/** What vim writes before the two letters of a key that is not a character. */
const SPECIAL = "\u0080"

const KEYS: ReadonlyArray<readonly [Stroke, string]> = [
  ["<Up>", "ku"],
  ["<Down>", "kd"],
  ["<Left>", "kl"],
  ["<Right>", "kr"],
  ["<Home>", "kh"],
  ["<End>", "@7"],
  ["<PageUp>", "kP"],
  ["<PageDown>", "kN"],
  ["<Del>", "kD"],
  ["<Insert>", "kI"],
  ["<BS>", "kb"]
]

const CODES: ReadonlyMap<Stroke, string> = new Map(KEYS)
const STROKES: ReadonlyMap<string, Stroke> = new Map(KEYS.map(([stroke, code]) => [code, stroke]))
const CONTROL = /^<C-([a-z@[\\\]^_])>$/

const encodeStroke = (stroke: Stroke): string => {
  const code = CODES.get(stroke)
  if (code !== undefined) return SPECIAL + code
  if (stroke === "<Esc>") return "\x1b"
  if (stroke === "<CR>") return "\r"
  if (stroke === "<Tab>") return "\t"
  const control = CONTROL.exec(stroke)?.[1]
  if (control !== undefined) return String.fromCharCode(control.toUpperCase().charCodeAt(0) - 64)
  return stroke.length > 1 && /^<.+>$/.test(stroke) ? `${SPECIAL}${stroke}` : stroke
}

/** A line break that was typed is one in the register, too: no line holds one. */
export const encodeMacro = (strokes: ReadonlyArray<Stroke>): RegisterText => ({
  type: "char",
  lines: strokes.map(encodeStroke).join("").split("\n")
})

export const decodeMacro = ({ type, lines }: RegisterText): ReadonlyArray<Stroke> => {
  const text = lines.join("\n") + (type === "line" ? "\n" : "")
  // A carriage return and a line break are two keys, though they would be one character.
  const parts = text.match(/\u0080(?:<[^>]+>|..)|[\r\n]|[^\u0080\r\n]+|\u0080/gsu) ?? []
  return parts.flatMap((part) => {
    if (!part.startsWith(SPECIAL)) return clusters(part).map(strokeOfCharacter)
    const name = part.slice(1)
    return [STROKES.get(name) ?? name]
  })
}
