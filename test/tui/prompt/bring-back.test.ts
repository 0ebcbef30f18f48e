import { describe, expect, it } from "vitest"
import { type Draft, draftOf, type EditorChoice, showDraft } from "../../../src/tui/prompt/model.ts"
import { recallOrder } from "../../../src/tui/prompt/recall.ts"
import { entry, feed, fresh, NORMAL, paste, plainText, sent, shownText, type, VIM } from "./world.ts"

const BIG = "one\ntwo\nthree\nfour"
const BOTH: ReadonlyArray<EditorChoice> = [NORMAL, VIM]

const draft = (text: string, more: Partial<Draft> = {}): Draft => ({
  text,
  caret: { line: 0, column: 0 },
  mode: "prompt",
  chips: [],
  ...more
})

describe.each(BOTH)("history ($mode)", (choice) => {
  const history = [entry("newest"), entry("!old command"), entry("two\nlines")]

  it("recalls older entries and restores the draft below the newest", () => {
    const start = type(fresh(choice), "draft<Left>").prompt
    expect(plainText(type(start, "<Up>", { history }).prompt)).toBe("newest")
    const older = type(start, "<Up><Up>", { history }).prompt
    expect([older.mode, plainText(older)]).toEqual(["shell", "old command"])
    expect(plainText(type(start, "<Up><Up><Up><Up>", { history }).prompt)).toBe("two\nlines")
    const back = type(start, "<Up><Up><Down><Down>", { history }).prompt
    expect([back.mode, shownText(back), back.recall]).toEqual(["prompt", "draf|t", undefined])
  })

  it("stays where it is without history", () => {
    expect(shownText(type(fresh(choice), "a<Up><Down>").prompt)).toBe("a|")
  })
})

describe("the order of recall", () => {
  it("is this session newest first, then the project, equal neighbours once", () => {
    const entries = [
      entry("a", { timestamp: 1 }),
      entry("b", { timestamp: 2 }),
      entry("b", { timestamp: 3 }),
      entry("c", { timestamp: 9, sessionId: "t" }),
      entry("d", { timestamp: 8, sessionId: "t", project: "/q" })
    ]
    const order = recallOrder(entries, { sessionId: "s", project: "/p" })
    expect(order.map(({ display }) => display)).toEqual(["b", "a", "c"])
  })
})

describe.each(BOTH)("the queue ($mode)", (choice) => {
  it("comes back one message a line, before the typed text", () => {
    const queue = [
      { id: "1", draft: draft("first"), isCommand: false },
      { id: "2", draft: draft("ls", { mode: "shell" }), isCommand: true },
      { id: "3", draft: draft("second"), isCommand: false }
    ]
    const played = type(fresh(choice), "typed<Up>", { queue })
    expect(shownText(played.prompt)).toBe("first\nsecond\ntyped|")
    expect(played.commands).toContainEqual({ _tag: "TakeBack", ids: ["1", "3"] })
  })

  it("gives a shell command back only alone and into an empty prompt", () => {
    const queue = [{ id: "1", draft: draft("ls", { mode: "shell" }), isCommand: true }]
    const empty = type(fresh(choice), "<Up>", { queue })
    expect([empty.prompt.mode, plainText(empty.prompt)]).toEqual(["shell", "ls"])
    expect(type(fresh(choice), "x<Up>", { queue }).commands).toEqual([])
  })
})

describe.each(BOTH)("the stash ($mode)", (choice) => {
  it("keeps text, caret and pastes, and survives sending", () => {
    const typed = feed(fresh(choice), ["a", paste(BIG), "b", "<Left>", "<C-s>"])
    expect(plainText(typed.prompt)).toBe("")
    expect(typed.commands).toContainEqual({ _tag: "Notice", text: "Prompt stashed" })
    const back = type(typed.prompt, "other<CR><C-s>").prompt
    expect(draftOf(back)).toEqual(typed.prompt.stash)
    expect(back.stash).toBeUndefined()
    expect(sent(type(back, "<CR>"))).toEqual([`prompt:a${BIG}b`])
  })
})

describe("drafts", () => {
  it("survive being stored as JSON, with chips and mode", () => {
    const { prompt } = feed(fresh(), ["!", "a", paste(BIG)])
    const stored = JSON.parse(JSON.stringify(draftOf(prompt))) as Draft
    const restored = showDraft(fresh(VIM), stored, 0)
    expect(draftOf(restored)).toEqual(draftOf(prompt))
    expect(restored.nextChip).toBe(2)
  })
})
