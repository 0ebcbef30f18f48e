import type { Mark } from "./marks.ts"
import type { Obstacle } from "../program.ts"

/** Characters that make a text look different from what the shell does with it. */
const NAMES: ReadonlyArray<readonly [RegExp, string]> = [
  [/\0/u, "NUL character"],
  [/\r/u, "carriage return"],
  [/\p{Cc}/u, "control character"],
  [/[\p{Zs}\p{Zl}\p{Zp}]/u, "unusual blank"],
  [/\p{Bidi_Control}/u, "character that changes the writing direction"],
  // Half of a pair, or what stands for bytes that were not text: what reaches the shell is something else.
  [/[\p{Cs}\uFFFD]/u, "broken character"],
  [/./u, "invisible character"]
]

/** Everything but ordinary blanks; the selectors of emoji are invisible, but harmless. */
const HOSTILE =
  /(?![ \t\n]|\p{Variation_Selector})[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFD]/gu

const nameOf = (character: string): string => NAMES.find(([pattern]) => pattern.test(character))?.[1] ?? "unusual character"

/** Characters that rule an allow out. Text taken as it is may hold any of them but NUL and broken ones. */
export const hostileCharacters = (text: string, verbatim: ReadonlyArray<Mark>): ReadonlyArray<Obstacle> => {
  const quiet = verbatim.toSorted((one, other) => one.start - other.start)
  const obstacles: Array<Obstacle> = []
  let next = 0
  for (const { 0: character, index } of text.matchAll(HOSTILE)) {
    while ((quiet[next]?.end ?? Infinity) <= index) next++
    const construct = nameOf(character)
    const isVerbatim = (quiet[next]?.start ?? Infinity) <= index
    const isTolerable = construct !== "NUL character" && construct !== "broken character"
    if (!(isVerbatim && isTolerable)) obstacles.push({ kind: "character", construct, column: index + 1 })
  }
  return obstacles
}
