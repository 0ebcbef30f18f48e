import { describe, expect, it } from "vitest"
import type { Palette, ThemeColour } from "../../../../src/tui/screen/style/palette.ts"
import { DARK, DARK_DALTONIZED, HIGH_CONTRAST_DARK } from "../../../../src/tui/screen/style/dark.ts"
import { DARK_ANSI, LIGHT_ANSI, MONO } from "../../../../src/tui/screen/style/ansi-palettes.ts"
import { HIGH_CONTRAST_LIGHT, LIGHT, LIGHT_DALTONIZED } from "../../../../src/tui/screen/style/light.ts"
import type { Role } from "../../../../src/tui/screen/style/roles.ts"
import { degrade } from "../../../../src/tui/terminal/render/colour.ts"
import type { Look } from "../../../../src/tui/screen/style/row.ts"
import type { Theme } from "../../../../src/tui/screen/style/theme.ts"
import { themeFor } from "../../../../src/tui/screen/style/themes.ts"

/** Which pairs are ever read: every text role on the terminal's ground, and what is written on coloured grounds. */
const TEXT: ReadonlyArray<Role> = [
  "text",
  "claude",
  "inactive",
  "subtle",
  "suggestion",
  "permission",
  "remember",
  "success",
  "error",
  "warning",
  "merged",
  "planMode",
  "autoAccept",
  "bashBorder",
  "ide",
  "fastMode",
  "briefLabelYou",
  "briefLabelClaude",
  "paneTitle",
  "mark",
  "control",
  "badge",
  "fold",
  "lineNumber",
  "destructive",
  "code",
  "codeSpan",
  "string",
  "keyword",
  "number",
  "comment",
  "function",
  "type",
  "heading",
  "link",
  "quote"
]
const GROUNDS: ReadonlyArray<Role> = [
  "diffAdded",
  "diffRemoved",
  "diffAddedDimmed",
  "diffRemovedDimmed",
  "diffAddedWord",
  "diffRemovedWord",
  "userMessageBackground",
  "userMessageBackgroundHover",
  "bashMessageBackgroundColor",
  "memoryBackgroundColor",
  "selectionBg",
  "cursorLine",
  "searchMatch",
  "searchCurrent"
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

  it.each([
    ["dark", DARK_DALTONIZED],
    ["light", LIGHT_DALTONIZED]
  ] as const)("the daltonized %s theme tells added from removed by lightness too", (_name, palette) => {
    expect(contrast(palette.diffAdded, palette.diffRemoved)).toBeGreaterThan(1.1)
  })

  it("ansi themes use the terminal's own colours only, mono none", () => {
    for (const palette of [DARK_ANSI, LIGHT_ANSI]) {
      expect(Object.values(palette).every((colour) => /^(?:default|ansi:(?:1[0-5]|\d))$/.test(colour))).toBe(true)
    }
    expect(new Set(Object.values(MONO))).toEqual(new Set(["default"]))
  })

  /** The fixed part of the palette, as terminals agree on it. */
  const cubeHex = (entry: number): string => {
    const level = (step: number): number => (step === 0 ? 0 : 55 + 40 * step)
    const at = entry - 16
    const grey = 8 + 10 * (entry - 232)
    const channels =
      entry >= 232 ? [grey, grey, grey] : [level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6)]
    return `#${channels.map((each) => each.toString(16).padStart(2, "0")).join("")}`
  }

  const shownOf = (theme: Theme, look: Look, depth: "256" | "16") => {
    const { foreground, background } = theme.styleOf(look)
    const sent = (colour: number | undefined) => (colour === undefined ? undefined : degrade(colour, depth, theme.palette16))
    return { foreground: sent(foreground), background: sent(background) }
  }

  const isGrey = (hex: string): boolean => hex.slice(1, 3) === hex.slice(3, 5) && hex.slice(3, 5) === hex.slice(5, 7)

  it.each(["dark", "light", "dark-daltonized", "light-daltonized", "high-contrast-dark", "high-contrast-light"] as const)(
    "%s tells what came from what went, and what is found from what is selected, in 256 colours",
    (name) => {
      const theme = themeFor(name, "256")
      const ground = (background: Role): string =>
        cubeHex(shownOf(theme, { role: "text", background }, "256").background ?? 0)
      const ink = (role: Role): string => cubeHex(shownOf(theme, { role }, "256").foreground ?? 0)
      const diffs = ["diffAdded", "diffRemoved", "diffAddedWord", "diffRemovedWord"] as const
      expect(diffs.map(ground).filter(isGrey)).toEqual([])
      expect(new Set(diffs.map(ground)).size).toBe(4)
      expect(new Set((["selectionBg", "searchMatch", "searchCurrent", "cursorLine"] as const).map(ground)).size).toBe(4)
      const { foreground } = name.includes("dark") ? ON_DARK : ON_LIGHT
      for (const each of diffs) expect(contrast(foreground, ground(each))).toBeGreaterThan(4.5)
      for (const each of ["diffAdded", "diffRemoved"] as const)
        expect(contrast(ink("comment"), ground(each))).toBeGreaterThan(3)
    }
  )

  it.each(["dark", "light", "high-contrast-dark", "light-ansi"] as const)(
    "%s tells them by the ink in sixteen colours",
    (name) => {
      const theme = themeFor(name, "16")
      const inkOn = (background: Role, role: Role) => shownOf(theme, { role, background }, "16").foreground
      for (const role of ["text", "keyword", "string"] as const) {
        expect(inkOn("diffAdded", role)).toBe(shownOf(theme, { role: "success" }, "16").foreground)
        expect(inkOn("diffRemoved", role)).toBe(shownOf(theme, { role: "error" }, "16").foreground)
      }
      expect(shownOf(theme, { role: "codeSpan" }, "16").foreground).not.toBe(
        shownOf(theme, { role: "text" }, "16").foreground
      )
    }
  )

  it("a sign for a character without a shape is told from text without colours too", () => {
    expect(themeFor("dark", "none").styleOf({ role: "control" })).toEqual({ inverse: true })
  })

  it("code in a sentence is told from the sentence without colours too", () => {
    expect(themeFor("dark", "none").styleOf({ role: "codeSpan" })).not.toEqual(
      themeFor("dark", "none").styleOf({ role: "text" })
    )
  })
})
