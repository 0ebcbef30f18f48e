import { nextClusters } from "../screen/cell/width.ts"

/**
 * A key as the keymap, vim and every pane see it: one canonical string in vim notation. A printable character is
 * itself; everything else stands in angle brackets with its modifiers in the order C- A- S- D-.
 */
export type Stroke = string

/** A key and what was held with it, before it becomes a stroke. */
export interface KeyPress {
  /** One character (or cluster), or a name of `KEY_NAMES`. */
  readonly key: string
  readonly ctrl?: boolean
  readonly alt?: boolean
  readonly shift?: boolean
  /** Command on a Mac, the logo key elsewhere. */
  readonly cmd?: boolean
}

const FUNCTION_KEYS = Array.from({ length: 35 }, (_, index) => `F${index + 1}`)

/** Keys that are not characters, as strokes spell them. */
export const KEY_NAMES: ReadonlyArray<string> = [
  "Esc",
  "CR",
  "Tab",
  "BS",
  "Del",
  "Insert",
  "Up",
  "Down",
  "Left",
  "Right",
  "Home",
  "End",
  "PageUp",
  "PageDown",
  ...FUNCTION_KEYS
]

/** Characters that cannot stand in brackets as themselves, and names that people use for keys and characters. */
const BRACKETED: ReadonlyMap<string, string> = new Map([
  [" ", "Space"],
  ["<", "lt"],
  [">", "gt"]
])

const KEY_BY_NAME: ReadonlyMap<string, string> = new Map([
  ...KEY_NAMES.map((name) => [name.toLowerCase(), name] as const),
  ...[...BRACKETED].map(([character, name]) => [name.toLowerCase(), character] as const),
  ["bar", "|"],
  ["bslash", "\\"],
  ["return", "CR"],
  ["enter", "CR"],
  ["escape", "Esc"],
  ["backspace", "BS"],
  ["delete", "Del"],
  ["ins", "Insert"]
])

const NAMED: ReadonlySet<string> = new Set(KEY_NAMES)

/** What Shift makes of a key on the layout that terminals assume when they report only the key. */
const SHIFTED: ReadonlyMap<string, string> = new Map(
  "`1234567890-=[]\\;',./".split("").map((key, index) => [key, '~!@#$%^&*()_+{}|:"<>?'.charAt(index)] as const)
)

const isLetter = (key: string): boolean => key.toLowerCase() !== key.toUpperCase()

/** Letters whose capital is two letters, as that of "ß", stay as they are: a stroke is one character. */
const capitalOf = (letter: string): string => (letter.toUpperCase().length === letter.length ? letter.toUpperCase() : letter)

/** The canonical stroke. Shift of a character is in the character; a letter under another modifier keeps S-. */
export const strokeOf = (press: KeyPress): Stroke => {
  const { key } = press
  const shift = press.shift === true
  const prefix = (keepShift: boolean): string =>
    (press.ctrl === true ? "C-" : "") +
    (press.alt === true ? "A-" : "") +
    (keepShift ? "S-" : "") +
    (press.cmd === true ? "D-" : "")
  if (NAMED.has(key)) return `<${prefix(shift)}${key}>`
  const isPlain = prefix(false) === ""
  if (key === " ") return isPlain && !shift ? key : `<${prefix(shift)}Space>`
  if (isLetter(key)) {
    return isPlain ? (shift ? capitalOf(key) : key) : `<${prefix(shift)}${key.toLowerCase()}>`
  }
  const character = shift ? (SHIFTED.get(key) ?? key) : key
  return isPlain ? character : `<${prefix(false)}${BRACKETED.get(character) ?? character}>`
}

const IN_BRACKETS = /<((?:[casdmt]-)*)([^<>\s]+|[<>])>/iy

const modifiersOf = (prefix: string): Omit<KeyPress, "key"> => {
  const held = prefix.toLowerCase()
  return {
    ctrl: held.includes("c-"),
    alt: /[amt]-/.test(held),
    shift: held.includes("s-"),
    cmd: held.includes("d-")
  }
}

/** Reads `<C-S-x>` at a place of the text; undefined when the bracket is only a character there. */
const bracketAt = (text: string, at: number): { readonly press: KeyPress; readonly end: number } | undefined => {
  IN_BRACKETS.lastIndex = at
  const match = IN_BRACKETS.exec(text)
  if (match === null) return undefined
  const [whole, prefix = "", name = ""] = match
  const named = KEY_BY_NAME.get(name.toLowerCase())
  const key = named ?? (prefix !== "" && isOneCluster(name) ? name : undefined)
  return key === undefined ? undefined : { press: { key, ...modifiersOf(prefix) }, end: at + whole.length }
}

const firstCluster = (text: string): string => {
  if (isAsciiPair(text, 0)) return text.charAt(0)
  return text === "" ? "" : (nextClusters(text, 0)[0] ?? "")
}

const isOneCluster = (text: string): boolean => firstCluster(text) === text

const isAsciiPair = (text: string, at: number): boolean => text.charCodeAt(at) < 0x80 && !(text.charCodeAt(at + 1) >= 0x80)

/** The stroke of a typed character; control characters are the keys that send them. */
export const strokeOfCharacter = (character: string): Stroke => {
  const code = character.charCodeAt(0)
  if (code === 0x0d) return "<CR>"
  if (code === 0x09) return "<Tab>"
  if (code === 0x1b) return "<Esc>"
  if (code === 0x7f) return "<BS>"
  if (code === 0) return "<C-Space>"
  return code < 0x20 ? `<C-${String.fromCharCode(code + 0x40).toLowerCase()}>` : character
}

/** Strokes of a text that a user wrote: `d2w<lt>`, `<C-w>l`, `<Leader>` already replaced. Line breaks are Enter. */
export const parseStrokes = (text: string): ReadonlyArray<Stroke> => {
  const strokes: Array<Stroke> = []
  let at = 0
  while (at < text.length) {
    const bracket = text.startsWith("<", at) ? bracketAt(text, at) : undefined
    if (bracket !== undefined) {
      strokes.push(strokeOf(bracket.press))
      at = bracket.end
      continue
    }
    const cluster = isAsciiPair(text, at) ? text.charAt(at) : firstCluster(text.slice(at))
    strokes.push(cluster === "\n" || cluster === "\r\n" ? "<CR>" : strokeOfCharacter(cluster))
    at += cluster.length
  }
  return strokes
}

/** Strokes as text that `parseStrokes` reads back. */
export const formatStrokes = (strokes: ReadonlyArray<Stroke>): string =>
  strokes.map((stroke) => (stroke === "<" ? "<lt>" : stroke === " " ? "<Space>" : stroke)).join("")

/** The key and modifiers of a stroke: the inverse of `strokeOf` for canonical strokes. */
export const pressOf = (stroke: Stroke): KeyPress =>
  (stroke.length > 1 && stroke.startsWith("<") ? bracketAt(stroke, 0)?.press : undefined) ?? { key: stroke }
