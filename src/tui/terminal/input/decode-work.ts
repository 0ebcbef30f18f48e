import { strokeOf, strokeOfCharacter, type KeyPress, type Stroke } from "../../keymap/stroke.ts"
import type { InputEvent, KeyKind } from "./event.ts"
import type { DecodeOptions, Phase } from "./state.ts"

/** The decoder at work on one read: the only mutable thing of this folder, and it never leaves `decode`. */
export interface Work {
  readonly now: number
  readonly events: Array<InputEvent>
  options: DecodeOptions
  phase: Phase
}

/** Takes bytes from a place on, one or more or a change of phase, and says where it stopped. */
export type PhaseHandler<Tag extends Phase["_tag"]> = (
  work: Work,
  phase: Extract<Phase, { _tag: Tag }>,
  input: { readonly bytes: Uint8Array; readonly at: number }
) => number

export const GROUND: Phase = { _tag: "Ground" }

/** What a text field would insert: the character that Shift made, nothing for shortcuts and named keys. */
const textOf = (press: KeyPress, stroke: Stroke): string | undefined => {
  if (press.ctrl === true || press.alt === true || press.cmd === true) return undefined
  if (press.key === " ") return " "
  return stroke.startsWith("<") && stroke.length > 1 ? undefined : stroke
}

export const keyEvent = (press: KeyPress, kind: KeyKind = "press", text?: string): InputEvent => {
  const stroke = strokeOf(press)
  const inserted = text ?? textOf(press, stroke)
  return inserted === undefined || kind === "release"
    ? { _tag: "Key", stroke, kind }
    : { _tag: "Key", stroke, kind, text: inserted }
}

export const emit = (work: Work, events: Iterable<InputEvent>): void => {
  for (const event of events) work.events.push(event)
}

export const unknown = (bytes: Uint8Array): InputEvent => ({ _tag: "Unknown", bytes })

export const unknownText = (text: string): InputEvent =>
  unknown(Uint8Array.from(text, (character) => character.charCodeAt(0)))

export const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code < 0xa0)

/** The key behind a byte below 0x20 or 0x7f. */
export const controlPress = (byte: number, options: DecodeOptions): KeyPress => {
  if (byte === 0x08) return { key: "BS", ctrl: options.bsIsCtrlBackspace }
  if (byte === 0x7f) return { key: "BS" }
  if (byte === 0x0d) return { key: "CR" }
  if (byte === 0x09) return { key: "Tab" }
  if (byte === 0x00) return { key: " ", ctrl: true }
  return { key: String.fromCharCode(byte + 0x40).toLowerCase(), ctrl: true }
}

/** The key behind one typed character or cluster, with Alt when ESC came before it. */
export const characterEvent = (character: string, options: DecodeOptions, alt: boolean): InputEvent => {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20 || code === 0x7f) return keyEvent({ ...controlPress(code, options), alt })
  if (isControl(code)) return unknown(new TextEncoder().encode(character))
  if (!alt) return { _tag: "Key", stroke: strokeOfCharacter(character), kind: "press", text: character }
  const isCapital = character !== character.toLowerCase()
  return keyEvent({ key: character, alt, shift: isCapital })
}
