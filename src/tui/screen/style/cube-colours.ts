import type { Palette, ThemeName } from "./palette.ts"

/**
 * What the 256 fixed colours cannot come near to. Their darkest green and red are far brighter than the grounds of the
 * themes, so the nearest entry is a grey, and added and removed lines would look alike. Here the meaning is chosen
 * instead of the distance.
 */
type Choice = Partial<Palette>

const DARK_GROUNDS: Choice = {
  diffAdded: "ansi:22",
  diffRemoved: "ansi:52",
  diffAddedDimmed: "ansi:22",
  diffRemovedDimmed: "ansi:52",
  diffAddedWord: "ansi:23",
  diffRemovedWord: "ansi:88",
  comment: "ansi:248"
}

const DARK_BLUE_AND_ORANGE: Choice = {
  ...DARK_GROUNDS,
  diffAdded: "ansi:17",
  diffAddedDimmed: "ansi:17",
  diffAddedWord: "ansi:24",
  diffRemovedWord: "ansi:58"
}

const DARK_IN_CONTRAST: Choice = {
  ...DARK_GROUNDS,
  comment: "ansi:251",
  selectionBg: "ansi:18",
  searchMatch: "ansi:53",
  searchCurrent: "ansi:58"
}

const LIGHT_BLUE_AND_ORANGE: Choice = {
  diffAdded: "ansi:189",
  diffRemoved: "ansi:223",
  diffAddedDimmed: "ansi:189",
  diffRemovedDimmed: "ansi:223",
  diffAddedWord: "ansi:153",
  diffRemovedWord: "ansi:215",
  selectionBg: "ansi:195"
}

export const CUBE_CHOICES: Partial<Readonly<Record<ThemeName, Choice>>> = {
  dark: DARK_GROUNDS,
  "dark-daltonized": DARK_BLUE_AND_ORANGE,
  "high-contrast-dark": DARK_IN_CONTRAST,
  "light-daltonized": LIGHT_BLUE_AND_ORANGE
}
