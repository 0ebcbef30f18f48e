import { eastAsianWidth } from "get-east-asian-width"
import type { WidthProfile } from "./width-profile.ts"

/**
 * The width of one grapheme cluster by rule, without caches. A cluster is judged by its first code point and by the
 * few that change a presentation; where terminals differ the profile decides.
 */
const ZWJ = "\u200D"
const EMOJI_STYLE = "\uFE0F"
const TEXT_STYLE = "\uFE0E"

const ONE_CODE_POINT = /^.$/su
const CONTROL = /[\p{Cc}\p{Cs}\u2028\u2029]/u
const MARKS_ONLY = /^\p{M}/u
const NOTHING_VISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cf}]+$/u
const REGIONAL = /^\p{Regional_Indicator}/u
const KEYCAP = /^[0-9#*]\uFE0F?\u20E3/u
const JOINED_PICTURES = /\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}\uFE0F]*\u200D\p{Extended_Pictographic}/u
const EMOJI = /^\p{Emoji}/u
const EMOJI_BY_DEFAULT = /^\p{Emoji_Presentation}/u
const TONED = /^\p{Emoji_Modifier_Base}\p{Emoji_Modifier}/u
const SPACING = /[^\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\p{Cf}\u1160-\u11FF\uD7B0-\uD7FB]/gu

/** Emoji that came with Unicode 12 or later: many terminals have older tables. */
const YOUNG_EMOJI = new RegExp(
  String.raw`[\u{1F6D5}-\u{1F6DF}\u{1F6FA}-\u{1F6FF}\u{1F7E0}-\u{1F7FF}\u{1F90C}-\u{1F90F}\u{1F93F}\u{1F971}` +
    String.raw`\u{1F972}\u{1F977}-\u{1F979}\u{1F9A3}-\u{1F9AF}\u{1FA70}-\u{1FAFF}]`,
  "u"
)

/**
 * Other characters about which the tables of terminals differ: those that came late or became wide late (the trigrams
 * and hexagrams), circled numbers, wide symbols that are text by default, and the rare scripts of the higher planes.
 */
const UNSETTLED = new RegExp(
  String.raw`[\u2630-\u2637\u268A-\u268F\u4DC0-\u4DFF\u2FFC-\u2FFF\u31BB-\u31BF\u31E4-\u31EF\u3248-\u324F` +
    String.raw`\u3030\u303D\u3297\u3299\u0870-\u0891\u0C5C\u0C5D\u0CDC\u0CDD\u1B4E\u1B4F\u1B7F\u1C89\u1C8A\u20C1` +
    String.raw`\u2427-\u2429\u2B96\u2B97\uA7C0-\uA7F6\uFBC3-\uFBD2\uFD90\uFD91\uFDC8-\uFDCE` +
    String.raw`\u{10000}-\u{1D3FF}\u{1D800}-\u{1EFFF}\u{1F202}\u{1F237}\u{1F700}-\u{1F8FF}\u{1F93B}\u{1F946}` +
    String.raw`\u{1F9CB}\u{1F9CC}\u{1FA00}-\u{1FFFF}\u{2EBF0}-\u{3FFFF}]`,
  "u"
)

/** What a terminal may add to the cell before it: single vowels and finals of Hangul, and skin tones. */
const JOINS_BACKWARDS = /^[\u1160-\u11FF\uD7B0-\uD7FB\p{Emoji_Modifier}]/u
const INVISIBLE = /\p{Cf}/u

/** A cluster that must not reach the terminal as it is. */
export const isControl = (cluster: string): boolean => CONTROL.test(cluster)

/** A mark with no letter before it: it is drawn on a dotted circle. */
export const isLoneMark = (cluster: string): boolean => MARKS_ONLY.test(cluster)

/** The pictures of a sequence that the terminal does not join. */
export const picturesOf = (cluster: string): ReadonlyArray<string> => cluster.split(ZWJ).filter((part) => part !== "")

const baseWidth = (cluster: string, profile: WidthProfile): number => widthOfUnit(cluster.codePointAt(0) ?? 0x20, profile)

/** The width of a character that is a cluster of its own and nothing but itself: the general rule gives the same. */
export const widthOfUnit = (unit: number, profile: WidthProfile): number =>
  eastAsianWidth(unit, { ambiguousAsWide: profile.ambiguousWide })

const emojiWidth = (cluster: string, profile: WidthProfile): number | undefined => {
  if (KEYCAP.test(cluster)) return cluster.includes(EMOJI_STYLE) && profile.widePresentation ? 2 : 1
  if (cluster.includes(TEXT_STYLE)) return 1
  if (EMOJI_BY_DEFAULT.test(cluster) || TONED.test(cluster)) return 2
  if (cluster.includes(EMOJI_STYLE) && EMOJI.test(cluster)) return profile.widePresentation ? 2 : 1
  return undefined
}

export const widthByRule = (cluster: string, profile: WidthProfile): number => {
  if (isControl(cluster) || isLoneMark(cluster)) return 1
  if (NOTHING_VISIBLE.test(cluster)) return 0
  if (REGIONAL.test(cluster)) return cluster.length > 2 || profile.wideRegionalIndicator ? 2 : 1
  if (JOINED_PICTURES.test(cluster)) {
    if (profile.joinsZwj) return 2
    return picturesOf(cluster).reduce((sum, part) => sum + widthByRule(part, profile), 0)
  }
  return emojiWidth(cluster, profile) ?? baseWidth(cluster, profile)
}

/** Whether terminals with this profile may still disagree: the cursor is placed anew after such a cluster. */
export const isUncertain = (cluster: string, profile: WidthProfile): boolean => {
  if (YOUNG_EMOJI.test(cluster) || UNSETTLED.test(cluster) || JOINS_BACKWARDS.test(cluster)) return true
  if (REGIONAL.test(cluster)) return !profile.measured
  if (ONE_CODE_POINT.test(cluster)) return false
  const isMeasurable = JOINED_PICTURES.test(cluster) || cluster.includes(EMOJI_STYLE)
  if (isMeasurable) return !profile.measured
  return INVISIBLE.test(cluster) || cluster.includes(TEXT_STYLE) || (cluster.match(SPACING) ?? []).length > 1
}

/** The most columns that a terminal takes which adds up code points, or whose tables are others. */
export const widestWidth = (cluster: string, profile: WidthProfile): number => {
  const parts = cluster.match(SPACING) ?? []
  return parts.reduce((sum, part) => sum + Math.max(widthByRule(part, profile), UNSETTLED.test(part) ? 2 : 0), 0)
}

/** What is left of a cluster where it might not fit: its base, when that at least is sure. */
export const baseOfCluster = (cluster: string, profile: WidthProfile): string => {
  const base = String.fromCodePoint(cluster.codePointAt(0) ?? 0x20)
  return widthByRule(base, profile) < 1 || isUncertain(base, profile) ? " " : base
}
