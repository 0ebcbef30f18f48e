/** To which kind of word a character belongs: the classes that vim's word motions, objects and searches tell apart. */

const BLANK = 0
const PUNCTUATION = 1
const WORD = 2
const EMOJI = 3
const FIRST_SCRIPT = 4

type Range = readonly [first: number, last: number]

/** Blanks beyond ASCII. A blank of no width is one, too; the joiners behind it are not. */
const BLANKS: ReadonlyArray<Range> = [
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200b],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000]
]

/** Scripts written without blanks, and braille: each is a class of its own. */
const SCRIPTS: ReadonlyArray<Range> = [
  [0x2800, 0x28ff],
  [0x3040, 0x309f],
  [0x30a0, 0x30ff],
  [0x3300, 0x9fff],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0x20000, 0x2fa1f]
]

/** The compatibility and supplementary ideographs are of the same script as the others. */
const SAME_SCRIPT: ReadonlyMap<number, number> = new Map([
  [5, 3],
  [6, 3]
])

/** Punctuation and symbols beyond Latin-1, as far as they are not emoji. Whatever is not here belongs to words. */
const SYMBOLS: ReadonlyArray<Range> = [
  [0x37e, 0x37e],
  [0x387, 0x387],
  [0x55a, 0x55f],
  [0x589, 0x589],
  [0x5be, 0x5be],
  [0x5c0, 0x5c0],
  [0x5c3, 0x5c3],
  [0x5f3, 0x5f4],
  [0x60c, 0x60c],
  [0x61b, 0x61b],
  [0x61f, 0x61f],
  [0x66a, 0x66d],
  [0x6d4, 0x6d4],
  [0x700, 0x70d],
  [0x964, 0x965],
  [0x970, 0x970],
  [0xdf4, 0xdf4],
  [0xe4f, 0xe4f],
  [0xe5a, 0xe5b],
  [0xf04, 0xf12],
  [0xf3a, 0xf3d],
  [0xf85, 0xf85],
  [0x104a, 0x104f],
  [0x10fb, 0x10fb],
  [0x1361, 0x1368],
  [0x166d, 0x166e],
  [0x169b, 0x169c],
  [0x16eb, 0x16ed],
  [0x1735, 0x1736],
  [0x17d4, 0x17dc],
  [0x1800, 0x180a],
  [0x2000, 0x27ff],
  [0x2900, 0x2998],
  [0x29d8, 0x29db],
  [0x29fc, 0x29fd],
  [0x2e00, 0x2e7f],
  [0x3001, 0x3020],
  [0xfd3e, 0xfd3f],
  [0xfe30, 0xfe6b],
  [0xff00, 0xff0f],
  [0xff1a, 0xff20],
  [0xff3b, 0xff40],
  [0xff5b, 0xff65],
  [0x1d000, 0x1d24f],
  [0x1d400, 0x1d7ff],
  [0x1f000, 0x1f9ff]
]

const EMOJI_CHARACTER = /^\p{Emoji}/u

const indexIn = (ranges: ReadonlyArray<Range>, code: number): number =>
  ranges.findIndex(([first, last]) => code >= first && code <= last)

/** Letters, digits, the underscore and, from Latin-1, the micro sign and the accented letters. */
const latinClass = (code: number): number => {
  if (code === 0x20 || code === 0x09 || code === 0xa0) return BLANK
  const isWord =
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x5f ||
    code === 0xb5 ||
    code >= 0xc0
  return isWord ? WORD : PUNCTUATION
}

const wideClass = (char: string, code: number): number => {
  const script = indexIn(SCRIPTS, code)
  if (script >= 0) return FIRST_SCRIPT + (SAME_SCRIPT.get(script) ?? script)
  if (indexIn(BLANKS, code) >= 0) return BLANK
  if (EMOJI_CHARACTER.test(char)) return EMOJI
  return indexIn(SYMBOLS, code) >= 0 ? PUNCTUATION : WORD
}

/** Blanks are 0, punctuation 1, word characters 2; emoji and scripts without blanks are words of their own. */
export const charClass = (char: string, big: boolean): number => {
  const code = char.codePointAt(0)
  if (code === undefined) return BLANK
  const found = code < 0x100 ? latinClass(code) : wideClass(char, code)
  return big && found !== BLANK ? PUNCTUATION : found
}
