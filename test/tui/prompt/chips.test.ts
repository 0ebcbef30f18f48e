import { describe, expect, it } from "vitest"
import { adoptLabels, chipTable, expandChips, isLargePaste, labelChips } from "../../../src/tui/prompt/chip.ts"
import type { EditorChoice } from "../../../src/tui/prompt/model.ts"
import { pasteImage } from "../../../src/tui/prompt/paste.ts"
import { entry, feed, fresh, NORMAL, paste, plainText, sent, shownText, type, VIM } from "./world.ts"

const BIG = "one\ntwo\nthree\nfour"
const BOTH: ReadonlyArray<EditorChoice> = [NORMAL, VIM]

describe("what is a large paste", () => {
  it("begins above 800 characters or 2 line breaks", () => {
    expect(["x".repeat(800), "a\nb\nc"].map(isLargePaste)).toEqual([false, false])
    expect(["x".repeat(801), "a\nb\nc\nd"].map(isLargePaste)).toEqual([true, true])
  })
})

describe.each(BOTH)("a chip ($mode)", (choice) => {
  it("stands for the paste, is stored and sent in full", () => {
    const { prompt, commands } = feed(fresh(choice), ["s", "e", "e", " ", paste(BIG)])
    expect(labelChips(plainText(prompt), prompt.chips)).toBe("see [Pasted text #1 +3 lines]")
    expect(commands).toEqual([{ _tag: "StorePaste", number: 1, text: BIG }])
    const played = type(prompt, "<CR>")
    expect(sent(played)).toEqual([`prompt:see ${BIG}`])
    const submission = { display: "see [Pasted text #1 +3 lines]", chips: [{ number: 1 }] }
    expect(played.commands).toMatchObject([{ submission }])
  })

  it("is one character for motion and deletion", () => {
    const { prompt } = feed(fresh(choice), ["a", paste(BIG), "b", "<Left>", "<Left>"])
    expect(shownText(prompt).startsWith("a|")).toBe(true)
    expect(plainText(feed(prompt, ["<Right>", "<BS>"]).prompt)).toBe("ab")
  })

  it("opens on Enter when the caret is on it", () => {
    const played = feed(fresh(choice), ["a", paste(BIG), "<Left>", "<CR>"])
    expect(plainText(played.prompt)).toBe(`a${BIG}`)
    expect(sent(played)).toEqual([])
  })

  it("cannot be forged by typing or pasting its character", () => {
    const { prompt } = feed(fresh(choice), [paste(BIG), "\u{10f001}", paste("\u{10f001}")])
    expect(expandChips(plainText(prompt), prompt.chips)).toBe(`${BIG}\ufffd\ufffd`)
  })

  it("of an image is sent by its label", () => {
    const prompt = pasteImage(fresh(choice), "abc", 0)
    const played = type(prompt, "<CR>")
    const submission = { text: "[Image #1]", chips: [{ _tag: "Image", reference: "abc" }] }
    expect(played.commands).toMatchObject([{ submission }])
  })
})

describe("folds of chips in vim", () => {
  it("open with zo and close with zc", () => {
    const { prompt } = feed(fresh(VIM), ["a", paste(BIG), "<Esc>"])
    const opened = type(prompt, "zo").prompt
    expect(plainText(opened)).toBe(`a${BIG}`)
    expect(plainText(type(opened, "jzc").prompt)).toBe(plainText(prompt))
    expect(plainText(type(opened, "u").prompt)).toBe(plainText(prompt))
  })

  it("are yanked to the clipboard as their text", () => {
    const { prompt } = feed(fresh(VIM), ["a", paste(BIG), "<Esc>"])
    expect(type(prompt, "yy").commands).toContainEqual({ _tag: "SetClipboard", text: `a${BIG}\n` })
  })
})

describe("chips from history", () => {
  const known = [{ _tag: "Paste", number: 7, text: BIG } as const]

  it("get numbers of this session; unknown labels stay text", () => {
    const { text, chips } = adoptLabels("[Pasted text #7 +3 lines] [Pasted text #8]", known, 3)
    expect(chips).toEqual([{ _tag: "Paste", number: 3, text: BIG }])
    expect(labelChips(text, chipTable(chips))).toBe("[Pasted text #3 +3 lines] [Pasted text #8]")
  })

  it("are sent again in full, and never mixed up with those of the draft", () => {
    const chips = [{ _tag: "Paste", number: 1, text: "x\ny\nz\nw" } as const]
    const history = [entry("again [Pasted text #1 +3 lines]", { chips })]
    const { prompt } = feed(fresh(), [paste(BIG)])
    expect(sent(type(prompt, "<Up><CR>", { history }))).toEqual(["prompt:again x\ny\nz\nw"])
    expect(sent(type(prompt, "<Up><Down><CR>", { history }))).toEqual([`prompt:${BIG}`])
  })

  it("whose text is gone are left out with a notice, but never out of a command", () => {
    const gone = [{ _tag: "Paste", number: 1, text: undefined } as const]
    const prose = type(fresh(), "<Up><CR>", { history: [entry("see [Pasted text #1]", { chips: gone })] })
    expect(sent(prose)).toEqual(["prompt:see "])
    expect(prose.commands.map(({ _tag }) => _tag)).toEqual(["Send", "Notice"])
    for (const display of ["!cat [Pasted text #1]", "/do [Pasted text #1]", "[Pasted text #1]"]) {
      const kept = type(fresh(), "<Up><CR>", { history: [entry(display, { chips: gone })] })
      expect(sent(kept)).toEqual([])
      expect(kept.commands.map(({ _tag }) => _tag)).toEqual(["Notice"])
      expect(plainText(kept.prompt)).not.toBe("")
    }
  })
})
