import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { withoutChipCharacters } from "../../../src/tui/prompt/chip.ts"
import type { EditorChoice } from "../../../src/tui/prompt/model.ts"
import { feed, fresh, NORMAL, paste, plainText, sent, shownText, type, VIM } from "./world.ts"

const BOTH: ReadonlyArray<EditorChoice> = [NORMAL, VIM]
const NASTY = ["!x\n", "\u001b[201~:q!\r", "dd<CR>", "\t", "\u{10f000}", "a\nb\nc\nd", "x".repeat(900)]

describe.each(BOTH)("the prompt ($mode)", (choice) => {
  it("sends on Enter and is empty afterwards", () => {
    const played = type(fresh(choice), "hello<CR>")
    expect(sent(played)).toEqual(["prompt:hello"])
    expect(plainText(played.prompt)).toBe("")
  })

  it("sends neither nothing nor blanks", () => {
    expect(sent(type(fresh(choice), "<CR>"))).toEqual([])
    const blank = type(fresh(choice), "  <CR>")
    expect(sent(blank)).toEqual([])
    expect(plainText(blank.prompt)).toBe("  ")
  })

  it.each(["a<C-j>b", "a<S-CR>b", "a<A-CR>b", "a\\<CR>b"])("breaks the line with %s", (keys) => {
    const played = type(fresh(choice), keys)
    expect(shownText(played.prompt)).toBe("a\nb|")
    expect(sent(played)).toEqual([])
  })

  it("chooses the mode by the first character and leaves it on the empty buffer", () => {
    const shell = type(fresh(choice), "!ls")
    expect([shell.prompt.mode, plainText(shell.prompt)]).toEqual(["shell", "ls"])
    expect(type(shell.prompt, "<BS><BS>").prompt.mode).toBe("shell")
    for (const key of ["<BS>", "<Esc>", "<C-u>"]) expect(type(fresh(choice), `!${key}`).prompt.mode).toBe("prompt")
    expect(type(fresh(choice), "#note").prompt.mode).toBe("memory")
    expect(type(fresh(choice), "a!").prompt.mode).toBe("prompt")
  })

  it("sends shell commands as such, and !! without the context", () => {
    const loud = type(fresh(choice), "!ls<CR>")
    expect(sent(loud)).toEqual(["shell:ls"])
    expect(loud.prompt.mode).toBe("prompt")
    const quiet = type(fresh(choice), "!!ls<CR>").commands.find((command) => command._tag === "Send")
    expect(quiet).toMatchObject({ submission: { text: "ls", display: "!!ls", isQuiet: true } })
  })

  it("opens help for ? on an empty prompt only", () => {
    const played = type(fresh(choice), "?")
    expect(played.commands).toEqual([{ _tag: "OpenHelp" }])
    expect(plainText(played.prompt)).toBe("")
    expect(plainText(type(fresh(choice), "a?").prompt)).toBe("a?")
  })

  it("enters shell mode by a pasted !, but not memory mode by a pasted #", () => {
    const shell = feed(fresh(choice), [paste("!ls")]).prompt
    expect([shell.mode, plainText(shell)]).toEqual(["shell", "ls"])
    const heading = feed(fresh(choice), [paste("# Title")]).prompt
    expect([heading.mode, plainText(heading)]).toEqual(["prompt", "# Title"])
  })

  it("moves by rows of a wrapped line", () => {
    const typed = type(fresh(choice), "aaaa bbbb cccc", { width: 8 })
    expect(shownText(type(typed.prompt, "<Up>", { width: 8 }).prompt)).toBe("aaaa bbbb| cccc")
    expect(shownText(type(typed.prompt, "<Up><Up>", { width: 8 }).prompt)).toBe("aaaa| bbbb cccc")
    expect(shownText(type(typed.prompt, "<Up><Up><Down>", { width: 8 }).prompt)).toBe("aaaa bbbb| cccc")
  })

  it("changes only buffer and pastes by any paste", () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constantFrom(...NASTY))
    fc.assert(
      fc.property(text, (content) => {
        const { prompt: start } = type(fresh(choice), "some <Left>")
        const { prompt, commands } = feed(start, [paste(content)])
        expect(commands.every(({ _tag }) => _tag === "StorePaste" || _tag === "AskCandidates")).toBe(true)
        const touched = { editor: 0, chips: 0, nextChip: 0, completion: 0 }
        expect({ ...prompt, ...touched }).toEqual({ ...start, ...touched })
        expect(plainText(prompt).startsWith("some")).toBe(true)
        expect(plainText(prompt).endsWith(" ")).toBe(true)
      }),
      { numRuns: 60 }
    )
  })

  it("sends any text it was given by pasting, with LF", () => {
    const text = fc.string({ unit: "binary", maxLength: 60 }).map(withoutChipCharacters)
    fc.assert(
      fc.property(text, (content) => {
        const played = feed(fresh(choice), ["x", paste(content), "<A-CR>", "y", "<CR>"])
        expect(sent(played)).toEqual([`prompt:x${content.replace(/\r\n?/g, "\n")}\ny`])
      }),
      { numRuns: 100 }
    )
  })
})

describe("standard keys in the prompt", () => {
  it("hands over what it has no use for", () => {
    expect(type(fresh(), "<C-o>").commands).toEqual([{ _tag: "Unhandled", stroke: "<C-o>" }])
    expect(type(fresh(), "<C-d>").commands).toEqual([{ _tag: "Unhandled", stroke: "<C-d>" }])
    expect(type(fresh(), "a<Left><C-d>").commands).toEqual([])
  })

  it("extends the selection by rows", () => {
    const { prompt } = type(fresh(), "ab<C-j>cd<S-Up>x")
    expect(shownText(prompt)).toBe("abx|")
  })
})
