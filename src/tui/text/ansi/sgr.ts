/** Colours and traits as programs ask for them with SGR sequences, as looks. */
import type { Trait } from "../../screen/style/look.ts"
import type { Colour, Look } from "../../screen/style/row.ts"

export type Graphics = Readonly<Partial<Record<Trait, true>>> & {
  readonly foreground?: Colour
  readonly ground?: Colour
}

export const PLAIN_GRAPHICS: Graphics = {}

type Changing = { -readonly [Key in keyof Graphics]: Graphics[Key] }

const SET: Readonly<Record<number, Trait>> = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  7: "inverse",
  9: "strike",
  21: "underline"
}
const CLEAR: Readonly<Record<number, ReadonlyArray<Trait>>> = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  27: ["inverse"],
  29: ["strike"]
}

const RGB = 0x100_0000
const byte = (value: number | undefined): number => Math.min(255, Math.max(0, value ?? 0))

/** Reads the colour behind 38 or 48: `5;n` or `2;r;g;b`. Returns how many numbers it took. */
const extended = (codes: ReadonlyArray<number>, at: number): readonly [taken: number, colour: Colour | undefined] => {
  if (codes[at] === 5) return [2, byte(codes[at + 1])]
  if (codes[at] !== 2) return [1, undefined]
  return [4, RGB | (byte(codes[at + 1]) << 16) | (byte(codes[at + 2]) << 8) | byte(codes[at + 3])]
}

const setColour = (graphics: Changing, key: "foreground" | "ground", colour: Colour | undefined): void => {
  if (colour === undefined) delete graphics[key]
  else graphics[key] = colour
}

/** The 8 colours and their bright variants; 39 and 49 take the colour away. */
const basicColour = (graphics: Changing, code: number): void => {
  if ((code >= 30 && code <= 37) || code === 39) setColour(graphics, "foreground", code === 39 ? undefined : code - 30)
  else if ((code >= 40 && code <= 47) || code === 49) setColour(graphics, "ground", code === 49 ? undefined : code - 40)
  else if (code >= 90 && code <= 97) setColour(graphics, "foreground", code - 82)
  else if (code >= 100 && code <= 107) setColour(graphics, "ground", code - 92)
}

const UNDERLINE_COLOUR = 58

const applyOne = (graphics: Changing, codes: ReadonlyArray<number>, at: number): number => {
  const code = codes[at] ?? 0
  if (code === 38 || code === 48 || code === UNDERLINE_COLOUR) {
    const [taken, colour] = extended(codes, at + 1)
    if (code !== UNDERLINE_COLOUR) setColour(graphics, code === 38 ? "foreground" : "ground", colour)
    return at + 1 + taken
  }
  const trait = SET[code]
  if (code === 0) for (const key of Object.keys(graphics)) Reflect.deleteProperty(graphics, key)
  else if (trait !== undefined) graphics[trait] = true
  else if (CLEAR[code] !== undefined) for (const cleared of CLEAR[code] ?? []) delete graphics[cleared]
  else basicColour(graphics, code)
  return at + 1
}

/** `4:3` is a kind of underline, `38:2::r:g:b` a colour with an empty colour space. */
const codesOf = (parameters: string): ReadonlyArray<number> =>
  parameters.split(";").flatMap((field) => {
    const parts = field.split(":")
    if (parts.length === 1) return [Number(field) || 0]
    if (parts[0] === "4") return [parts[1] === "0" ? 24 : 4]
    const colour = parts[1] === "2" && parts.length > 5 ? [parts[0], parts[1], ...parts.slice(3)] : parts
    return colour.map((part) => Number(part) || 0)
  })

export const applySgr = (before: Graphics, parameters: string): Graphics => {
  const graphics: Changing = { ...before }
  const codes = codesOf(parameters)
  for (let at = 0; at < codes.length;) at = applyOne(graphics, codes, at)
  return graphics
}

const looks = new WeakMap<Look, Map<string, Look>>()
/** Programs that paint gradients would fill it without end. */
const MOST_LOOKS = 4_096

/** One object for the same graphics over the same base. */
export const lookOfGraphics = (graphics: Graphics, base: Look): Look => {
  const key = JSON.stringify(Object.entries(graphics).sort(([a], [b]) => (a < b ? -1 : 1)))
  if (key === "[]") return base
  const before = looks.get(base)
  const known = before === undefined || before.size >= MOST_LOOKS ? new Map<string, Look>() : before
  if (known !== before) looks.set(base, known)
  const found = known.get(key)
  if (found !== undefined) return found
  const made: Look = { ...base, ...graphics }
  known.set(key, made)
  return made
}
