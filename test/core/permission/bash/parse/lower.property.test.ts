import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { loadNative } from "../../../../../src/adapters/shell-parser/engine.ts"
import { splitBlindly, splitByQuotes } from "../../../../../src/core/permission/bash/parse/lexical.ts"
import { lower } from "../../../../../src/core/permission/bash/parse/lower.ts"
import type { ShellProgram, SimpleCommand, Word } from "../../../../../src/core/permission/bash/program.ts"
import { scan } from "../../../../../src/core/permission/bash/parse/scan.ts"
import type { ParseShell } from "../../../../../src/core/permission/bash/syntax.ts"
import { SHELL_TEXTS } from "../../../../support/shell-texts.ts"
import { programFrom } from "../differential/grammar.ts"
import { parse, read } from "../fixture.ts"

const native = await loadNative().catch((): ParseShell | undefined => undefined)

const PIECES = [
  "a",
  "b1",
  " ",
  " ",
  " ",
  "\n",
  ";",
  "&&",
  "||",
  "|",
  "&",
  "'",
  '"',
  "`",
  "\\",
  "$",
  "$(",
  ")",
  "(",
  "{",
  "}",
  "${",
  "[",
  "]",
  "[[",
  "]]",
  "((",
  "))",
  "<",
  ">",
  "<<E\n",
  "E\n",
  "<<'E'\n",
  "<<<",
  "<(",
  "#",
  "!",
  "~",
  "*",
  "?",
  "=",
  "+=",
  ",",
  "..",
  "if ",
  "then ",
  "else ",
  "fi",
  "for ",
  "in ",
  "do ",
  "done",
  "while ",
  "case ",
  "esac",
  "function ",
  "time ",
  "rm x",
  "$HOME",
  "$x",
  "2>&1",
  "\t",
  "\r",
  "\0",
  "é",
  "𝒳",
  "\ud800",
  "\u00a0",
  "\u200b",
  "\uFFFC",
  "-f",
  "--x="
]
const shellText = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join("")),
  fc.constantFrom(...SHELL_TEXTS),
  fc.nat(1_000_000).map(programFrom),
  fc.string({ unit: "binary", maxLength: 60 })
)

const words = ({ words: own, redirects, assignments }: SimpleCommand): ReadonlyArray<Word> => [
  ...own,
  ...redirects.flatMap(({ target }) => target ?? []),
  ...assignments.flatMap(({ value }) => value ?? [])
]

const expectInside = (text: string, { commands, obstacles }: ShellProgram): void => {
  for (const command of commands) {
    expect(text.slice(command.start, command.end)).toBe(command.source)
    for (const word of words(command)) expect(text.slice(word.start, word.end)).toBe(word.source)
    for (const { start, end, source } of command.redirects) expect(text.slice(start, end)).toBe(source)
  }
  for (const { column } of obstacles) {
    expect(column).toBeGreaterThanOrEqual(1)
    expect(column).toBeLessThanOrEqual(text.length + 1)
  }
}

describe("any text", () => {
  it("is read without a failure, and every place lies in it", () => {
    fc.assert(
      fc.property(shellText, (text) => {
        expectInside(text, read(text))
        expectInside(text, lower(text, undefined, "/home/u", "/work"))
      }),
      { numRuns: 1_500 }
    )
  })

  it("is read the same way twice, and by both engines", () => {
    fc.assert(
      fc.property(shellText, (text) => {
        expect(read(text)).toEqual(read(text))
        const tree = (native ?? parse)(text)
        // How broken texts are patched up differs, and so does what counts as a letter outside of ASCII.
        const isComparable = tree?.hasError === false && /^[\0-\x7f]*$/.test(text)
        if (isComparable) expect(tree).toEqual(parse(text))
      }),
      { numRuns: 500 }
    )
  })

  it("keeps the commands in the order of the text", () => {
    fc.assert(
      fc.property(shellText, (text) => {
        const starts = read(text)
          .commands.filter(({ guessed }) => guessed !== true)
          .map(({ start }) => start)
        expect(starts).toEqual(starts.toSorted((one, other) => one - other))
      }),
      { numRuns: 500 }
    )
  })

  it("has no more commands than characters", () => {
    fc.assert(
      fc.property(shellText, (text) => {
        expect(read(text).commands.length).toBeLessThanOrEqual(3 * text.length)
        expect(splitByQuotes(text, "/home/u").length).toBeLessThanOrEqual(text.length)
        expect(splitBlindly(text, "/home/u").length).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: 500 }
    )
  })

  it("is only understood when the second reading went to its end", () => {
    fc.assert(
      fc.property(shellText, (text) => {
        const { stopped } = scan(text)
        if (stopped !== undefined) expect(read(text).obstacles).not.toEqual([])
        const { obstacles } = read(text)
        if (obstacles.length === 0) expect(parse(text)?.hasError).toBe(false)
      }),
      { numRuns: 500 }
    )
  })

  it("shows a command that is appended to an understood text", () => {
    fc.assert(
      fc.property(shellText, fc.constantFrom("; ", "\n", " && ", " | ", " || "), (text, separator) => {
        const program = read(text)
        fc.pre(program.obstacles.length === 0 && !program.blank && !/[;&|(#\\]\s*$/.test(text) && !text.includes("<<"))
        fc.pre(separator === "\n" || !/\n\s*$|#.*$/.test(text))
        const longer = read(`${text}${separator}zz 1`)
        expect(longer.commands.map((command) => command.words.map(({ literal }) => literal).join(" "))).toContain("zz 1")
        expect(longer.commands.length).toBeGreaterThan(program.commands.length)
      }),
      { numRuns: 500 }
    )
  })
})

describe("hostile sizes", () => {
  const repeated = [
    "(",
    "$(",
    '"$(',
    "`",
    "{ ",
    "a && ",
    "a || b && ",
    "if ",
    "if a; then ",
    "while a; do ",
    "<<E ",
    "'",
    '"',
    "\\\n",
    "/proc/",
    "a=",
    "# ' ",
    "} always ",
    "a\t",
    "[[ ",
    "${x:-",
    "$((",
    "a | ",
    "! ",
    "{a,",
    "~/",
    "*",
    "a;",
    "f() { ",
    "case a in b) ",
    "\0",
    "- ",
    "> f ",
    "x <<'E'\nE\n"
  ]
  it.each(repeated)("%j over and over", (piece) => {
    const text = `${piece.repeat(Math.ceil(30_000 / piece.length))}\nrm x`
    for (const program of [read(text), lower(text, undefined, "/home/u", "/work")]) {
      expect(program.obstacles).not.toEqual([])
      expect(program.commands.length).toBeLessThanOrEqual(3 * text.length)
    }
    const shorter = `${piece.repeat(400)}\nrm x`
    expectInside(shorter, read(shorter))
  })
})
