import { describe, expect, it } from "vitest"
import type { Palette, ThemeColour } from "../../../src/tui/theme/palette.ts"
import { DARK, DARK_DALTONIZED, HIGH_CONTRAST_DARK } from "../../../src/tui/theme/dark.ts"
import { DARK_ANSI, LIGHT_ANSI, MONO } from "../../../src/tui/theme/ansi.ts"
import { HIGH_CONTRAST_LIGHT, LIGHT, LIGHT_DALTONIZED } from "../../../src/tui/theme/light.ts"
import type { Role } from "../../../src/tui/theme/roles.ts"

/** Which pairs are ever read: every text role on the terminal's ground, and what is written on coloured grounds. */
const TEXT: ReadonlyArray<Role> = [
  "text", "claude", "inactive", "subtle", "suggestion", "permission", "remember", "success", "error", "warning", "merged",
  "planMode", "autoAccept", "bashBorder", "ide", "fastMode", "briefLabelYou", "briefLabelClaude", "paneTitle", "mark",
  "control", "badge", "fold", "lineNumber", "destructive", "code", "string", "keyword", "number", "comment", "function",
  "type", "heading", "link", "quote"
]
const GROUNDS: ReadonlyArray<Role> = [
  "diffAdded", "diffRemoved", "diffAddedDimmed", "diffRemovedDimmed", "diffAddedWord", "diffRemovedWord",
  "userMessageBackground", "userMessageBackgroundHover", "bashMessageBackgroundColor", "memoryBackgroundColor",
  "selectionBg", "cursorLine", "searchMatch", "searchCurrent"
]
const ON_GROUNDS: ReadonlyArray<Role> = ["text", "code", "heading"]

const channel = (value: number): number => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

const luminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => channel(Number.parseInt(hex.slice(at, at + 2), 16) / 255))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const contrast = (a: string, b: string): number => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

/** What a terminal of that kind usually shows where nothing is set. */
interface Ground {
  readonly foreground: string
  readonly backgrounds: ReadonlyArray<string>
}
const ON_DARK: Ground = { foreground: "#d8dee6", backgrounds: ["#000000", "#1e1e1e"] }
const ON_LIGHT: Ground = { foreground: "#1f2328", backgrounds: ["#ffffff", "#fafafa"] }

const hexOf = (colour: ThemeColour, fallback: string): string => (colour.startsWith("#") ? colour : fallback)

const weakPairs = (palette: Palette, ground: Ground, least: number): ReadonlyArray<string> => {
  const fg = (role: Role): string => hexOf(palette[role], ground.foreground)
  const plain = TEXT.flatMap((role) => ground.backgrounds.map((bg) => [role, "terminal", contrast(fg(role), bg)] as const))
  const coloured = GROUNDS.flatMap((on) =>
    ON_GROUNDS.map((role) => [role, on, contrast(fg(role), hexOf(palette[on], "#808080"))] as const)
  )
  return [...plain, ...coloured].filter(([, , ratio]) => ratio < least).map(([a, b, r]) => `${a} on ${b}: ${r.toFixed(2)}`)
}

describe("themes", () => {
  it.each([
    ["dark", DARK, ON_DARK, 4.5],
    ["dark-daltonized", DARK_DALTONIZED, ON_DARK, 4.5],
    ["high-contrast-dark", HIGH_CONTRAST_DARK, ON_DARK, 7],
    ["light", LIGHT, ON_LIGHT, 4.5],
    ["light-daltonized", LIGHT_DALTONIZED, ON_LIGHT, 4.5],
    ["high-contrast-light", HIGH_CONTRAST_LIGHT, ON_LIGHT, 7]
  ] as const)("%s is readable", (_name, palette, ground, least) => {
    expect(weakPairs(palette, ground, least)).toEqual([])
  })

  it.each([["dark", DARK_DALTONIZED], ["light", LIGHT_DALTONIZED]] as const)(
    "the daltonized %s theme tells added from removed by lightness too",
    (_name, palette) => {
      expect(contrast(palette.diffAdded, palette.diffRemoved)).toBeGreaterThan(1.1)
    }
  )

  it("ansi themes use the terminal's own colours only, mono none", () => {
    for (const palette of [DARK_ANSI, LIGHT_ANSI]) {
      expect(Object.values(palette).every((colour) => /^(?:default|ansi:(?:1[0-5]|\d))$/.test(colour))).toBe(true)
    }
    expect(new Set(Object.values(MONO))).toEqual(new Set(["default"]))
  })
})
