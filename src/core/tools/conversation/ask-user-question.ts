import { Schema } from "effect"
import { LIMITS } from "../../domain/limits.ts"
import description from "./ask-user-question.md"
import { withInternalKeys } from "../contract/input-schema.ts"
import { makeTool } from "../contract/tool.ts"

/**
 * Questions to the user. The model sends questions only. Whoever shows them (dialog or host) adds the answers to the
 * same input under keys that are not published and are dropped from what the model sends; then the call runs.
 */
const Choice = Schema.Struct({
  label: Schema.NonEmptyString.annotate({ description: "Short name of the choice, one to five words" }),
  description: Schema.String.annotate({ description: "What choosing it means" }),
  preview: Schema.optionalKey(
    Schema.String.annotate({ description: "Markdown to look at while choosing: a sketch, a snippet, a diagram" })
  )
})

const Question = Schema.Struct({
  question: Schema.NonEmptyString.annotate({ description: "The whole question, ending with a question mark" }),
  header: Schema.String.check(Schema.isMaxLength(12)).annotate({
    description: "A label of at most 12 characters, for example `Library`"
  }),
  options: Schema.Array(Choice)
    .check(Schema.isMinLength(2), Schema.isMaxLength(4))
    .annotate({ description: "Two to four choices. A free answer is always possible, do not list it" }),
  multiSelect: Schema.optionalKey(Schema.Boolean.annotate({ description: "Whether several choices may be taken" }))
})
export type Question = typeof Question.Type

const Annotation = Schema.Struct({
  preview: Schema.optionalKey(Schema.String),
  notes: Schema.optionalKey(Schema.String)
})

export const AskUserQuestionInput = withInternalKeys(
  Schema.Struct({
    questions: Schema.Array(Question).check(Schema.isMinLength(1), Schema.isMaxLength(4)),
    /** Text by question; several choices joined by ", ". */
    answers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
    /** What the user wrote instead of answering the questions one by one. */
    response: Schema.optionalKey(Schema.String),
    annotations: Schema.optionalKey(Schema.Record(Schema.String, Annotation)),
    /** The answers were sent by a timeout of this length. */
    afkTimeoutMs: Schema.optionalKey(Schema.Finite)
  }),
  ["answers", "response", "annotations", "afkTimeoutMs"]
)
export type AskUserQuestionInput = typeof AskUserQuestionInput.Type

/** What the user gave back; the keys that only a dialog or a host may add. */
export type Answers = Omit<AskUserQuestionInput, "questions"> & { readonly answers: Readonly<Record<string, string>> }

/** The input to run after the user answered. */
export const withAnswers = (input: AskUserQuestionInput, answers: Answers): AskUserQuestionInput => ({
  questions: input.questions,
  ...answers
})

const firstRepeated = (texts: ReadonlyArray<string>): string | undefined =>
  texts.find((text, index) => texts.indexOf(text) !== index)

const problem = ({ questions }: AskUserQuestionInput): string | undefined => {
  const question = firstRepeated(questions.map((entry) => entry.question))
  if (question !== undefined) return `InvalidQuestions: the question "${question}" is there twice. Nobody was asked.`
  const labels = questions.map((entry) => firstRepeated(entry.options.map((option) => option.label)))
  const index = labels.findIndex((label) => label !== undefined)
  if (index === -1) return undefined
  return `InvalidQuestions: questions[${index}] has the label "${labels[index]}" twice. Nobody was asked.`
}

export const askUserQuestionTool = makeTool<AskUserQuestionInput>({
  name: "AskUserQuestion",
  description,
  input: AskUserQuestionInput,
  maxResultChars: 100_000,
  offered: "interactive",
  needs: () => [{ kind: "interaction" }],
  summary: ({ questions }) =>
    questions
      .map((entry) => entry.question)
      .join(" ")
      .slice(0, LIMITS.toolSummaryChars),
  validate: problem
})

/** The structured output, with the field names hosts know. */
export type AskUserQuestionData = Pick<AskUserQuestionInput, "questions"> & Answers

const noteOf = (question: string, input: AskUserQuestionInput): string => {
  const notes = input.annotations?.[question]?.notes?.trim() ?? ""
  return notes === "" ? "" : `\n  Note: ${notes}`
}

const answerLine = (question: string, input: AskUserQuestionInput): string => {
  const answer = input.answers?.[question]?.trim() ?? ""
  return `- ${question}\n  ${answer === "" ? "(not answered)" : answer}${noteOf(question, input)}`
}

/** What the model sees of the answers. */
export const answersText = (data: AskUserQuestionData): string => {
  const waitedSeconds = data.afkTimeoutMs === undefined ? undefined : Math.round(data.afkTimeoutMs / 1000)
  const response = data.response?.trim() ?? ""
  return [
    waitedSeconds === undefined
      ? "The user answered:"
      : `The user sent no answer within ${waitedSeconds} s and may be away. What was selected by then:`,
    ...data.questions.map((entry) => answerLine(entry.question, data)),
    ...(response === "" ? [] : [`The user also wrote: ${response}`]),
    ...(waitedSeconds === undefined
      ? []
      : ["Go on with your best judgement, prefer what can be undone, and say what you assumed."])
  ].join("\n")
}

/** The answers of an input that a user has seen; undefined if nobody has. */
export const answeredData = (input: AskUserQuestionInput): AskUserQuestionData | undefined => {
  const { answers } = input
  return answers === undefined ? undefined : { ...input, answers }
}
