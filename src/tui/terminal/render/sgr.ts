import { DEFAULT_STYLE, type Style, type UnderlineKind } from "../../screen/style/style.ts"
import type { Colour } from "../../screen/style/row.ts"
import type { Capabilities } from "./capabilities.ts"
import { channelsOf, degrade, isRgb, type Palette16 } from "./colour.ts"
import { CSI, STYLE_RESET } from "./sequence.ts"

/** The sequences between two styles: the shorter of saying what changes and of starting anew. */
export interface Sgr {
  readonly transition: (from: Style, to: Style) => string
}

/** One independent part of a style: the code that sets it, empty when it is off, and the code that turns it off. */
interface Slot {
  readonly on: (style: Style) => string
  readonly off: string
}

const UNDERLINES: Readonly<Record<UnderlineKind, string>> = { single: "4", double: "4:2", curly: "4:3", dotted: "4:4" }

const colourCode = (colour: Colour | undefined, ground: 30 | 40): string => {
  if (colour === undefined) return ""
  if (isRgb(colour)) return `${ground + 8};2;${channelsOf(colour).join(";")}`
  if (colour < 8) return `${ground + colour}`
  return colour < 16 ? `${ground + 60 + colour - 8}` : `${ground + 8};5;${colour}`
}

const underlineColourCode = (colour: Colour | undefined): string => {
  if (colour === undefined) return ""
  return isRgb(colour) ? `58:2::${channelsOf(colour).join(":")}` : `58:5:${colour}`
}

const SLOTS: ReadonlyArray<Slot> = [
  // Bold and dim share the code that turns them off, so they are one slot.
  { on: ({ bold, dim }) => [bold ? "1" : "", dim ? "2" : ""].filter(Boolean).join(";"), off: "22" },
  { on: ({ italic }) => (italic ? "3" : ""), off: "23" },
  { on: ({ underline }) => (underline === undefined ? "" : UNDERLINES[underline]), off: "24" },
  { on: ({ inverse }) => (inverse ? "7" : ""), off: "27" },
  { on: ({ strike }) => (strike ? "9" : ""), off: "29" },
  { on: ({ foreground }) => colourCode(foreground, 30), off: "39" },
  { on: ({ background }) => colourCode(background, 40), off: "49" },
  { on: ({ underlineColour }) => underlineColourCode(underlineColour), off: "59" }
]

const WEIGHT = SLOTS[0]

const change = (slot: Slot, from: Style, to: Style): string => {
  const before = slot.on(from)
  const after = slot.on(to)
  if (before === after) return ""
  if (after === "") return slot.off
  const loses = slot === WEIGHT && before !== "" && !(after.startsWith(before) || after.endsWith(before))
  if (loses || (slot === WEIGHT && after.length < before.length)) return `${slot.off};${after}`
  return after
}

const joined = (codes: ReadonlyArray<string>): string => codes.filter((code) => code !== "").join(";")

const shortest = (from: Style, to: Style): string => {
  const delta = joined(SLOTS.map((slot) => change(slot, from, to)))
  if (delta === "") return ""
  const whole = joined(SLOTS.map((slot) => slot.on(to)))
  if (whole === "") return STYLE_RESET
  const anew = `0;${whole}`
  return `${CSI}${delta.length <= anew.length ? delta : anew}m`
}

/** The style as this terminal can show it. */
const shownAs = (style: Style, caps: Capabilities, palette16: Palette16): Style => {
  const { foreground, background, underlineColour, underline, strike, ...flags } = style
  const colour = (value: Colour | undefined) =>
    value === undefined ? undefined : degrade(value, caps.colourDepth, palette16)
  const [front, back] = [colour(foreground), colour(background)]
  const line = caps.underlineColour ? colour(underlineColour) : undefined
  return {
    ...flags,
    ...(front === undefined ? {} : { foreground: front }),
    ...(back === undefined ? {} : { background: back }),
    ...(line === undefined ? {} : { underlineColour: line }),
    ...(underline === undefined ? {} : { underline: caps.underlineStyles ? underline : "single" }),
    ...(strike === undefined ? {} : caps.strike ? { strike } : { dim: true })
  }
}

const makeSgr = (caps: Capabilities, palette16: Palette16): Sgr => {
  const shown = new WeakMap<Style, Style>()
  const known = new WeakMap<Style, WeakMap<Style, string>>()

  const degraded = (style: Style): Style => {
    const made = shown.get(style) ?? shownAs(style, caps, palette16)
    shown.set(style, made)
    return made
  }

  const transition = (from: Style, to: Style): string => {
    const fromHere = known.get(from) ?? new WeakMap<Style, string>()
    const cached = fromHere.get(to)
    if (cached !== undefined) return cached
    known.set(from, fromHere)
    const sequence = shortest(degraded(from), degraded(to))
    fromHere.set(to, sequence)
    return sequence
  }

  return { transition }
}

const tables = new WeakMap<Capabilities, WeakMap<Palette16, Sgr>>()

export const sgrFor = (caps: Capabilities, palette16: Palette16): Sgr => {
  const byPalette = tables.get(caps) ?? new WeakMap<Palette16, Sgr>()
  tables.set(caps, byPalette)
  const sgr = byPalette.get(palette16) ?? makeSgr(caps, palette16)
  byPalette.set(palette16, sgr)
  return sgr
}

/** Interned erase styles, so that the cache above can work. */
const grounds = new Map<Colour, Style>()

export const groundStyle = (background: Colour | undefined): Style => {
  if (background === undefined) return DEFAULT_STYLE
  const style = grounds.get(background) ?? { background }
  grounds.set(background, style)
  return style
}
