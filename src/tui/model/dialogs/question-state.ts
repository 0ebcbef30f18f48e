import { type OverlayActionId, numberOf } from "../../keymap/actions/action-tables.ts"
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
import { EMPTY_FIELD, type Field } from "../../editor/field.ts"

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

const whileTyping = (
  input: AskUserQuestionInput,
  dialog: QuestionDialog,
  id: OverlayActionId
): QuestionOutcome | undefined => {
  if (id === "confirm:leave") return stay(dialog, { isTyping: false })
  return id === "confirm:choose" ? onward(input, { ...dialog, isTyping: false }) : undefined
}

/** Where own words are typed. */
export const wordsIn = ({ isTyping, other, tab }: QuestionDialog): Field | undefined =>
  isTyping ? (other[tab] ?? EMPTY_FIELD) : undefined

export const withWords = (dialog: QuestionDialog, asked: PermissionQuestion, words: Field): QuestionDialog => {
  const question = questionsOf(asked)?.questions[dialog.tab]
  return question === undefined ? dialog : { ...dialog, ...worded(question, dialog, words) }
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

const TABS: Readonly<Partial<Record<OverlayActionId, 1 | -1>>> = {
  "confirm:nextField": 1,
  "tabs:next": 1,
  "confirm:cycleMode": -1,
  "confirm:previousField": -1,
  "tabs:previous": -1
}

const MOVES: Readonly<Partial<Record<OverlayActionId, 1 | -1>>> = { "confirm:next": 1, "confirm:previous": -1 }

/** Enter goes on where options were marked, and chooses where none was. */
const enter = (input: AskUserQuestionInput, question: Question, dialog: QuestionDialog): QuestionOutcome => {
  const option = dialog.selected[dialog.tab] ?? 0
  const isAnswered = question.multiSelect === true && answerText(question, dialog, dialog.tab) !== ""
  return isAnswered && option < question.options.length
    ? onward(input, dialog)
    : choose(input, question, { dialog, option, goesOn: true })
}

const onTab = (input: AskUserQuestionInput, dialog: QuestionDialog, id: OverlayActionId): QuestionOutcome | undefined => {
  const current = input.questions[dialog.tab]
  if (current === undefined) return id === "confirm:choose" || id === "confirm:yes" ? submit(input, dialog) : undefined
  const rows = current.options.length + 1
  const at = dialog.selected[dialog.tab] ?? 0
  const moved = MOVES[id]
  if (moved !== undefined) return stay(dialog, { selected: put(dialog.selected, dialog.tab, (at + rows + moved) % rows) })
  if (id === "confirm:toggle") return choose(input, current, { dialog, option: at, goesOn: false })
  if (id === "confirm:choose") return enter(input, current, dialog)
  const option = Number(numberOf(id) ?? 0) - 1
  return option >= 0 && option < rows ? choose(input, current, { dialog, option, goesOn: true }) : undefined
}

/** One action on the dialog; undefined where it has no meaning there. */
export const updateQuestion = (
  dialog: QuestionDialog,
  question: PermissionQuestion,
  id: OverlayActionId
): QuestionOutcome | undefined => {
  const input = questionsOf(question)
  if (input === undefined) return undefined
  if (dialog.isTyping) return whileTyping(input, dialog, id)
  if (id === "confirm:zoomDiff") return { _tag: "Whole", dialog }
  if (id === "confirm:leave") {
    return { _tag: "Answered", answer: { behavior: "deny", message: rejectionText(question.tool), interrupt: true } }
  }
  const tabs = input.questions.length + (input.questions.length > 1 ? 1 : 0)
  const by = TABS[id]
  return by === undefined ? onTab(input, dialog, id) : stay(dialog, { tab: (dialog.tab + tabs + by) % tabs })
}
