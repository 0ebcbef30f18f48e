import { Lexer } from "marked"
import { fuzzyIndex, fuzzyRank } from "../../src/tui/text/fuzzy.ts"
import { HIGHLIGHT_START, tokenize } from "../../src/tui/text/code/highlight.ts"
import { languageNamed } from "../../src/tui/text/code/language-names.ts"
import { appendMarkdown, layoutMarkdown, startMarkdown } from "../../src/tui/text/markdown/stream.ts"
import { plainRows } from "../../src/tui/text/rows.ts"

/** Layout of text: whole answers, growing ones, code, plain text, and finding paths. Prints samples as JSON. */
const ROUNDS = 15
const WARMUPS = 3
const OPTIONS = { width: 100, glyphs: "unicode", highlight: true, tabWidth: 4, codeWrap: false, scroll: 0, cwd: "/work" }

const CODE = "export const total = (items: ReadonlyArray<number>): number => items.reduce((a, b) => a + b, 0) // `sum`\n"
const PARAGRAPH = "Some *emphasis*, `code` and a [link](https://example.com/a) among words that go on for a while. ".repeat(
  6
)
const SECTION = `## Part\n\n${PARAGRAPH}\n\n- one **item**\n- another\n\n\`\`\`ts\n${CODE.repeat(20)}\`\`\`\n\n`
const ANSWER = SECTION.repeat(50)
const PLAIN = `${"the quick brown fox jumps over the lazy dog ".repeat(12)}\n`.repeat(200)
const PATHS = Array.from({ length: 50_000 }, (_, n) => `src/area-${n % 97}/module${n % 1_013}/component-${n}.test.ts`)

/** Blocks that never end: each must cost the same for its last line as for its first. */
const ENDLESS = {
  fence: ["```ts\n", (n) => `const value${n} = compute(${n})\n`],
  list: ["", (n) => `- item ${n} with **strong** text\n`],
  paragraph: ["", (n) => `line ${n} of a paragraph that *goes* on\n`],
  table: ["| a | b |\n|---|---|\n", (n) => `| cell ${n} | other |\n`]
}
const FEW = 500
const MANY = 5_000

const timed = (work) => {
  const from = performance.now()
  work()
  return performance.now() - from
}

const usPerAppend = ([head, line], count) => {
  let stream = appendMarkdown(startMarkdown(OPTIONS), head)
  return (
    (timed(() => {
      for (let n = 0; n < count; n++) stream = appendMarkdown(stream, line(n))
    }) *
      1e3) /
    count
  )
}

const highlighted = () => {
  const language = languageNamed("ts")
  let state = HIGHLIGHT_START
  for (let n = 0; n < 2_000; n++) state = tokenize(CODE, state, language).state
}

const index = fuzzyIndex(PATHS, (path) => path)

const once = () => ({
  layoutMs: timed(() => layoutMarkdown(ANSWER, OPTIONS)),
  lexMs: timed(() => new Lexer().lex(ANSWER)),
  wrapMs: timed(() => plainRows(PLAIN, { kind: "prose", width: 100 })),
  wordsMs: timed(() => PLAIN.match(/\S+/g)),
  highlightMs: timed(highlighted),
  codeWordsMs: timed(() => CODE.repeat(2_000).match(/\w+|[^\w\s]/g)),
  fuzzyMs: timed(() => fuzzyRank(index, "comp123", 15)),
  filterMs: timed(() => PATHS.filter((path) => /c.*o.*m.*p.*1.*2.*3/.test(path))),
  ...Object.fromEntries(
    Object.entries(ENDLESS).flatMap(([name, block]) => [
      [`${name}Few`, usPerAppend(block, FEW)],
      [`${name}Many`, usPerAppend(block, MANY)]
    ])
  )
})

const samples = []
for (let round = -WARMUPS; round < ROUNDS; round++) {
  const sample = once()
  if (round >= 0) samples.push(sample)
}
process.stdout.write(JSON.stringify({ kinds: Object.keys(ENDLESS), samples }))
