import { describe, expect, it } from "vitest"
import { PLAIN_CONTEXT, PROMPT_OPTIONS } from "../../../../src/tui/editor/vim/state/context.ts"
import { modeName } from "../../../../src/tui/editor/vim/mode.ts"
import { replaceRange } from "../../../../src/tui/editor/vim/replace-range.ts"
import { step } from "../../../../src/tui/editor/vim/step.ts"
import { after, play } from "./key-script.ts"

const prompt = { options: PROMPT_OPTIONS }
const commands = (text: string, keys: string): ReadonlyArray<unknown> => play(text, keys, prompt).commands

describe("what the application is asked", () => {
  it("submits with Enter in insert and normal mode", () => {
    expect(commands("│hi", "<CR>")).toEqual([{ _tag: "Submit" }])
    expect(commands("│hi", "A<CR>")).toEqual([{ _tag: "Submit" }])
  })

  it("makes a line of a backslash before Enter", () => {
    expect(after("│a", "A\\<CR>b<Esc>", prompt)).toBe("a\n│b")
    expect(commands("│a", "A\\<CR>")).toEqual([])
  })

  it("never submits from a macro, which stops there", () => {
    const played = play("│a", "qaA;<CR>x<Esc>q", prompt)
    const again = play("│a\nb", "qaA;<CR>x<Esc>qj@a", prompt)
    expect(played.commands.filter(({ _tag }) => _tag === "Submit")).toHaveLength(1)
    expect(again.commands.filter(({ _tag }) => _tag === "Submit")).toHaveLength(1)
    expect(again.lines).toEqual(["a;x", "b;"])
  })

  it("hands on keys that mean nothing here", () => {
    expect(commands("│a", "i<C-o>")).toEqual([{ _tag: "Unhandled", stroke: "<C-o>" }])
    expect(commands("│a", "<C-u>")).toEqual([{ _tag: "Unhandled", stroke: "<C-u>" }])
    expect(commands("│a", "<Esc>")).toEqual([{ _tag: "Unhandled", stroke: "<Esc>" }])
  })

  it("recalls history when j and k leave the text", () => {
    expect(commands("│a", "k")).toEqual([{ _tag: "HistoryOlder", count: 1 }])
    expect(commands("│a\nb", "jj")).toEqual([{ _tag: "HistoryNewer", count: 1 }])
    expect(commands("│a", "dk")).toEqual([{ _tag: "Bell" }])
  })

  it("opens history search and help with slashes on a single line only", () => {
    expect(commands("│a", "/")).toEqual([{ _tag: "OpenHistorySearch" }])
    expect(commands("│a", "?")).toEqual([{ _tag: "OpenHelp" }])
    expect(play("│a\nb", "/", prompt).mode).toBe("c")
  })

  it("copies yanks to the clipboard and reads it back", () => {
    expect(commands("│one two", "yw")).toEqual([{ _tag: "SetClipboard", text: "one " }])
    expect(after("│x", '"+p', { context: { clipboard: "a\nb" } })).toBe("x│a\nb")
  })

  it("names the lines that a filter should get", () => {
    expect(commands("│a\nb\nc", "!jsort<CR>")).toEqual([{ _tag: "PipeThrough", first: 0, last: 1, command: "sort" }])
  })

  it("hands on ex commands that it does not know", () => {
    expect(commands("│a", ":theme dark<CR>")).toEqual([{ _tag: "ExCommand", text: "theme dark", range: undefined }])
    expect(commands("│a", ":copy<CR>")).toEqual([{ _tag: "ExCommand", text: "copy", range: undefined }])
  })

  it("lists registers, marks and undo branches", () => {
    const listed = play("│ab", '"ayiwmbx:reg a<CR>:marks<CR>:undolist<CR>').commands
    expect(listed.map(({ _tag }) => _tag)).toEqual(["Listing", "Listing", "Listing"])
    expect(listed[0]).toMatchObject({ lines: ['  c  "a   ab'] })
  })

  it("takes a pair of keys for Escape when it was typed quickly", () => {
    const options = { ...prompt, options: { ...PROMPT_OPTIONS, insertRemaps: ["jk"] } }
    expect(after("│", "axjk", options)).toBe("│x")
  })
})

describe("modes", () => {
  it.each([
    ["", "NORMAL", "n"],
    ["d", "OPERATOR-PENDING", "no"],
    ["i", "INSERT", "i"],
    ["R", "REPLACE", "R"],
    ["v", "VISUAL", "v"],
    ["V", "VISUAL LINE", "V"],
    ["<C-v>", "VISUAL BLOCK", "\x16"],
    [":", "COMMAND-LINE", "c"],
    ["/", "SEARCH", "c"]
  ])("%s is %s", (keys, name, letters) => {
    const { vim, mode } = play("│ab", keys)
    expect([modeName(vim), mode]).toEqual([name, letters])
  })
})

describe("changes from outside", () => {
  it("are taken back by one undo", () => {
    const { vim } = play("a│b", "")
    const piped = replaceRange(vim, { first: 0, last: 0, lines: ["q", "r"] }, PLAIN_CONTEXT)
    expect(piped.buffer.lines).toEqual(["q", "r"])
    expect(step(piped, "u", PLAIN_CONTEXT).vim.buffer.lines).toEqual(["ab"])
  })
})
