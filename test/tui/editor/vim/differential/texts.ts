import type { Random } from "./random.ts"

/** Kinds of lines that scripts run on. Each is named so that a deviation can leave it out. */
const KINDS: Readonly<Record<string, ReadonlyArray<string>>> = {
  words: ["foo bar baz", "the quick brown fox", "a b c d", "one-two three_four", "x", "foo.bar(baz) qux", "  too   far  "],
  sentences: ["One here. Two there!  Three?", "It ends. (So.) Next", "no end", 'Mr. Fox ran. "Why?" he said.'],
  indented: ["  two blanks", "\tone tab", "    four", "\t  tab and two", " \tmixed\tup", "        eight"],
  brackets: ["f(a, (b), [c])", "if (x) { y[1] }", "{", "}", "  g(h{i}, j)", "(", ")", "[a] <b> <c d>", "((()))"],
  quotes: ['say "hi there" now', "'a' 'b c' \"d\"", "back `tick` it's", 'esc "a\\"b" c'],
  tags: ["<p>one <b>two</b></p>", '<div class="x">', "</div>", "a <i>b</i> c"],
  numbers: ["count 7 and 42", "x-1 y-12", "0x1f 007 0b101", "9 99 199", "v1.2.3"],
  blank: ["", "", "", " ", "\t"],
  wide: ["日本語 テスト", "ab漢字cd", "ünï çödé", "naïve café"],
  emoji: ["go 🚀 now", "a🙂b", "🙂"],
  combining: ["e\u0301te\u0301 x", "ab o\u0308k"],
  long: ["this line is a good deal longer than the others so that wrapping it at eighty columns has work"],
  trailing: ["ends in blanks   ", "tab at end\t", "semi; colon: comma, dot."]
}

const COMMON = ["words", "words", "words", "sentences", "indented", "brackets", "quotes", "numbers", "blank", "trailing"]
const RARE = ["tags", "wide", "emoji", "combining", "long"]

export const TEXT_NAMES: ReadonlyArray<string> = Object.keys(KINDS).map((kind) => `text:${kind}`)

export const textFrom = (random: Random, isExcluded: (name: string) => boolean): ReadonlyArray<string> => {
  const line = (): string => {
    const kinds = (random.chance(0.12) ? RARE : COMMON).filter((kind) => !isExcluded(`text:${kind}`))
    return random.pick(KINDS[random.pick(kinds)] ?? [""])
  }
  return random.times(1, random.chance(0.2) ? 12 : 5, line)
}
