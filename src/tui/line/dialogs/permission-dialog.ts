import type { PermissionQuestion } from "../../../core/loop/machine/command.ts"
import type { PermissionAnswer } from "../../../core/loop/machine/event.ts"
import { rejectionText } from "../../../core/permission/decide/explain.ts"
import type { Decision } from "../../../core/permission/verdict.ts"
import { describeSaving, describeYes } from "../../model/dialogs/save-destination.ts"
import { callDetails } from "./call-details.ts"
import { chosenIndex, type Dialog, type DialogOptions, numbered, type Reading } from "./dialog.ts"
import { indented } from "../../text/indented.ts"
import { visible } from "../visible.ts"

interface Choice {
  readonly label: string
  readonly answer: PermissionAnswer
}

const refusal = (tool: string, feedback?: string): PermissionAnswer => ({
  behavior: "deny",
  message: rejectionText(tool, feedback)
})

/** The offer to remember the answer, where one helps. */
const remembering = ({ decision, suggestions }: PermissionQuestion): ReadonlyArray<Choice> =>
  decision.immune === true || suggestions.length === 0
    ? []
    : [
        {
          label: visible(describeSaving(suggestions)),
          answer: { behavior: "allow", updates: suggestions }
        }
      ]

const choicesFor = (question: PermissionQuestion): ReadonlyArray<Choice> => [
  { label: describeYes(question.decision), answer: { behavior: "allow" } },
  ...remembering(question),
  { label: "No", answer: refusal(question.tool) }
]

const PART_WORDS = { allow: "allowed", ask: "needs approval", deny: "denied" } as const

/** What would be lost, and of a command with several parts which of them ask. */
const partLines = ({ loss, subcommands = [] }: Decision): ReadonlyArray<string> => [
  ...(loss === undefined ? [] : [`Careful: ${visible(loss)}`]),
  ...(subcommands.length < 2 ? [] : subcommands.map(({ text, verdict }) => `${PART_WORDS[verdict]}: ${visible(text)}`))
]

const YES = new Set(["y", "yes"])
const NO = new Set(["n", "no"])

/** Numbers, yes and no choose; any other text refuses and tells the model what to do instead. */
const readChoice = (line: string, tool: string, choices: ReadonlyArray<Choice>): Reading => {
  const text = line.trim()
  const word = text.toLowerCase()
  const index = YES.has(word) ? 0 : NO.has(word) ? choices.length - 1 : chosenIndex(text, choices.length)
  const chosen = typeof index === "number" ? choices[index] : undefined
  if (chosen !== undefined) return { _tag: "Answered", answer: chosen.answer }
  if (text === "") return { _tag: "Again", why: "Nothing was chosen." }
  if (index === null) return { _tag: "Again", why: `There is no choice ${text}.` }
  return { _tag: "Answered", answer: refusal(tool, text) }
}

const SHOW_ALL = "all"

const dialogOf = (question: PermissionQuestion, options: DialogOptions, showsAll: boolean): Dialog => {
  const { cancelKey, where } = options
  const choices = choicesFor(question)
  const { told, whole, isWhole } = callDetails(question)
  const hasMore = !isWhole && !showsAll
  const rest = hasMore ? `, or ${SHOW_ALL} to read the whole call` : ""
  return {
    lines: [
      `Permission Required: ${visible(question.tool)}`,
      ...indented(showsAll ? whole : told),
      ...(where === undefined ? [] : [`In: ${visible(where)}`]),
      `Why: ${visible(question.decision.reason.sentence)}`,
      ...indented(partLines(question.decision)),
      ...numbered(choices.map(({ label }) => label))
    ],
    hint: `Enter selection (1-${choices.length}), or words to refuse with${rest}, or ${cancelKey} to cancel`,
    read: (line) =>
      hasMore && line.trim().toLowerCase() === SHOW_ALL
        ? { _tag: "Next", dialog: dialogOf(question, options, true) }
        : readChoice(line, question.tool, choices)
  }
}

/** The permission question: what would run, why it asks, and the choices. Nothing of the call is kept back. */
export const permissionDialog = (question: PermissionQuestion, options: DialogOptions): Dialog =>
  dialogOf(question, options, false)
