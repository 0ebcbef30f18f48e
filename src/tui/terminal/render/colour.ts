import type { Colour } from "../../screen/style/row.ts"
import type { ColourDepth } from "../../screen/style/theme.ts"

/**
 * Colours for terminals with fewer of them. 24-bit colours become the nearest of the 240 fixed palette entries as the
 * eye sees it. With sixteen colours the theme says which entry keeps the meaning; only foreign colours are measured.
 */
export type Palette16 = ReadonlyMap<Colour, number>

type Triple = readonly [number, number, number]

const RGB_FLAG = 0x1000000
export const isRgb = (colour: Colour): boolean => colour >= RGB_FLAG

export const channelsOf = (colour: Colour): Triple => [(colour >> 16) & 0xff, (colour >> 8) & 0xff, colour & 0xff]

/** The sixteen colours as most terminals ship them; users change them, so this is only a measure of last resort. */
const SYSTEM_COLOURS: ReadonlyArray<Triple> = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255]
]

const CUBE_FIRST = 16
const GREY_FIRST = 232
const PALETTE_SIZE = 256

const cubeLevel = (step: number): number => (step === 0 ? 0 : 55 + 40 * step)

const paletteChannels = (entry: number): Triple => {
  const system = SYSTEM_COLOURS[entry]
  if (system !== undefined) return system
  if (entry >= GREY_FIRST) {
    const grey = 8 + 10 * (entry - GREY_FIRST)
    return [grey, grey, grey]
  }
  const cube = entry - CUBE_FIRST
  return [cubeLevel(Math.floor(cube / 36)), cubeLevel(Math.floor(cube / 6) % 6), cubeLevel(cube % 6)]
}

const linear = (channel: number): number => {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const cubeRoot = (share: number): number => (share > 216 / 24389 ? Math.cbrt(share) : ((24389 / 27) * share + 16) / 116)

/** CIELAB under D65. */
const labOf = ([red, green, blue]: Triple): Triple => {
  const [r, g, b] = [linear(red), linear(green), linear(blue)]
  const x = cubeRoot((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
  const y = cubeRoot(0.2126729 * r + 0.7151522 * g + 0.072175 * b)
  const z = cubeRoot((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const distance = (a: Triple, b: Triple): number => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2

/** The palette as the eye sees it; measured once, when the first colour has to be replaced. */
let paletteLabs: ReadonlyArray<Triple> | undefined

const paletteLab = (entry: number): Triple => {
  paletteLabs ??= Array.from({ length: PALETTE_SIZE }, (_, each) => labOf(paletteChannels(each)))
  return paletteLabs[entry] ?? [0, 0, 0]
}

const nearest = (colour: Triple, first: number, end: number): number => {
  const lab = labOf(colour)
  let best = first
  let least = Number.POSITIVE_INFINITY
  for (let entry = first; entry < end; entry++) {
    const away = distance(lab, paletteLab(entry))
    if (away < least) {
      least = away
      best = entry
    }
  }
  return best
}

/** The colour to send at a depth, or undefined for none. */
export const degrade = (colour: Colour, depth: ColourDepth, palette16: Palette16): Colour | undefined => {
  if (depth === "none") return undefined
  if (depth === "24bit" || colour < CUBE_FIRST) return colour
  if (depth === "256") return isRgb(colour) ? nearest(channelsOf(colour), CUBE_FIRST, PALETTE_SIZE) : colour
  const meant = palette16.get(colour)
  return meant ?? nearest(isRgb(colour) ? channelsOf(colour) : paletteChannels(colour), 0, CUBE_FIRST)
}
