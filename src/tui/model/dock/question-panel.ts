import type { Hint } from "../../keymap/hint.ts"
import type { AskUserQuestionInput, Question } from "../../../core/tools/conversation/ask-user-question.ts"
import { textWidth } from "../../screen/cell/width.ts"
import { EMPTY_FIELD } from "../../editor/field.ts"
import type { Look, Row, Span } from "../../screen/style/row.ts"
import { layoutMarkdown } from "../../text/markdown/stream.ts"
import { sanitize, visibleLine } from "../../text/sanitize.ts"
import { EMPTY_ROW, lineRow, textRows } from "../../text/line-rows.ts"
import { answerText, type QuestionDialog } from "../dialogs/question-state.ts"
import { fewestRows } from "../../text/choice-rows.ts"
import { type DockChoice, type HintedPanel, FIELD_HINTS } from "./dock-panel.ts"

/** How the model's questions look: tabs, the question, its options, and what each would mean. */

const QUIET: Look = { role: "subtle" }
const STRONG: Look = { role: "text", bold: true }
const TAB: Look = { role: "subtle" }
const TAB_HERE: Look = { role: "permission", bold: true, underline: true }
const TAB_DONE: Look = { role: "success" }

const HINTS = {
  choice: [
    ["confirm:choose", "choose"],
    ["confirm:leave", "decline"]
  ],
  marking: [
    ["confirm:toggle", "mark"],
    ["confirm:choose", "choose"],
    ["confirm:leave", "decline"]
  ],
  words: FIELD_HINTS,
  review: [
    ["confirm:choose", "send"],
    ["confirm:leave", "decline"]
  ]
} as const satisfies Readonly<Record<string, ReadonlyArray<Hint>>>

const previewOptions = (width: number) =>
  ({ width, glyphs: "unicode", highlight: true, tabWidth: 4, codeWrap: false, scroll: 0, cwd: "" }) as const

const tabsRow = (input: AskUserQuestionInput, dialog: QuestionDialog, width: number): Row => {
  const tabs = input.questions.flatMap((question, at): ReadonlyArray<Span> => {
    const isDone = answerText(question, dialog, at) !== ""
    const look = at === dialog.tab ? TAB_HERE : isDone ? TAB_DONE : TAB
    return [...sanitize(`${isDone ? "✓ " : ""}${question.header}`, "command", { look }), { text: "   ", look: TAB }]
  })
  const review: Span = { text: "Submit", look: dialog.tab === input.questions.length ? TAB_HERE : TAB }
  return lineRow([...tabs, review], width)
}

/** Columns before the text of an option, with a box to mark it. */
const MOST_MARGIN = 8

/** Beside the labels there is room for all that the options mean; then it is not said a second time. */
const saysAllBeside = ({ options, multiSelect }: Question, width: number): boolean => {
  const margin = multiSelect === true ? MOST_MARGIN : 4
  return options.every(
    ({ label, description }) =>
      !description.includes("\n") && margin + textWidth(visibleLine(`${label}  ${description}`, "prose")) <= width
  )
}

/** What the option means, and its preview. */
const optionRows = (question: Question, at: number, width: number): ReadonlyArray<Row> => {
  const chosen = question.options[at]
  if (chosen === undefined) return []
  const { label, description, preview } = chosen
  // In few rows labels are cut; the chosen one can be read here.
  const isLong = textWidth(visibleLine(label, "prose")) > width - MOST_MARGIN
  const meaning = isLong ? `${label}: ${description}` : description
  return [
    ...(saysAllBeside(question, width) ? [] : textRows(meaning, width, QUIET)),
    ...(preview === undefined ? [] : layoutMarkdown(preview, previewOptions(width)))
  ]
}

const reviewRows = (input: AskUserQuestionInput, dialog: QuestionDialog, width: number): ReadonlyArray<Row> =>
  input.questions.flatMap((question, at) => [
    ...textRows(question.question, width, QUIET),
    ...textRows(`  ${answerText(question, dialog, at) || "no answer yet"}`, width, STRONG)
  ])

const choicesFor = (question: Question, dialog: QuestionDialog, tab: number): ReadonlyArray<DockChoice> => {
  const chosen = dialog.chosen[tab] ?? new Set<number>()
  const other = dialog.other[tab] ?? EMPTY_FIELD
  const isOpen = dialog.isTyping && tab === dialog.tab
  const box = (index: number): string => (question.multiSelect === true ? (chosen.has(index) ? "[x] " : "[ ] ") : "")
  const words = { key: String(question.options.length + 1), label: "Other, in your own words" }
  return [
    ...question.options.map(({ label, description }, index) => ({
      key: String(index + 1),
      kind: "prose" as const,
      label: `${box(index)}${label}`,
      meaning: description
    })),
    isOpen || other.text !== "" ? { ...words, label: "Other", field: { value: other, isOpen } } : words
  ]
}

const REVIEW: ReadonlyArray<DockChoice> = [{ key: "↵", label: "Submit answers" }]

const hintsOf = ({ questions }: AskUserQuestionInput, dialog: QuestionDialog): ReadonlyArray<Hint> => {
  const kind = hintKind(questions[dialog.tab], dialog)
  if (kind === "words") return HINTS.words
  return [
    ...HINTS[kind],
    ...(questions.length < 2 ? [] : [["confirm:nextField", "next question"] as const]),
    ["confirm:zoomDiff", "all"]
  ]
}

const hintKind = (question: Question | undefined, { isTyping }: QuestionDialog): keyof typeof HINTS => {
  if (isTyping) return "words"
  if (question === undefined) return "review"
  return question.multiSelect === true ? "marking" : "choice"
}

/** Rows of a tab whichever of its options is selected. */
const tallest = (input: AskUserQuestionInput, dialog: QuestionDialog, width: number): number => {
  const tabs = input.questions.length > 1 ? 1 : 0
  const ofQuestions = input.questions.map((question, tab) => {
    const meaning = Math.max(...question.options.map((_, at) => optionRows(question, at, width).length))
    const asked = textRows(question.question, width).length
    return (
      asked + meaning + fewestRows(choicesFor(question, dialog, tab), { selected: 0, width, isTight: false }).rows.length
    )
  })
  return tabs + Math.max(...ofQuestions, input.questions.length > 1 ? 2 * input.questions.length + 1 : 0)
}

/** Everything that is asked with everything that the options mean, to be read at rest. */
export const wholeQuestion = ({ questions }: AskUserQuestionInput, width: number): ReadonlyArray<Row> =>
  questions.flatMap((question, index) => [
    ...(index === 0 ? [] : [EMPTY_ROW]),
    ...textRows(question.question, width, STRONG),
    ...question.options.flatMap(({ label, description, preview }, at) => [
      ...textRows(`${at + 1} ${label}`, width),
      ...textRows(description, width, QUIET),
      ...(preview === undefined ? [] : layoutMarkdown(preview, previewOptions(width)))
    ])
  ])

const titleOf = ({ questions }: AskUserQuestionInput, { tab }: QuestionDialog): string => {
  if (questions.length < 2) return "Question"
  return tab < questions.length ? `Question ${tab + 1} of ${questions.length}` : "Your answers"
}

export const questionPanel = (input: AskUserQuestionInput, dialog: QuestionDialog, secondsLeft?: number): HintedPanel => {
  const question = input.questions[dialog.tab]
  const selected = dialog.selected[dialog.tab] ?? 0
  return {
    title: { lead: titleOf(input, dialog), path: "", tail: "" },
    aside: "",
    tone: "calm",
    body: (width) => {
      const tabs = input.questions.length > 1 ? [tabsRow(input, dialog, width)] : []
      const rows =
        question === undefined
          ? reviewRows(input, dialog, width)
          : [...textRows(question.question, width, STRONG), ...optionRows(question, selected, width)]
      // The title says which question it is, where the tabs have no room.
      return { rows: [...tabs, ...rows], from: tabs.length, beyond: 0, least: 4, why: [], weight: "half" }
    },
    choices: question === undefined ? REVIEW : choicesFor(question, dialog, dialog.tab),
    selected: question === undefined ? 0 : selected,
    note: secondsLeft === undefined ? "" : `The selected answer is sent in ${secondsLeft} s. Any key stops it.`,
    hints: hintsOf(input, dialog),
    reserve: (width) => tallest(input, dialog, width)
  }
}
