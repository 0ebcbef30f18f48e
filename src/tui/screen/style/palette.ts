import type { Role } from "./roles.ts"

/** A colour of a theme: 24-bit, one of the terminal's own sixteen, or whatever the terminal uses anyway. */
export type ThemeColour = `#${string}` | `ansi:${number}` | "default"

export type Palette = Readonly<Record<Role, ThemeColour>>

export const THEME_NAMES = [
  "dark",
  "light",
  "dark-daltonized",
  "light-daltonized",
  "dark-ansi",
  "light-ansi",
  "high-contrast-dark",
  "high-contrast-light",
  "mono"
] as const

export type ThemeName = (typeof THEME_NAMES)[number]
