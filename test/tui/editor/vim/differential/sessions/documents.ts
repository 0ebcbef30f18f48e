/** Texts as people have them in an editor: code, prose, lists, tables, other scripts, and what is left of them. */
import type { Random } from "../random.ts"

const CODE = `function total(items, { rate = 0.2, round } = {}) {
  let sum = 0
  for (const [name, price] of Object.entries(items)) {
    if (price < 0) throw new Error("bad \\"price\\": " + name)
    sum += (price * (1 + rate)) // 3 of 42
  }

  return round ? Math.round(sum) : sum
}

const table = { a: [1, 2, [3, 4]], b: { c: "x, y", d: 'it''s' } };`

const INDENTED = `def walk(tree,\tdepth=0):
\tif not tree:
\t\treturn None
\tfor node in tree.children:
\t\twalk(node, depth + 1)   # go on

    mixed = [0x1f, -7, 007]
\t  print(mixed [1])\t`

const MARKUP = `<ul class="list">
  <li><b>One</b> and <i>two</i></li>
  <li><a href="#x">three</a> <br/> four</li>
</ul>
<p>Text <em>nested <b>deep</b></em> end.</p>`

const PROSE = `The quick brown fox. It jumped over the lazy dog!  Did it really?  Yes.
And then (so they say) it went home. "Why?" he asked.

Second paragraph starts here and is rather long, so that formatting it with gq has something to break apart.
Short line.
  Indented line of the same paragraph; it ends with blanks.   


Third: e.g. a list.  End of text.`

const LIST = `- buy 3 apples (red), 12 pears
- call Ann at 9:30
  - twice, if need be
- [ ] todo -1
- [x] done 99

1. first
2. second
10. tenth`

const OTHER_SCRIPTS = `日本語のテキスト、改行あり。 そして、終わり。
ab漢字cd ひらがなカタカナ 한국어 단어
naïve café, ünï çödé — “quoted”
e\u0301te\u0301 o\u0308k ñ
go 🚀 now 🙂🙂 end
\ttab 漢\t字`

const COLUMNS = `alpha  1  one
beta\t22\ttwo
gamma  333  three
d

epsilon 4444 four and more
漢字  5  wide`

const NESTED = `f(a, g(b, [c, {d: (e)}], "(("), h)
{ outer { inner ( x ) [ y ] } }
if ((a && b) || (c[d[0]] == '{')) {
  { }
  call(x)(y)
}
))`

const QUOTED = `say "hello \\"there\\" world" and 'it' or "x"
a = 'b' + "c'd" + \`e f\`
"" '' "open
plain words only here`

const DOCUMENTS: ReadonlyArray<string> = [
  CODE,
  CODE,
  INDENTED,
  MARKUP,
  PROSE,
  PROSE,
  LIST,
  OTHER_SCRIPTS,
  COLUMNS,
  COLUMNS,
  NESTED,
  QUOTED
]

const EXTRA: ReadonlyArray<string> = ["", "", " ", "   ", "\t", "x", "foo bar", "}", "  foo(bar)", "漢", "0"]

/** A part of a document, now and then with foreign lines in it; sometimes one line or nothing at all. */
export const documentFrom = (random: Random): ReadonlyArray<string> => {
  if (random.chance(0.03)) return [""]
  if (random.chance(0.08)) return [random.pick(random.pick(DOCUMENTS).split("\n"))]
  const lines = random.pick(DOCUMENTS).split("\n")
  const from = random.chance(0.5) ? 0 : random.below(lines.length)
  const kept = lines.slice(from, from + 2 + random.below(lines.length))
  const mixed = kept.flatMap((line) => (random.chance(0.08) ? [line, random.pick(EXTRA)] : [line]))
  return random.chance(0.1) ? [...mixed, ...random.pick(DOCUMENTS).split("\n").slice(0, 3)] : mixed
}
