import type { KeyPress } from "../../keymap/stroke.ts"
import type { KeyKind } from "./event.ts"

/** The numbers in a CSI sequence: fields between semicolons, their parts between colons, and what modifiers mean. */
export type Fields = ReadonlyArray<ReadonlyArray<number | undefined>>

const NUMERIC = /^[0-9:;]*$/

/** Undefined when the body has anything but numbers. */
export const readFields = (body: string): Fields | undefined =>
  NUMERIC.test(body)
    ? body.split(";").map((field) => field.split(":").map((part) => (part === "" ? undefined : Number(part))))
    : undefined

export const numberAt = (fields: Fields, index: number, missing: number): number => fields[index]?.[0] ?? missing

type Held = Required<Omit<KeyPress, "key">>

/** The modifier number of xterm and kitty: one more than the bits. Meta counts as Alt, Hyper as Command. */
export const heldModifiers = (value: number): Held & { readonly capsLock: boolean } => {
  const bits = Math.max(0, value - 1)
  return {
    shift: (bits & 1) !== 0,
    alt: (bits & (2 | 32)) !== 0,
    ctrl: (bits & 4) !== 0,
    cmd: (bits & (8 | 16)) !== 0,
    capsLock: (bits & 64) !== 0
  }
}

export const kindOf = (value: number | undefined): KeyKind => (value === 3 ? "release" : value === 2 ? "repeat" : "press")
