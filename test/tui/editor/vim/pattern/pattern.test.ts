import { describe, expect, it } from "vitest"
import { compilePattern } from "../../../../../src/tui/editor/vim/pattern/pattern.ts"
import { runScript } from "../../../../support/vim-script.ts"
import { parseStrokes } from "../../../../../src/tui/keymap/stroke.ts"

const OPTIONS = { ignorecase: false, smartcase: false, replacement: "last" }

/** What a pattern finds first in a text of one line or more. */
const found = (source: string, text: string, options = OPTIONS): string | undefined => {
  const pattern = compilePattern(source, options)
  return pattern?.match({ text, line: 0, lines: 1, from: 0, most: text.length })?.groups[0]
}

describe("patterns", () => {
  it.each<readonly [source: string, text: string, match: string | undefined]>([
    ["a*", "baa", ""],
    ["a\\+", "baa", "aa"],
    ["*a", "b*a", "*a"],
    ["^*a", "*a", "*a"],
    ["\\(*a\\)", "b*a", "*a"],
    ["a^b", "a^b", "a^b"],
    ["a$b", "a$b", "a$b"],
    ["\\v^a$", "a", "a"],
    ["\\v(foo|bar)+", "xbarfoo", "barfoo"],
    ["\\v<is>", "this is", "is"],
    ["\\Va.b", "axb a.b", "a.b"],
    ["foo\\|bar", "a bar", "bar"],
    ["\\(a\\)\\(b\\)\\2\\1", "xabba", "abba"],
    [".\\{-}b", "aab ab", "aab"],
    ["a\\{2}", "a aa", "aa"],
    ["a\\{-1,}", "aaa", "a"],
    ["a\\{,2}", "aaa", "aa"],
    ["foo\\zsbar", "foobar", "bar"],
    ["foo\\zebar", "foobar", "foo"],
    ["\\(foo\\)\\@<=bar", "bar foobar", "bar"],
    ["\\(foo\\)\\@<!bar", "foobar", undefined],
    ["foo\\(bar\\)\\@!", "foobar foobaz", "foo"],
    ["\\(a*\\)\\@>a", "aaa", undefined],
    [".*x\\&.*y.*", "a x y", "a x y"],
    [".*x\\&.*y.*", "a y", undefined],
    ["fu\\%[nction]", "a func", "func"],
    ["[]a]\\+", "]a]", "]a]"],
    ["[^]a]", "]ab", "b"],
    ["[a-c-]\\+", "x-a", "-a"],
    ["[[:upper:]]", "aB", "B"],
    ["[\\t ]", "a\tb", "\t"],
    ["[", "a[", "["],
    ["\\%d97", "xa", "a"],
    ["\\%u6f22", "字漢", "漢"],
    ["~", "at last", "last"],
    ["\\k\\+", "-naïve漢", "naïve漢"],
    ["e", "e\u0301e", "e"],
    [".", "e\u0301", "e\u0301"],
    ["a\\nb", "a\nb", "a\nb"],
    ["a\\_.*c", "a\nb\nc", "a\nb\nc"]
  ])("%s in %j is %j", (source, text, match) => {
    expect(found(source, text)).toBe(match)
  })

  it.each(["\\(", "\\)", "a\\{", "a**", "\\+", "\\1", "[b-a]", "\\%[a"])("%s is not a pattern", (source) => {
    expect(compilePattern(source, OPTIONS)).toBeUndefined()
  })

  it("minds the case by option, by capital letters and by what the pattern itself says", () => {
    const smart = { ...OPTIONS, ignorecase: true, smartcase: true }
    expect(found("foo", "FOO", smart)).toBe("FOO")
    expect(found("Foo", "FOO", smart)).toBeUndefined()
    expect(found("\\Sfoo", "xFOO", smart)).toBe("xFOO")
    expect(found("Foo\\c", "FOO", OPTIONS)).toBe("FOO")
    expect(found("foo\\C", "FOO", smart)).toBeUndefined()
    expect(found("[[:lower:]]", "A", smart)).toBeUndefined()
    expect(found("\\u", "aB", smart)).toBe("B")
  })
})

describe("patterns that could be tried for ever", () => {
  const LINE = "a".repeat(5000)

  it.each([
    "\\(a*\\)*b",
    "\\(a\\|aa\\)\\+b",
    "\\(a\\+\\)\\+b",
    "\\(\\(a*\\)*\\)*\\1b",
    "a\\{-}a\\{-}a\\{-}a\\{-}b",
    "\\(.*\\)\\@<=b",
    "\\(\\(\\(a\\)\\)\\)*b",
    "\\(a\\|aa\\)\\+",
    "\\v((a|b)(a|b)(a|b)(a|b))+x",
    "\\v(\\w\\d?\\k\\i[a]?)*q",
    ".".repeat(4000)
  ])("%s gives up", (source) => {
    const pattern = compilePattern(source, OPTIONS)
    expect(pattern?.match({ text: LINE, line: 0, lines: 1, from: 0, most: LINE.length })).toBeUndefined()
    expect(pattern?.isExhausted()).toBe(true)
  })

  it("takes hundreds of repetitions", () => {
    expect(found("\\(ab\\)*", "ab".repeat(400))).toHaveLength(800)
  })

  it("leaves the text and the caret alone", () => {
    const { lines, cursor, mode, commands } = runScript(`${LINE}\nx`, parseStrokes("/\\(a*\\)*b<CR>:%s/\\(a*\\)*b/c/<CR>"))
    expect({ lines, cursor, mode }).toEqual({ lines: [LINE, "x"], cursor: { line: 0, column: 0 }, mode: "n" })
    expect(commands.flatMap((command) => (command._tag === "Message" ? [command.text] : [])).at(-1)).toMatch(/^E363: /)
  })
})
