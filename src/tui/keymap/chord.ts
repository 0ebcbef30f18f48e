import { pressOf, strokeOf, type KeyPress, type Stroke } from "./stroke.ts"

/**
 * The notation of keybindings.json and of hints on screen: `ctrl+x ctrl+w`, `shift+tab`, `meta+p`. A lone capital means
 * Shift, a capital after a modifier does not.
 */
export type ChordReading =
  | { readonly _tag: "Chord"; readonly strokes: ReadonlyArray<Stroke> }
  | { readonly _tag: "NotAChord"; readonly reason: string }

type Modifier = "ctrl" | "alt" | "shift" | "cmd"

const MODIFIERS: ReadonlyMap<string, Modifier> = new Map([
  ["ctrl", "ctrl"],
  ["control", "ctrl"],
  ["shift", "shift"],
  ["alt", "alt"],
  ["opt", "alt"],
  ["option", "alt"],
  ["meta", "alt"],
  ["cmd", "cmd"],
  ["command", "cmd"],
  ["super", "cmd"],
  ["win", "cmd"]
])

/** The first name of each key is the one we write. */
const NAMES_OF_KEYS: ReadonlyArray<readonly [key: string, ...names: ReadonlyArray<string>]> = [
  ["Esc", "escape", "esc"],
  ["CR", "enter", "return"],
  ["Tab", "tab"],
  [" ", "space"],
  ["Up", "up"],
  ["Down", "down"],
  ["Left", "left"],
  ["Right", "right"],
  ["Home", "home"],
  ["End", "end"],
  ["PageUp", "pageup"],
  ["PageDown", "pagedown"],
  ["BS", "backspace"],
  ["Del", "delete"],
  ["Insert", "insert"],
  ...Array.from({ length: 35 }, (_, index) => [`F${index + 1}`, `f${index + 1}`] as const)
]

const KEYS = new Map(NAMES_OF_KEYS.flatMap(([key, ...names]) => names.map((name) => [name, key] as const)))
const SHOWN_NAMES = new Map(NAMES_OF_KEYS.map(([key, name = key]) => [key, name]))

/** Splits `ctrl++` into `ctrl` and `+`: the last plus may be the key itself. */
const partsOf = (word: string): ReadonlyArray<string> => {
  if (word === "+") return ["+"]
  return word.endsWith("++") ? [...word.slice(0, -2).split("+"), "+"] : word.split("+")
}

const isOneCharacter = (text: string): boolean => Array.from(text).length === 1

const readStroke = (word: string): Stroke | { readonly reason: string } => {
  const parts = partsOf(word)
  const held: Partial<Record<Modifier, boolean>> = {}
  for (const part of parts.slice(0, -1)) {
    const modifier = MODIFIERS.get(part.toLowerCase())
    if (modifier === undefined) return { reason: `"${part}" is not a modifier (ctrl, shift, alt, meta, cmd)` }
    held[modifier] = true
  }
  const last = parts.at(-1) ?? ""
  const key = KEYS.get(last.toLowerCase()) ?? (isOneCharacter(last) ? last : undefined)
  if (key === undefined) return { reason: last === "" ? "the key is missing" : `"${last}" is not a key` }
  return strokeOf({ key: parts.length > 1 && isOneCharacter(key) ? key.toLowerCase() : key, ...held })
}

export const parseChord = (text: string): ChordReading => {
  const words = text.trim().split(/\s+/)
  const strokes: Array<Stroke> = []
  for (const word of words) {
    const stroke = readStroke(word)
    if (typeof stroke !== "string") return { _tag: "NotAChord", reason: stroke.reason }
    strokes.push(stroke)
  }
  return { _tag: "Chord", strokes }
}

const formatPress = (press: KeyPress): string =>
  [
    ...(press.ctrl === true ? ["ctrl"] : []),
    ...(press.alt === true ? ["alt"] : []),
    ...(press.shift === true ? ["shift"] : []),
    ...(press.cmd === true ? ["cmd"] : []),
    SHOWN_NAMES.get(press.key) ?? press.key
  ].join("+")

/** Strokes in the notation of keybindings.json; `parseChord` reads it back. */
export const formatChord = (strokes: ReadonlyArray<Stroke>): string =>
  strokes.map((stroke) => formatPress(pressOf(stroke))).join(" ")
