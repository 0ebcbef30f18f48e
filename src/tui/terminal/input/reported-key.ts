import type { KeyPress } from "../../keymap/stroke.ts"
import type { InputEvent } from "./event.ts"
import { heldModifiers, kindOf, numberAt, type Fields } from "./modifiers.ts"
import { isControl, keyEvent } from "./decode-work.ts"

/**
 * Keys reported by number: kitty's `CSI key:shifted:base ; modifiers:kind ; text u`, and xterm's modifyOtherKeys as
 * `CSI 27 ; modifiers ; key ~`. Both give the strokes that the legacy encodings give.
 */
const NAMED_CODES: ReadonlyMap<number, string> = new Map([
  [8, "BS"],
  [9, "Tab"],
  [13, "CR"],
  [27, "Esc"],
  [127, "BS"],
  ...Array.from({ length: 23 }, (_, index) => [57376 + index, `F${index + 13}`] as const),
  ..."0123456789./*-+".split("").map((key, index) => [57399 + index, key] as const),
  [57414, "CR"],
  [57415, "="],
  [57416, ","],
  ...["Left", "Right", "Up", "Down", "PageUp", "PageDown", "Home", "End", "Insert", "Del"].map(
    (key, index) => [57417 + index, key] as const
  )
])

/** Kitty numbers keys without a character in this range; those that are not in the table mean nothing here. */
const isFunctional = (code: number): boolean => code >= 57344 && code <= 63743

const isCharacter = (code: number): boolean =>
  Number.isInteger(code) && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && !isControl(code)

const characterOf = (code: number | undefined): string | undefined =>
  code === undefined || !isCharacter(code) || isFunctional(code) ? undefined : String.fromCodePoint(code)

const textOf = (codes: ReadonlyArray<number | undefined>): string | undefined => {
  const characters = codes.flatMap((code) => (code !== undefined && isCharacter(code) ? code : []))
  return characters.length === 0 ? undefined : String.fromCodePoint(...characters)
}

/** On a layout of other letters a shortcut is found by the key's place, when the terminal says it. */
const shortcutKey = (key: string, base: string | undefined): string =>
  base !== undefined && (key.codePointAt(0) ?? 0) >= 0x80 ? base : key

interface Reported {
  readonly press: KeyPress
  readonly text: string | undefined
}

const kittyPress = (fields: Fields): Reported | undefined => {
  const [codes = [], , texts = []] = fields
  const { capsLock, ...held } = heldModifiers(numberAt(fields, 1, 1))
  const named = NAMED_CODES.get(codes[0] ?? 0)
  const key = named ?? characterOf(codes[0])
  if (key === undefined) return undefined
  const isShortcut = held.ctrl || held.alt || held.cmd
  if (isShortcut) return { press: { ...held, key: named ?? shortcutKey(key, characterOf(codes[2])) }, text: undefined }
  const text = textOf(texts)
  if (named !== undefined && named.length > 1) return { press: { ...held, key }, text: undefined }
  if (text !== undefined && text !== " ") return { press: { key: text }, text }
  const shifted = held.shift ? characterOf(codes[1]) : undefined
  if (shifted !== undefined) return { press: { key: shifted }, text: undefined }
  const isLetter = key.toLowerCase() !== key.toUpperCase()
  return { press: { ...held, key, shift: held.shift !== (capsLock && isLetter) }, text: undefined }
}

export const kittyKey = (fields: Fields, alt: boolean): InputEvent | undefined => {
  const reported = kittyPress(fields)
  if (reported === undefined) return undefined
  const press = alt ? { ...reported.press, alt } : reported.press
  return keyEvent(press, kindOf(fields[1]?.[1]), alt ? undefined : reported.text)
}

/** xterm reports the character that Shift already made: the modifier adds nothing to it, except to a letter. */
export const modifiedOtherKey = (fields: Fields, alt: boolean): InputEvent | undefined => {
  const held = heldModifiers(numberAt(fields, 1, 1))
  const code = numberAt(fields, 2, 0)
  const named = NAMED_CODES.get(code)
  if (named !== undefined && code < 0x80) return keyEvent({ ...held, key: named, alt: held.alt || alt })
  const key = characterOf(code)
  if (key === undefined) return undefined
  const keepsShift = key === " " || key.toLowerCase() !== key.toUpperCase()
  return keyEvent({ ...held, key, shift: held.shift && keepsShift, alt: held.alt || alt })
}
