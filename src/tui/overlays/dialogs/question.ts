import type { AskUserQuestionInput, Question } from "../../../core/tools/conversation/ask-user-question.ts"
import { textWidth } from "../../screen/cell/width.ts"
import { EMPTY_FIELD } from "../../editor/field.ts"
import type { Look, Row, Span } from "../../screen/style/row.ts"
import { layoutMarkdown } from "../../text/markdown/stream.ts"
import { sanitize, visibleLine } from "../../text/sanitize.ts"
import { choiceRows, EMPTY_ROW, fieldRow, lineRow, textRows, tightChoiceRows } from "../../text/line-rows.ts"
import type { Panel, PanelCaret } from "../panel/panel.ts"
import { answerText, type QuestionDialog } from "../../model/dialogs/question-state.ts"

/** How the model's questions look: tabs, the question, its options, and what each would mean. */

const QUIET: Look = { role: "subtle" }
const STRONG: Look = { role: "text", bold: true }
const COUNTDOWN: Look = { role: "warning", bold: true }
const TAB: Look = { role: "subtle" }
const TAB_HERE: Look = { role: "permission", bold: true, underline: true }
const TAB_DONE: Look = { role: "success" }

const WIDTH = 90

const HINTS = {
  choice: "Enter choose · Esc decline",
  marking: "Space mark · Enter choose · Esc decline",
  words: "Enter takes it · Esc leaves the field",
  review: "Enter sends · Esc decline"
} as const

const previewOptions = (width: number) =>
  ({
    width,
    glyphs: "unicode",
    highlight: true,
    tabWidth: 4,
    codeWrap: false,
    scroll: 0,
    cwd: ""
  }) as const

const tabsRow = (input: AskUserQuestionInput, dialog: QuestionDialog, width: number): Row => {
  const tabs = input.questions.flatMap((question, at): ReadonlyArray<Span> => {
    const isDone = answerText(question, dialog, at) !== ""
    const look = at === dialog.tab ? TAB_HERE : isDone ? TAB_DONE : TAB
    return [...sanitize(`${isDone ? "✓ " : ""}${question.header}`, "command", { look }), { text: "   ", look: TAB }]
  })
  const review: Span = { text: "Submit", look: dialog.tab === input.questions.length ? TAB_HERE : TAB }
  return lineRow([...tabs, review], width)
}

const MOST_MARGIN = 8

/** Beside the labels there is room for all that the options mean; then it is not told a second time. */
const saysAllBeside = ({ options, multiSelect }: Question, width: number): boolean => {
  const margin = multiSelect === true ? MOST_MARGIN : 4
  return options.every(
    ({ label, description }) =>
      !description.includes("\n") && margin + textWidth(visibleLine(`${label}  ${description}`, "prose")) <= width
  )
}

const questionRows = (question: Question, dialog: QuestionDialog, width: number): ReadonlyArray<Row> => {
  const at = dialog.selected[dialog.tab] ?? 0
  const chosen = question.options[at]
  const preview = chosen?.preview
  // In few rows labels are cut; the chosen one can be read here.
  const isLong = chosen !== undefined && textWidth(visibleLine(chosen.label, "prose")) > width - MOST_MARGIN
  const meaning = chosen === undefined ? "" : isLong ? `${chosen.label}: ${chosen.description}` : chosen.description
  return [
    ...textRows(question.question, width, STRONG),
    ...(chosen === undefined || saysAllBeside(question, width) ? [] : textRows(meaning, width, QUIET)),
    ...(preview === undefined ? [] : [EMPTY_ROW, ...layoutMarkdown(preview, previewOptions(width))])
  ]
}

const reviewRows = (input: AskUserQuestionInput, dialog: QuestionDialog, width: number): ReadonlyArray<Row> =>
  input.questions.flatMap((question, at) => [
    ...textRows(question.question, width, QUIET),
    ...textRows(`  ${answerText(question, dialog, at) || "no answer yet"}`, width, STRONG)
  ])

const choicesFor = (question: Question, dialog: QuestionDialog) => {
  const chosen = dialog.chosen[dialog.tab] ?? new Set<number>()
  const box = (index: number): string => (question.multiSelect === true ? (chosen.has(index) ? "[x] " : "[ ] ") : "")
  return [
    ...question.options.map(({ label, description }, index) => ({
      key: String(index + 1),
      kind: "prose" as const,
      label: `${box(index)}${label}`,
      aside: description
    })),
    { key: String(question.options.length + 1), label: "Other, in your own words" }
  ]
}

interface FootRoom {
  readonly width: number
  readonly rows: typeof choiceRows
}

const footOf = (input: AskUserQuestionInput, dialog: QuestionDialog, { width, rows: choices }: FootRoom) => {
  const question = input.questions[dialog.tab]
  if (question === undefined)
    return { rows: choiceRows([{ key: "↵", label: "Submit answers" }], 0, width), caret: undefined }
  const rows = choices(choicesFor(question, dialog), dialog.selected[dialog.tab] ?? 0, width)
  const other = dialog.other[dialog.tab] ?? EMPTY_FIELD
  if (!dialog.isTyping && other.text === "") return { rows, caret: undefined }
  const field = fieldRow("other:", other, width)
  return { rows: [...rows, field.row], caret: dialog.isTyping ? { row: rows.length, column: field.column } : undefined }
}

const countdownRows = (seconds: number | undefined, width: number): ReadonlyArray<Row> =>
  seconds === undefined
    ? []
    : textRows(`What is selected is sent in ${seconds} s. Any key waits for you again.`, width, COUNTDOWN)

/** Tab goes somewhere only where there is more than one question. */
const hintOf = ({ questions }: AskUserQuestionInput, dialog: QuestionDialog): string => {
  const kind = hintKind(questions[dialog.tab], dialog)
  return kind === "words" || questions.length < 2 ? HINTS[kind] : `${HINTS[kind]} · Tab next question`
}

const hintKind = (question: Question | undefined, { isTyping }: QuestionDialog): keyof typeof HINTS => {
  if (isTyping) return "words"
  if (question === undefined) return "review"
  return question.multiSelect === true ? "marking" : "choice"
}

export const questionPanel = (input: AskUserQuestionInput, dialog: QuestionDialog, secondsLeft?: number): Panel => {
  const foot = (width: number, rows = choiceRows) => footOf(input, dialog, { width, rows })
  const caretAt = (width: number): PanelCaret => ({ part: "foot", row: 0, column: 0, ...foot(width).caret })
  return {
    title: "Question",
    tone: "calm",
    width: WIDTH,
    top: dialog.top,
    body: (width) => {
      const question = input.questions[dialog.tab]
      const tabs = input.questions.length > 1 ? [tabsRow(input, dialog, width), EMPTY_ROW] : []
      return [
        ...countdownRows(secondsLeft, width),
        ...tabs,
        ...(question === undefined ? reviewRows(input, dialog, width) : questionRows(question, dialog, width))
      ]
    },
    foot: (width) => foot(width).rows,
    tightFoot: (width) => foot(width, tightChoiceRows).rows,
    ...(dialog.isTyping ? { caret: caretAt } : {}),
    hint: hintOf(input, dialog),
    scrollKey: "d"
  }
}
