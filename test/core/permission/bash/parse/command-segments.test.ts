import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expectsNoOutput } from "../../../../../src/core/tools/bash/silent-commands.ts"
import { programName, readCommand } from "../../../../../src/core/permission/bash/parse/command-segments.ts"
import { quoteWord } from "../../../../../src/core/tools/bash/invocation.ts"

const wordsOf = (command: string) => readCommand(command).segments.map((segment) => segment.words)

describe("reading a command line", () => {
  it.each([
    ["a b  c", [["a", "b", "c"]]],
    ["a; b && c || d | e & f", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]],
    ["a\nb", [["a"], ["b"]]],
    [`echo 'a;b' "c && d" e\\;f`, [["echo", "a;b", "c && d", "e;f"]]],
    ["echo a#b # comment; rm x", [["echo", "a#b"]]],
    ["make 2>&1 >out.txt < in | tee log", [["make"], ["tee", "log"]]],
    ["a &> f; b &>> f", [["a"], ["b"]]],
    ["echo a\\\nb", [["echo", "ab"]]],
    ["echo ''", [["echo", ""]]]
  ])("splits %j", (command, expected) => {
    expect(readCommand(command).complete).toBe(true)
    expect(wordsOf(command)).toEqual(expected)
  })

  it.each([
    "echo $(date)",
    "echo `date`",
    'echo "$(date)"',
    "cat <<EOF\nx\nEOF",
    "diff <(a) <(b)",
    "(cd x)",
    "{ a; }",
    "if true; then a; fi",
    "while :; do a; done",
    "! grep x f",
    "echo 'open",
    'echo "open',
    "a >",
    ""
  ])("does not claim to understand %j", (command) => {
    expect(readCommand(command).complete).toBe(false)
  })

  it("reads quoted words back", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (words) => {
        expect(wordsOf(`x ${words.map(quoteWord).join(" ")}`)).toEqual([["x", ...words]])
      })
    )
  })

  it("ends on any text", () => {
    const meaningful = fc.constantFrom(...`a b ' " \\ $ \` ( ) < > & | ; # 1 = { }`.split(" "), " ", "\n")
    fc.assert(
      fc.property(fc.string({ unit: meaningful, maxLength: 40 }), (text) => {
        expect(readCommand(text).segments.every((segment) => segment.words.length > 0)).toBe(true)
      })
    )
  })

  it("finds the program behind assignments and directories", () => {
    const [segment] = readCommand("A=1 B+=2 /usr/bin/git status").segments
    expect(segment === undefined ? "" : programName(segment)).toBe("git")
  })
})

describe("silent commands", () => {
  it.each([
    ["mkdir a && cd a", true],
    ["mv a b; echo done", true],
    ["mkdir a && ls", false],
    ["echo", false]
  ])("expects no output from %j: %s", (command, expected) => {
    expect(expectsNoOutput(command)).toBe(expected)
  })
})
