import type { PermissionQuestion } from "../../../core/loop/machine/command.ts"
import { type AskUserQuestionInput, type Question, withAnswers } from "../../../core/tools/conversation/ask-user-question.ts"
import { questionsOf } from "../../model/dialogs/question-state.ts"
import { chosenIndex, type Dialog, type DialogOptions, numberLabels, type Reading } from "./dialog.ts"
import { indentLines } from "../../text/indented.ts"
import { shortenText } from "../shorten.ts"
import { visible } from "../visible.ts"

/** The model's questions to the user, one after the other, each as a numbered list. */

const PREVIEW_ROOM = { lines: 12, chars: 1_000 }

const optionLabel = ({ label, description }: Question["options"][number]): string =>
  description.trim() === "" ? visible(label, "prose") : `${visible(label, "prose")}: ${visible(description, "prose")}`

const optionLines = (question: Question): ReadonlyArray<string> =>
  numberLabels(question.options.map(optionLabel)).flatMap((line, index) => {
    const preview = question.options[index]?.preview
    return preview === undefined ? [line] : [line, ...indentLines(indentLines(shortenText(preview, PREVIEW_ROOM)))]
  })

const hintFor = ({ multiSelect, options }: Question, { cancelKey }: DialogOptions): string => {
  const numbers = `1-${options.length}`
  return multiSelect === true
    ? `Enter selections (${numbers}) separated by commas, or your own words, or ${cancelKey} to cancel`
    : `Enter selection (${numbers}), or your own words, or ${cancelKey} to cancel`
}

type Answer = { readonly text: string } | { readonly why: string }

/** Numbers stand for labels, one or several; every other line is the answer itself. */
const readAnswer = (line: string, { multiSelect, options }: Question): Answer => {
  const text = line.trim()
  if (text === "") return { why: "Nothing was chosen." }
  const parts = multiSelect === true ? text.split(",").map((part) => part.trim()) : [text]
  const indexes = parts.map((part) => chosenIndex(part, options.length))
  if (indexes.includes(undefined)) return { text }
  const missing = indexes.indexOf(null)
  if (missing !== -1) return { why: `There is no choice ${parts[missing]}.` }
  const labels = options.filter((_, index) => indexes.includes(index)).map(({ label }) => label)
  return { text: labels.join(", ") }
}

interface Asking {
  readonly input: AskUserQuestionInput
  /** Answers to the questions before this one. */
  readonly given: Readonly<Record<string, string>>
  readonly index: number
  readonly question: Question
}

const titleOf = ({ index, input, question }: Asking): string => {
  const place = input.questions.length === 1 ? "Question" : `Question ${index + 1} of ${input.questions.length}`
  return `${place}: ${visible(question.question, "prose")}`
}

const readLine = (line: string, asking: Asking, options: DialogOptions): Reading => {
  const { input, given, index, question } = asking
  const answer = readAnswer(line, question)
  if ("why" in answer) return { _tag: "Again", why: answer.why }
  const answers = { ...given, [question.question]: answer.text }
  const next = input.questions[index + 1]
  if (next !== undefined) {
    return { _tag: "Next", dialog: ask({ input, given: answers, index: index + 1, question: next }, options) }
  }
  return { _tag: "Answered", answer: { behavior: "allow", updatedInput: withAnswers(input, { answers }) } }
}

const ask = (asking: Asking, options: DialogOptions): Dialog => ({
  lines: [titleOf(asking), ...optionLines(asking.question)],
  hint: hintFor(asking.question, options),
  read: (line) => readLine(line, asking, options)
})

/** The dialog for a call of AskUserQuestion; undefined for every other call. */
export const questionDialog = (question: PermissionQuestion, options: DialogOptions): Dialog | undefined => {
  const input = questionsOf(question)
  const first = input?.questions[0]
  return input === undefined || first === undefined
    ? undefined
    : ask({ input, given: {}, index: 0, question: first }, options)
}
