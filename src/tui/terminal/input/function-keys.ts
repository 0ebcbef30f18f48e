import type { KeyPress } from "../../keymap/stroke.ts"
import type { InputEvent } from "./event.ts"
import { heldModifiers, kindOf, numberAt, type Fields } from "./modifiers.ts"
import { keyEvent } from "./decode-work.ts"

/** Keys that are not characters, as terminals have sent them since the VT220: `CSI 1;5 A`, `CSI 3~`, `SS3 P`. */
const BY_LETTER: ReadonlyMap<string, string> = new Map([
  ["A", "Up"],
  ["B", "Down"],
  ["C", "Right"],
  ["D", "Left"],
  ["F", "End"],
  ["H", "Home"],
  ["P", "F1"],
  ["Q", "F2"],
  ["R", "F3"],
  ["S", "F4"]
])

const BY_NUMBER: ReadonlyMap<number, string> = new Map([
  [1, "Home"],
  [2, "Insert"],
  [3, "Del"],
  [4, "End"],
  [5, "PageUp"],
  [6, "PageDown"],
  [7, "Home"],
  [8, "End"],
  ...[11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34].map(
    (number, index) => [number, `F${index + 1}`] as const
  )
])

/** The keypad in application mode; Enter and Tab of it are the keys themselves. */
const KEYPAD: ReadonlyMap<string, string> = new Map([
  [" ", " "],
  ["I", "Tab"],
  ["M", "CR"],
  ["X", "="],
  ..."jklmnopqrstuvwxy".split("").map((letter, index) => [letter, "*+,-./0123456789".charAt(index)] as const)
])

/** rxvt marks modifiers by the letter: `CSI 3^` is Ctrl+Delete, `CSI a` Shift+Up, `SS3 a` Ctrl+Up. */
const RXVT_FINALS: ReadonlyMap<string, Omit<KeyPress, "key">> = new Map([
  ["^", { ctrl: true }],
  ["$", { shift: true }],
  ["@", { ctrl: true, shift: true }]
])

/** The dollar would be the middle of a sequence anywhere else; after the number of a key it ends one. */
export const isRxvtShift = (body: string, character: string): boolean =>
  character === "$" && /^\d+$/.test(body) && BY_NUMBER.has(Number(body))

const modified = (key: string, fields: Fields, alt: boolean): InputEvent => {
  const held = heldModifiers(numberAt(fields, 1, 1))
  return keyEvent({ ...held, key, alt: held.alt || alt }, kindOf(fields[1]?.[1]))
}

/** `CSI … letter` and `CSI number ~`; undefined when it is not a key. */
export const functionKey = (fields: Fields, final: string, alt: boolean): InputEvent | undefined => {
  const numbered = BY_NUMBER.get(numberAt(fields, 0, 0))
  if (final === "~") return numbered === undefined ? undefined : modified(numbered, fields, alt)
  if (final === "Z") return keyEvent({ ...heldModifiers(numberAt(fields, 1, 1)), key: "Tab", shift: true })
  const rxvt = RXVT_FINALS.get(final)
  if (rxvt !== undefined) return numbered === undefined ? undefined : keyEvent({ ...rxvt, key: numbered, alt })
  const shifted = /^[a-d]$/.test(final) ? BY_LETTER.get(final.toUpperCase()) : undefined
  if (shifted !== undefined) return keyEvent({ key: shifted, shift: true, alt })
  const key = BY_LETTER.get(final)
  return key === undefined || numberAt(fields, 0, 1) !== 1 ? undefined : modified(key, fields, alt)
}

/** `SS3 letter`, with the modifier number between them where an old xterm puts it. */
export const ss3Key = (body: string, final: string, alt: boolean): InputEvent | undefined => {
  const held = heldModifiers(body === "" ? 1 : Number(body))
  const controlled = /^[a-d]$/.test(final) ? BY_LETTER.get(final.toUpperCase()) : undefined
  if (controlled !== undefined) return keyEvent({ key: controlled, ctrl: true, alt })
  const key = BY_LETTER.get(final) ?? KEYPAD.get(final)
  return key === undefined ? undefined : keyEvent({ ...held, key, alt: held.alt || alt })
}

/** `CSI [ A` to `CSI [ E` of the Linux console. */
export const consoleKey = (final: string, alt: boolean): InputEvent | undefined => {
  const index = "ABCDE".indexOf(final)
  return index === -1 ? undefined : keyEvent({ key: `F${index + 1}`, alt })
}
