import type { Palette, ThemeColour } from "./palette.ts"
import { ROLES, type Role } from "./roles.ts"

/**
 * Themes of the terminal's own sixteen colours. They also stand in for the others on a terminal that has no more, so
 * that a role keeps its meaning instead of the nearest hue.
 */
const SHARED: Partial<Readonly<Record<Role, ThemeColour>>> = {
  claude: "ansi:6",
  suggestion: "ansi:4",
  permission: "ansi:4",
  remember: "ansi:5",
  success: "ansi:2",
  error: "ansi:1",
  warning: "ansi:3",
  merged: "ansi:5",
  planMode: "ansi:6",
  autoAccept: "ansi:5",
  bashBorder: "ansi:5",
  ide: "ansi:4",
  fastMode: "ansi:3",
  selectionBg: "ansi:4",
  rate_limit_fill: "ansi:6",
  briefLabelYou: "ansi:4",
  briefLabelClaude: "ansi:6",
  red_FOR_SUBAGENTS_ONLY: "ansi:1",
  blue_FOR_SUBAGENTS_ONLY: "ansi:4",
  green_FOR_SUBAGENTS_ONLY: "ansi:2",
  yellow_FOR_SUBAGENTS_ONLY: "ansi:3",
  purple_FOR_SUBAGENTS_ONLY: "ansi:5",
  orange_FOR_SUBAGENTS_ONLY: "ansi:3",
  pink_FOR_SUBAGENTS_ONLY: "ansi:5",
  cyan_FOR_SUBAGENTS_ONLY: "ansi:6",
  paneBorderFocused: "ansi:6",
  searchMatch: "ansi:3",
  searchCurrent: "ansi:6",
  mark: "ansi:3",
  control: "ansi:5",
  badge: "ansi:6",
  dialogBorder: "ansi:4",
  destructive: "ansi:1",
  codeSpan: "ansi:6",
  string: "ansi:2",
  keyword: "ansi:4",
  number: "ansi:3",
  function: "ansi:4",
  type: "ansi:6",
  link: "ansi:4"
}

const BRIGHT: ReadonlySet<ThemeColour> = new Set<ThemeColour>(["ansi:1", "ansi:2", "ansi:3", "ansi:4", "ansi:5", "ansi:6"])

/** Backgrounds stay dark and foregrounds get the bright half, which dark palettes keep readable. */
const GROUNDS: ReadonlySet<Role> = new Set<Role>(["selectionBg", "searchMatch", "searchCurrent"])

const brighten = (role: Role, colour: ThemeColour): ThemeColour =>
  BRIGHT.has(colour) && !GROUNDS.has(role) ? `ansi:${Number(colour.slice(5)) + 8}` : colour

const fill = (colourOf: (role: Role) => ThemeColour): Palette =>
  Object.fromEntries(ROLES.map((role) => [role, colourOf(role)])) as Record<Role, ThemeColour>

export const DARK_ANSI: Palette = fill((role) => {
  const colour = SHARED[role]
  if (role === "inverseText") return "ansi:0"
  return colour === undefined ? "default" : brighten(role, colour)
})

export const LIGHT_ANSI: Palette = fill((role) => {
  if (role === "inverseText") return "ansi:15"
  return SHARED[role] ?? "default"
})

/** No colour at all: weight, dimness, underline, inverse and signs carry the meaning. */
export const MONO: Palette = fill(() => "default")
