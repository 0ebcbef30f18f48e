import { Schema } from "effect"
import type { PermissionQuestion } from "../../../core/loop/machine/command.ts"
import type { PermissionAnswer } from "../../../core/loop/machine/event.ts"
import { rejectionText } from "../../../core/permission/decide/explain.ts"
import {
  AskUserQuestionInput,
  askUserQuestionTool,
  type Question,
  withAnswers
} from "../../../core/tools/conversation/ask-user-question.ts"
import { EMPTY_FIELD, type Field, pasteInto, updateField } from "../../editor/field.ts"
import type { Stroke } from "../../keymap/stroke.ts"

/** The model's questions to the user as tabs, with a last tab to look everything over. */
export interface QuestionDialog {
  readonly _tag: "Question"
  /** The tab; one past the last question is the review. */
  readonly tab: number
  readonly selected: ReadonlyArray<number>
  /** Chosen options by question. */
  readonly chosen: ReadonlyArray<ReadonlySet<number>>
  /** Own words by question. */
  readonly other: ReadonlyArray<Field>
  readonly isTyping: boolean
}

const isQuestions = Schema.is(AskUserQuestionInput)

/** What is asked, when this is a call of AskUserQuestion. */
export const questionsOf = ({ tool, input }: PermissionQuestion): AskUserQuestionInput | undefined =>
  tool === askUserQuestionTool.name && isQuestions(input) ? input : undefined

export const openQuestion = ({ questions }: AskUserQuestionInput): QuestionDialog => ({
  _tag: "Question",
  tab: 0,
  selected: questions.map(() => 0),
  chosen: questions.map(() => new Set()),
  other: questions.map(() => EMPTY_FIELD),
  isTyping: false
})

export type QuestionOutcome =
  | { readonly _tag: "Open"; readonly dialog: QuestionDialog }
  | { readonly _tag: "Answered"; readonly answer: PermissionAnswer }
  /** The whole of what is asked is to be read. */
  | { readonly _tag: "Whole"; readonly dialog: QuestionDialog }

const stay = (dialog: QuestionDialog, change: Partial<QuestionDialog>): QuestionOutcome => ({
  _tag: "Open",
  dialog: { ...dialog, ...change }
})

/** The answer so far; empty while nothing was chosen. */
export const answerText = (question: Question, dialog: QuestionDialog, at: number): string => {
  const words = dialog.other[at]?.text.trim() ?? ""
  const labels = question.options.filter((_, index) => dialog.chosen[at]?.has(index) === true).map(({ label }) => label)
  return [...labels, ...(words === "" ? [] : [words])].join(", ")
}

export const answersSoFar = (input: AskUserQuestionInput, dialog: QuestionDialog): Readonly<Record<string, string>> =>
  Object.fromEntries(input.questions.map((question, at) => [question.question, answerText(question, dialog, at)]))

const submit = (input: AskUserQuestionInput, dialog: QuestionDialog): QuestionOutcome => {
  const missing = input.questions.findIndex((question, at) => answerText(question, dialog, at) === "")
  if (missing >= 0) return stay(dialog, { tab: missing })
  const answers = answersSoFar(input, dialog)
  return { _tag: "Answered", answer: { behavior: "allow", updatedInput: withAnswers(input, { answers }) } }
}

/** To the next question; a single one that was answered is sent at once. */
const onward = (input: AskUserQuestionInput, dialog: QuestionDialog): QuestionOutcome =>
  input.questions.length === 1
    ? submit(input, dialog)
    : stay(dialog, { tab: Math.min(dialog.tab + 1, input.questions.length), isTyping: false })

const put = <A>(list: ReadonlyArray<A>, at: number, value: A): ReadonlyArray<A> =>
  list.map((each, index) => (index === at ? value : each))

/** Where one answer is wanted, an option and own words take each other's place. */
const toggled = (question: Question, dialog: QuestionDialog, option: number): Pick<QuestionDialog, "chosen" | "other"> => {
  if (question.multiSelect !== true) {
    return {
      chosen: put(dialog.chosen, dialog.tab, new Set([option])),
      other: put(dialog.other, dialog.tab, EMPTY_FIELD)
    }
  }
  const next = new Set(dialog.chosen[dialog.tab])
  if (!next.delete(option)) next.add(option)
  return { chosen: put(dialog.chosen, dialog.tab, next), other: dialog.other }
}

const worded = (question: Question, dialog: QuestionDialog, field: Field): Partial<QuestionDialog> => ({
  other: put(dialog.other, dialog.tab, field),
  ...(question.multiSelect === true || field.text.trim() === ""
    ? {}
    : { chosen: put(dialog.chosen, dialog.tab, new Set<number>()) })
})

const whileTyping = (input: AskUserQuestionInput, dialog: QuestionDialog, stroke: Stroke): QuestionOutcome => {
  if (stroke === "<Esc>") return stay(dialog, { isTyping: false })
  if (stroke === "<CR>") return onward(input, { ...dialog, isTyping: false })
  const field = updateField(dialog.other[dialog.tab] ?? EMPTY_FIELD, stroke)
  const question = input.questions[dialog.tab]
  return field === undefined || question === undefined ? stay(dialog, {}) : stay(dialog, worded(question, dialog, field))
}

/** Pasted text goes where own words are typed. */
export const pasteWords = (dialog: QuestionDialog, asked: PermissionQuestion, text: string): QuestionDialog => {
  const question = questionsOf(asked)?.questions[dialog.tab]
  if (!dialog.isTyping || question === undefined) return dialog
  return { ...dialog, ...worded(question, dialog, pasteInto(dialog.other[dialog.tab] ?? EMPTY_FIELD, text)) }
}

const choose = (
  input: AskUserQuestionInput,
  question: Question,
  at: { readonly dialog: QuestionDialog; readonly option: number; readonly goesOn: boolean }
): QuestionOutcome => {
  const { dialog, option, goesOn } = at
  const moved = { ...dialog, selected: put(dialog.selected, dialog.tab, option) }
  if (option >= question.options.length) return stay(moved, { isTyping: true })
  const next = { ...moved, ...toggled(question, moved, option) }
  return goesOn && question.multiSelect !== true ? onward(input, next) : stay(next, {})
}

const MOVES: Readonly<Record<Stroke, 1 | -1>> = { j: 1, "<Down>": 1, "<C-n>": 1, k: -1, "<Up>": -1, "<C-p>": -1 }

/** One stroke for the dialog. */
export const updateQuestion = (dialog: QuestionDialog, question: PermissionQuestion, stroke: Stroke): QuestionOutcome => {
  const input = questionsOf(question)
  if (input === undefined) return stay(dialog, {})
  if (dialog.isTyping) return whileTyping(input, dialog, stroke)
  if (stroke === "d") return { _tag: "Whole", dialog }
  if (stroke === "<Esc>") {
    return { _tag: "Answered", answer: { behavior: "deny", message: rejectionText(question.tool), interrupt: true } }
  }
  const tabs = input.questions.length + (input.questions.length > 1 ? 1 : 0)
  if (stroke === "<Tab>" || stroke === "<Right>" || stroke === "l") return stay(dialog, { tab: (dialog.tab + 1) % tabs })
  if (stroke === "<S-Tab>" || stroke === "<Left>" || stroke === "h")
    return stay(dialog, { tab: (dialog.tab + tabs - 1) % tabs })
  const current = input.questions[dialog.tab]
  if (current === undefined) return stroke === "<CR>" || stroke === "y" ? submit(input, dialog) : stay(dialog, {})
  const rows = current.options.length + 1
  const at = dialog.selected[dialog.tab] ?? 0
  const moved = MOVES[stroke]
  if (moved !== undefined) return stay(dialog, { selected: put(dialog.selected, dialog.tab, (at + rows + moved) % rows) })
  if (stroke === " ") return choose(input, current, { dialog, option: at, goesOn: false })
  if (/^[1-9]$/.test(stroke) && Number(stroke) <= rows)
    return choose(input, current, { dialog, option: Number(stroke) - 1, goesOn: true })
  if (stroke !== "<CR>") return stay(dialog, {})
  const isAnswered = current.multiSelect === true && answerText(current, dialog, dialog.tab) !== ""
  return isAnswered && at < current.options.length
    ? onward(input, dialog)
    : choose(input, current, { dialog, option: at, goesOn: true })
}
