import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { replaceText, textIn } from "../../../src/tui/prompt/editor.ts"
import type { PromptModel } from "../../../src/tui/prompt/model.ts"
import { fresh, NORMAL, type, VIM } from "./world.ts"

/** Undo goes back through everything that changed a prompt, typed or put there, and redo comes back to it. */

const act = fc.oneof(
  fc.constantFrom("a", "b c", "x<BS>y", "<Left>z").map((keys) => ({ keys })),
  fc.constantFrom("", "other", "two\nlines", "é漢").map((text) => ({ text }))
)

const apply = (prompt: PromptModel, deed: { readonly keys: string } | { readonly text: string }, now: number): PromptModel =>
  "keys" in deed
    ? type(prompt, deed.keys).prompt
    : { ...prompt, editor: replaceText(prompt.editor, deed.text, { caret: { line: 0, column: 0 }, now }) }

const times = (prompt: PromptModel, keys: string, count: number): PromptModel =>
  Array.from({ length: count }).reduce<PromptModel>((at) => type(at, keys).prompt, prompt)

describe.each([NORMAL, VIM])("undo ($mode)", (choice) => {
  it("ends at the beginning, whatever was typed and replaced", () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 8 }), (deeds) => {
        const done = deeds.reduce<PromptModel>((prompt, deed, index) => apply(prompt, deed, index * 2_000), fresh(choice))
        const isVim = choice.mode === "vim"
        const left = isVim ? type(done, "<Esc>").prompt : done
        const undone = times(left, isVim ? "u" : "<C-_>", 60)
        expect(textIn(undone.editor)).toBe("")
        if (isVim) expect(textIn(times(undone, "<C-r>", 60).editor)).toBe(textIn(done.editor))
      })
    )
  })
})
