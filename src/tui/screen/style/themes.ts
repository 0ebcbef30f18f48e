import type { Style } from "./style.ts"
import type { Colour, Look } from "./row.ts"
import { DARK_ANSI, LIGHT_ANSI, MONO } from "./ansi-palettes.ts"
import { CUBE_CHOICES } from "./cube-colours.ts"
import { DARK, DARK_DALTONIZED, HIGH_CONTRAST_DARK } from "./dark.ts"
import { HIGH_CONTRAST_LIGHT, LIGHT, LIGHT_DALTONIZED } from "./light.ts"
import { type Palette, type ThemeColour, type ThemeName } from "./palette.ts"
import type { Role } from "./roles.ts"
import { attributesOf, type Theme, type ColourDepth } from "./theme.ts"

const PALETTES: Readonly<Record<ThemeName, Palette>> = {
  dark: DARK,
  light: LIGHT,
  "dark-daltonized": DARK_DALTONIZED,
  "light-daltonized": LIGHT_DALTONIZED,
  "dark-ansi": DARK_ANSI,
  "light-ansi": LIGHT_ANSI,
  "high-contrast-dark": HIGH_CONTRAST_DARK,
  "high-contrast-light": HIGH_CONTRAST_LIGHT,
  mono: MONO
}

const TRUE_COLOUR = 0x1000000

const colourOf = (colour: ThemeColour): Colour | undefined => {
  if (colour === "default") return undefined
  if (colour.startsWith("#")) return TRUE_COLOUR | Number.parseInt(colour.slice(1), 16)
  return Number(colour.slice("ansi:".length))
}

const isLight = (name: ThemeName): boolean => name.includes("light")

/** Without grounds to paint, what a ground would show is shown by the pen: nothing may be lost without colour. */
const GROUND_ATTRIBUTES: Partial<Readonly<Record<Role, Style>>> = {
  selectionBg: { inverse: true },
  searchMatch: { underline: "single" },
  searchCurrent: { inverse: true },
  cursorLine: { bold: true },
  diffAddedWord: { underline: "single" },
  diffRemovedWord: { underline: "single" }
}

/** Where no ground shows what came and what went, the ink of the whole line does, whatever its words are. */
const GROUND_INK: Partial<Readonly<Record<Role, Role>>> = {
  diffAdded: "success",
  diffAddedWord: "success",
  diffRemoved: "error",
  diffRemovedWord: "error"
}

/** Chrome and side remarks step back by dimness where they cannot by colour. */
const QUIET: ReadonlySet<Role> = new Set<Role>([
  "inactive",
  "subtle",
  "paneBorder",
  "fold",
  "lineNumber",
  "gutter",
  "comment",
  "tableBorder",
  "rate_limit_empty",
  "quote"
])
const LOUD: ReadonlySet<Role> = new Set<Role>([
  "error",
  "warning",
  "heading",
  "keyword",
  "codeSpan",
  "destructive",
  "badge",
  "permission",
  "paneBorderFocused"
])

const substitute = (role: Role): Style => {
  // What stands for a character without a shape must not look like text that somebody wrote.
  if (role === "control") return { inverse: true }
  if (QUIET.has(role)) return { dim: true }
  return LOUD.has(role) ? { bold: true } : {}
}

const makeTheme = (name: string, palette: Palette): Theme => {
  const styleOf = (look: Look): Style => {
    const background = look.background === undefined ? undefined : colourOf(palette[look.background])
    const ink = look.background === undefined || background !== undefined ? undefined : GROUND_INK[look.background]
    const foreground = colourOf(palette[ink ?? look.role])
    const ground =
      look.background === undefined || background !== undefined ? {} : (GROUND_ATTRIBUTES[look.background] ?? {})
    return {
      ...(foreground === undefined ? substitute(look.role) : { foreground }),
      ...(background === undefined ? ground : { background }),
      ...attributesOf(look)
    }
  }
  return { name, styleOf, palette16: new Map() }
}

const made = new Map<Palette, Theme>()

const themeOf = (name: ThemeName, palette: Palette = PALETTES[name]): Theme => {
  const known = made.get(palette)
  if (known !== undefined) return known
  const theme = makeTheme(name, palette)
  made.set(palette, theme)
  return theme
}

const inCube = new Map<ThemeName, Palette>()

/** The palette of a theme for terminals with 256 fixed colours. */
const cubePalette = (name: ThemeName): Palette => {
  const palette = inCube.get(name) ?? { ...PALETTES[name], ...CUBE_CHOICES[name] }
  inCube.set(name, palette)
  return palette
}

/** The theme as this terminal can show it: with few colours the terminal's own, with none only the pen. */
export const themeFor = (name: ThemeName, colours: ColourDepth): Theme => {
  if (colours === "none") return themeOf("mono")
  if (colours === "256") return themeOf(name, cubePalette(name))
  if (colours !== "16" || name === "mono") return themeOf(name)
  return themeOf(isLight(name) ? "light-ansi" : "dark-ansi")
}
