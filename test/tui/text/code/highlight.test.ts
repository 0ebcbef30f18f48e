import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { HIGHLIGHT_START, type HighlightState, tokenize } from "../../../../src/tui/text/code/highlight.ts"
import { languageNamed, languageOfFile } from "../../../../src/tui/text/code/language-names.ts"

type Seen = ReadonlyArray<readonly [text: string, role: string]>

const colours = (name: string, source: string): Seen => {
  const language = languageNamed(name)
  if (language === undefined) throw new Error(`no language ${name}`)
  let state: HighlightState = HIGHLIGHT_START
  return source.split("\n").flatMap((line) => {
    const result = tokenize(line, state, language)
    state = result.state
    return result.tokens.map(({ start, end, role }) => [line.slice(start, end), role] as const)
  })
}

/** For every language a text, and some of what must be seen in it. */
const SAMPLES: Readonly<Record<string, readonly [string, Seen]>> = {
  typescript: [
    "const a: Map = `x${f(`y`)}z` // c\n/* d\ne */ if (/re[/]x/g.test(1))",
    [
      ["const", "keyword"],
      ["Map", "type"],
      ["`x", "string"],
      ["${", "keyword"],
      ["f", "function"],
      ["`y`", "string"],
      ["z`", "string"],
      ["// c", "comment"],
      ["/* d", "comment"],
      ["e */", "comment"],
      ["/re[/]x/g", "string"],
      ["1", "number"]
    ]
  ],
  javascript: [
    "#!/usr/bin/env node\nlet x = 'it\\'s'",
    [
      ["#!/usr/bin/env node", "comment"],
      ["let", "keyword"],
      ["'it\\'s'", "string"]
    ]
  ],
  tsx: [
    'return <div class="a">x</div>',
    [
      ["return", "keyword"],
      ["div", "keyword"],
      ['"a"', "string"]
    ]
  ],
  json: [
    '{"key": ["v", 1.5e3, true]}',
    [
      ['"key"', "function"],
      ['"v"', "string"],
      ["1.5e3", "number"],
      ["true", "keyword"]
    ]
  ],
  bash: [
    "for f in *; do echo \"$f $(ls -la)\"; done # c\n'a\nb'",
    [
      ["for", "keyword"],
      ["echo", "function"],
      ["$f", "code"],
      ["$(", "keyword"],
      ["ls", "function"],
      ["-la", "type"],
      ["done", "keyword"],
      ["# c", "comment"],
      ["'a", "string"],
      ["b'", "string"]
    ]
  ],
  python: [
    'def f(x): # c\n  return """a\nb""" + r\'x\' + 0x1F',
    [
      ["def", "keyword"],
      ["f", "function"],
      ["# c", "comment"],
      ['"""a', "string"],
      ['b"""', "string"],
      ["r'x'", "string"],
      ["0x1F", "number"]
    ]
  ],
  rust: [
    "fn main<'a>() { println!(\"{}\", 'x'); /* a /* b */ c */ let y: u8 = 1u8; }",
    [
      ["fn", "keyword"],
      ["'a", "type"],
      ["println!", "function"],
      ['"{}"', "string"],
      ["'x'", "string"],
      ["/* a /* b */ c */", "comment"],
      ["u8", "type"],
      ["1u8", "number"]
    ]
  ],
  go: [
    "func main() { s := `a\nb`; var e error = nil }",
    [
      ["func", "keyword"],
      ["`a", "string"],
      ["b`", "string"],
      ["error", "type"],
      ["nil", "number"]
    ]
  ],
  c: [
    "#include <stdio.h>\nint main(void) { return 'a'; }",
    [
      ["#include", "keyword"],
      ["int", "type"],
      ["main", "function"],
      ["'a'", "string"]
    ]
  ],
  cpp: [
    'template<class T> auto s = R"(a\nb)"; // c',
    [
      ["template", "keyword"],
      ['R"(a', "string"],
      ['b)"', "string"],
      ["// c", "comment"]
    ]
  ],
  java: [
    "@Override public String f() { return null; }",
    [
      ["@Override", "function"],
      ["public", "keyword"],
      ["String", "type"],
      ["null", "number"]
    ]
  ],
  kotlin: [
    'val s = "a ${b(1)} c"',
    [
      ["val", "keyword"],
      ['"a ', "string"],
      ["b", "function"],
      ["1", "number"]
    ]
  ],
  swift: [
    'let s = "a \\(f(1)) c" // d',
    [
      ["let", "keyword"],
      ["f", "function"],
      ["1", "number"],
      ["// d", "comment"]
    ]
  ],
  csharp: [
    'var s = @"a""b"; string t = $"x {y}";',
    [
      ["var", "keyword"],
      ['@"a""b"', "string"],
      ["string", "type"]
    ]
  ],
  ruby: [
    'def f; puts "a #{b} c" if @x == :sym # d\nend',
    [
      ["def", "keyword"],
      ["#{", "keyword"],
      ["@x", "code"],
      [":sym", "number"],
      ["# d", "comment"],
      ["end", "keyword"]
    ]
  ],
  php: [
    "<?php function f($x) { return 'a'; } # c",
    [
      ["<?php", "keyword"],
      ["function", "keyword"],
      ["$x", "code"],
      ["'a'", "string"],
      ["# c", "comment"]
    ]
  ],
  html: [
    '<a href="x">t &amp; u</a><!-- c\nd -->',
    [
      ["<a", "keyword"],
      ["href", "function"],
      ['"x"', "string"],
      ["&amp;", "number"],
      ["<!-- c", "comment"],
      ["d -->", "comment"]
    ]
  ],
  css: [
    ".a:hover { color: #fff; width: calc(1px + 2%) }\n/* c\n*/ @media",
    [
      [".a", "type"],
      ["color:", "function"],
      ["#fff", "number"],
      ["calc", "function"],
      ["1px", "number"],
      ["/* c", "comment"],
      ["@media", "keyword"]
    ]
  ],
  sql: [
    "SELECT a FROM t WHERE b = 'it''s' -- c",
    [
      ["SELECT", "keyword"],
      ["FROM", "keyword"],
      ["'it''s'", "string"],
      ["-- c", "comment"]
    ]
  ],
  yaml: [
    'key: value # c\n- other: 12\n  s: "x"\n  b: true',
    [
      ["key", "function"],
      ["# c", "comment"],
      ["other", "function"],
      ["12", "number"],
      ['"x"', "string"],
      ["true", "keyword"]
    ]
  ],
  toml: [
    '[section]\nkey = "v" # c\nn = 1_000\ns = """a\nb"""',
    [
      ["[section]", "heading"],
      ["key", "function"],
      ['"v"', "string"],
      ["# c", "comment"],
      ["1_000", "number"],
      ['b"""', "string"]
    ]
  ],
  xml: [
    "<?xml version=\"1.0\"?><a b='c'><![CDATA[x]]></a>",
    [
      ["<?xml", "keyword"],
      ["version", "function"],
      ["'c'", "string"]
    ]
  ],
  markdown: [
    "# T\n- a `b` **c** [d](e)\n```\ncode\n```",
    [
      ["# T", "heading"],
      ["-", "keyword"],
      ["`b`", "string"],
      ["**c**", "type"],
      ["[d](e)", "link"],
      ["code", "string"]
    ]
  ],
  diff: [
    "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y",
    [
      ["--- a", "heading"],
      ["@@ -1 +1 @@", "keyword"],
      ["-x", "error"],
      ["+y", "success"]
    ]
  ],
  dockerfile: [
    'FROM node:20 AS x # no\nRUN echo "$A"',
    [
      ["FROM", "keyword"],
      ["AS", "keyword"],
      ["RUN", "keyword"],
      ['"$A"', "string"]
    ]
  ],
  make: [
    "all: a.o\n\tcc -o $@ $(X) # c\nX := 1",
    [
      ["all", "function"],
      ["$@", "code"],
      ["$(X)", "code"],
      ["# c", "comment"],
      ["X", "type"]
    ]
  ],
  lua: [
    "local s = [[a\nb]] -- c\n--[[ d\n]] f()",
    [
      ["local", "keyword"],
      ["[[a", "string"],
      ["b]]", "string"],
      ["-- c", "comment"],
      ["--[[ d", "comment"],
      ["f", "function"]
    ]
  ],
  zig: [
    'const x = @import("std"); // c',
    [
      ["const", "keyword"],
      ["@import", "function"],
      ['"std"', "string"],
      ["// c", "comment"]
    ]
  ],
  haskell: [
    "f' :: Int -> Int -- c\n{- a {- b -} c -}",
    [
      ["Int", "type"],
      ["->", "keyword"],
      ["-- c", "comment"],
      ["{- a {- b -} c -}", "comment"]
    ]
  ],
  nix: [
    "let a = ''x ${b} y''; in { c = ./d.nix; } # e",
    [
      ["let", "keyword"],
      ["a", "function"],
      ["in", "keyword"],
      ["./d.nix", "string"],
      ["# e", "comment"]
    ]
  ]
}

describe("highlighting", () => {
  for (const [name, [source, seen]] of Object.entries(SAMPLES)) {
    it(`colours ${name}`, () => {
      expect(colours(name, source)).toEqual(expect.arrayContaining([...seen]))
    })
  }

  it("knows languages by their aliases, files and first lines", () => {
    const named = [
      "ts",
      "JS",
      "sh",
      "py",
      "rs",
      "golang",
      "c++",
      "kt",
      "cs",
      "rb",
      "yml",
      "md",
      "patch",
      "docker",
      "hs",
      "jsonc",
      "{.python}",
      "Rust,no_run"
    ]
    expect(named.map((name) => languageNamed(name)?.name)).toEqual([
      "typescript",
      "javascript",
      "bash",
      "python",
      "rust",
      "go",
      "cpp",
      "kotlin",
      "csharp",
      "ruby",
      "yaml",
      "markdown",
      "diff",
      "dockerfile",
      "haskell",
      "json",
      "python",
      "rust"
    ])
    expect(languageNamed("brainfuck")).toBeUndefined()
    expect(languageNamed("")).toBeUndefined()
    expect(["a/b.tsx", "Makefile", "x/Dockerfile.dev", "Gemfile", "none"].map((path) => languageOfFile(path)?.name)).toEqual(
      ["tsx", "make", "dockerfile", "ruby", undefined]
    )
    expect(
      ["#!/bin/sh", "#!/usr/bin/env -S python3.12", "#!/usr/bin/env node"].map(
        (line) => languageOfFile("script", line)?.name
      )
    ).toEqual(["bash", "python", "javascript"])
  })

  it("gives tokens in order and inside the line for any text in any language", () => {
    const piece = fc.constantFrom(
      '"',
      "'",
      "`",
      "${",
      "}",
      "{",
      "(",
      ")",
      "/*",
      "*/",
      "//",
      "#",
      "--",
      "[[",
      "]]",
      "''",
      '"""',
      "<a",
      ">",
      "x",
      "1",
      "\\",
      " ",
      ":",
      "=",
      "é",
      "中"
    )
    const line = fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join(""))
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(SAMPLES)), fc.array(line, { maxLength: 5 }), (name, lines) => {
        const language = languageNamed(name)
        if (language === undefined) throw new Error("unknown")
        let state = HIGHLIGHT_START
        for (const text of lines) {
          const result = tokenize(text, state, language)
          let at = 0
          for (const { start, end } of result.tokens) {
            expect(start >= at && end > start && end <= text.length).toBe(true)
            at = end
          }
          expect(result.state.length).toBeLessThanOrEqual(64)
          state = result.state
        }
      }),
      { numRuns: 500 }
    )
  })
})
