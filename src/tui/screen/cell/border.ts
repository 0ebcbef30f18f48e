/**
 * Lines around panes and dialogs. Lines of one set join where they meet: a cell is the set of its arms, and drawing
 * over a line adds arms.
 */
export type Borders = "line" | "ascii" | "dialog" | "asciiDialog" | "none"

export const ARM = { up: 1, right: 2, down: 4, left: 8 } as const

/** The glyphs of a set by arms, from none to all four. */
const GLYPHS: Readonly<Record<Exclude<Borders, "none">, string>> = {
  line: " ╵╶└╷│┌├╴┘─┴┐┤┬┼",
  ascii: " |-+||++-+-+++++",
  dialog: " ║═╚║║╔╠═╝═╩╗╣╦╬",
  asciiDialog: " ###############"
}

/** Only the thin lines can be read back: the other sets use one glyph for several shapes, or stand alone. */
const LINE_ARMS = new Map(Array.from(GLYPHS.line, (glyph, arms) => [glyph, arms] as const))

export const borderGlyph = (borders: Exclude<Borders, "none">, arms: number, under: string): string => {
  const joined = borders === "line" ? arms | (LINE_ARMS.get(under) ?? 0) : arms
  if (borders === "ascii" && isAsciiCrossing(arms, under)) return "+"
  return GLYPHS[borders][joined] ?? " "
}

const UPRIGHT = ARM.up | ARM.down
const LEVEL = ARM.left | ARM.right

const isAsciiCrossing = (arms: number, under: string): boolean =>
  under === "+" || (under === "|" && (arms & LEVEL) !== 0) || (under === "-" && (arms & UPRIGHT) !== 0)
