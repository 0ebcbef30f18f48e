/** Short texts with much in few lines, for scripts of few keys. */
import type { Random } from "../random.ts"

const PIECES: ReadonlyArray<string> = [
  "foo bar_baz 12, -7;",
  "a.b->c(d[0])",
  "  indented two",
  "\ttab\tin the\tmiddle",
  "The end. No? Yes!  So (it) is.)  Go.",
  'f(a, g(b, {c: [1, 2]}), "x)")',
  "{ if (x) { y(); } }",
  "say \"a \\\"b\\\" c\" 'd' 'e f' `g`",
  "it's \"one",
  "''\"\"``()[]{}<>",
  "<a href='x'><b>bold</b> t</a>",
  "<ul><li>1</li>",
  "</ul>",
  "<br/> <p>one</p><p></p>",
  "日本語 の文、です。 ok",
  "漢字kana カナ한글",
  "go 🙂🚀 now é",
  "e\u0301a\u0308 o\u0302x",
  "0x0f 007 -12 0b11 99 a-1",
  "word",
  "x",
  "   ",
  "\t",
  "",
  "",
  "",
  "trailing   ",
  "aaa bbb aaa bbb aaa",
  "(((a) b) c",
  "d)))",
  "{",
  "}",
  "  }",
  "// note: one two",
  "// more",
  "- item one",
  "# head",
  ".SH NAME",
  "1) x",
  "Stra\u00dfe \u00c4rger \u00bd \u00b5",
  "wide\u3000blank\u00a0here",
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho",
  "a\tb",
  " \tx",
  "no blanks,just-signs/and.dots",
  "A B C d e f",
  "one\ttwo  three"
]

export const burstText = (random: Random): ReadonlyArray<string> => {
  const line = (): string => (random.chance(0.1) ? `${random.pick(PIECES)} ${random.pick(PIECES)}` : random.pick(PIECES))
  return random.times(1, random.pick([1, 3, 4, 6, 9]), line)
}
