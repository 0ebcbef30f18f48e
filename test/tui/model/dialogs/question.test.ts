import { pasteInto, EMPTY_FIELD } from "../../../../src/tui/editor/field.ts"
import { pressKey } from "../../../support/dialog-keys.ts"
import { describe, expect, it } from "vitest"
import type { PermissionQuestion } from "../../../../src/core/loop/machine/command.ts"
import { parseStrokes } from "../../../../src/tui/keymap/stroke.ts"
import { choiceRows } from "../../../../src/tui/text/choice-rows.ts"
import { questionPanel } from "../../../../src/tui/model/dock/question-panel.ts"
import {
  openQuestion,
  type QuestionDialog,
  type QuestionOutcome,
  questionsOf,
  updateQuestion,
  withWords,
  wordsIn
} from "../../../../src/tui/model/dialogs/question-state.ts"

/** The model's questions as a value: keys in, answers out. */

const COLOUR = {
  question: "Which colour?",
  header: "Colour",
  multiSelect: false,
  options: [
    { label: "Red", description: "Warm" },
    { label: "Blue", description: "Cold" }
  ]
}
const SIZES = {
  question: "Which sizes?",
  header: "Sizes",
  multiSelect: true,
  options: [
    { label: "S", description: "Small" },
    { label: "L", description: "Large" }
  ]
}

const asked = (...questions: ReadonlyArray<typeof COLOUR>): PermissionQuestion => ({
  callId: "call-1",
  tool: "AskUserQuestion",
  input: { questions },
  summary: "",
  decision: { verdict: "ask", reason: { type: "other", sentence: "it asks" } },
  suggestions: []
})

const start = (question: PermissionQuestion): QuestionDialog => {
  const input = questionsOf(question)
  if (input === undefined) throw new Error("no questions")
  return openQuestion(input)
}

const press = (question: PermissionQuestion, keys: string): QuestionOutcome => {
  let outcome: QuestionOutcome = { _tag: "Open", dialog: start(question) }
  for (const stroke of parseStrokes(keys)) {
    if (outcome._tag !== "Open") return outcome
    const dialog: QuestionDialog = outcome.dialog
    const next: QuestionOutcome | undefined = pressKey<QuestionOutcome>(stroke, {
      contexts: ["Confirmation", "Tabs"],
      field: wordsIn(dialog),
      put: (words) => ({ _tag: "Open", dialog: withWords(dialog, question, words) }),
      act: (id) => updateQuestion(dialog, question, id)
    })
    outcome = next ?? outcome
  }
  return outcome
}

const openAfter = (question: PermissionQuestion, keys: string): QuestionDialog => {
  const outcome = press(question, keys)
  if (outcome._tag !== "Open") throw new Error("it is not open any more")
  return outcome.dialog
}

const answersOf = (question: PermissionQuestion, keys: string): unknown => {
  const outcome = press(question, keys)
  if (outcome._tag !== "Answered" || outcome.answer.behavior !== "allow") return undefined
  const { updatedInput } = outcome.answer
  return typeof updatedInput === "object" && updatedInput !== null && "answers" in updatedInput
    ? updatedInput.answers
    : undefined
}

describe("the model's questions", () => {
  it.each<readonly [string, PermissionQuestion, string, unknown]>([
    ["one by Enter", asked(COLOUR), "j<CR>", { "Which colour?": "Blue" }],
    ["one by its number", asked(COLOUR), "1", { "Which colour?": "Red" }],
    ["own words", asked(COLOUR), "3teal<CR>", { "Which colour?": "teal" }],
    [
      "own words take the place of a choice",
      asked(COLOUR, SIZES),
      "1h3teal<CR><Space><CR><CR>",
      { "Which colour?": "teal", "Which sizes?": "S" }
    ],
    [
      "a choice takes the place of own words",
      asked(COLOUR, SIZES),
      "3teal<CR>h1<Space><CR><CR>",
      { "Which colour?": "Red", "Which sizes?": "S" }
    ],
    ["several, and words beside them", asked(SIZES), "<Space>j<Space>j<CR>XL<CR>", { "Which sizes?": "S, L, XL" }]
  ])("are answered with %s", (_, question, keys, answers) => {
    expect(answersOf(question, keys)).toEqual(answers)
  })

  it("send nothing while one has no answer", () => {
    expect(openAfter(asked(COLOUR, SIZES), "<Tab><Tab><CR>").tab).toBe(0)
  })

  it("are shown in full with d, which answers nothing", () => {
    expect(press(asked(COLOUR), "d")).toMatchObject({ _tag: "Whole" })
    expect(answersOf(asked(COLOUR), "3d<CR>")).toEqual({ "Which colour?": "d" })
  })

  it("take a paste only as own words", () => {
    const question = asked(COLOUR)
    expect(wordsIn(start(question))).toBeUndefined()
    const open = openAfter(question, "3")
    expect(withWords(open, question, pasteInto(wordsIn(open) ?? EMPTY_FIELD, "teal")).other[0]?.text).toBe("teal")
  })

  it("show beside every option what it means", () => {
    const question = asked(COLOUR)
    const input = questionsOf(question)
    const rows = input === undefined ? [] : choiceRows(questionPanel(input, start(question)).choices, 0, 60)
    const texts = rows.map(({ spans }) => spans.map(({ text }) => text).join(""))
    expect(texts).toEqual(["▸ 1 Red  Warm", "  2 Blue  Cold", "  3 Other, in your own words"])
  })
})

describe("what the options mean", () => {
  const told = (question: typeof COLOUR, width: number) => {
    const input = questionsOf(asked(question))
    if (input === undefined) throw new Error("no questions")
    const panel = questionPanel(input, openQuestion(input))
    const words = (rows: ReadonlyArray<{ readonly spans: ReadonlyArray<{ readonly text: string }> }>): string =>
      rows.map(({ spans }) => spans.map(({ text }) => text).join("")).join("\n")
    const choices = choiceRows(panel.choices, panel.selected, width)
    return {
      body: words(panel.body(width).rows),
      choices: words(choices),
      hints: panel.hints,
      reserve: panel.reserve?.(width)
    }
  }

  it("is told once: beside them where it fits, over them where it does not", () => {
    expect(told(COLOUR, 60).body).not.toContain("Warm")
    expect(told(COLOUR, 60).choices).toContain("Red  Warm")
    const wordy = { ...COLOUR, options: [{ label: "Red", description: `${"very ".repeat(20)}warm` }, ...COLOUR.options] }
    expect(told(wordy, 60).body).toContain("very warm")
    // The longest meaning has its rows whichever option is selected: nothing moves while somebody looks through them.
    expect(told(wordy, 60).reserve).toBe(1 + 2 + 4)
  })

  it("marks only where several can be chosen", () => {
    expect(told(COLOUR, 60).hints.flat()).not.toContain("confirm:toggle")
    expect(told(SIZES, 60).hints.flat()).toContain("confirm:toggle")
  })
})
