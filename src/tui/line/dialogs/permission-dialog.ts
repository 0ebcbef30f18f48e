import type { PermissionQuestion } from "../../../core/loop/machine/command.ts"
import type { PermissionAnswer } from "../../../core/loop/machine/event.ts"
import { type DecisionLine, decisionLines } from "../../model/dialogs/decision-lines.ts"
import { choicesOf, type OfferedChoice, refusal } from "../../model/dialogs/permission-state.ts"
import { callDetails } from "./call-details.ts"
import { type Dialog, type DialogOptions, keysOf, type Reading } from "./dialog.ts"
import { indentLines } from "../../text/indented.ts"
import { visible } from "../visible.ts"

/** Escape stops the turn here, so a plain no only refuses. */
const answerOf = ({ tool, suggestions }: PermissionQuestion, { choice }: OfferedChoice): PermissionAnswer => {
  if (choice === "no") return refusal(tool)
  return choice === "yes" ? { behavior: "allow" } : { behavior: "allow", updates: suggestions }
}

const PART_WORDS = { allow: "allowed", ask: "needs approval", deny: "denied" } as const

const lineOf = (line: DecisionLine): string => {
  if (line.kind === "part") return `  ${PART_WORDS[line.verdict]}: ${visible(line.text)}`
  return line.kind === "why" ? `Why: ${visible(line.text)}` : visible(line.text)
}

const WORDS: ReadonlyMap<string, OfferedChoice["choice"]> = new Map([
  ["y", "yes"],
  ["yes", "yes"],
  ["n", "no"],
  ["no", "no"]
])

const NUMBER = /^\d+$/

/** Numbers, yes and no choose; any other text refuses and tells the model what to do instead. */
const readChoice = (line: string, question: PermissionQuestion): Reading => {
  const text = line.trim()
  const word = WORDS.get(text.toLowerCase())
  const chosen = choicesOf(question).find(({ key, choice }) => key === text || choice === word)
  if (chosen !== undefined) return { _tag: "Answered", answer: answerOf(question, chosen) }
  if (text === "") return { _tag: "Again", why: "Nothing was chosen." }
  if (NUMBER.test(text)) return { _tag: "Again", why: `There is no choice ${text}.` }
  return { _tag: "Answered", answer: refusal(question.tool, text) }
}

const SHOW_ALL = "all"

const dialogOf = (question: PermissionQuestion, options: DialogOptions, showsAll: boolean): Dialog => {
  const { cancelKey, where } = options
  const choices = choicesOf(question)
  const { told, whole, isWhole } = callDetails(question)
  const hasMore = !isWhole && !showsAll
  const rest = hasMore ? `, or ${SHOW_ALL} to read the whole call` : ""
  return {
    lines: [
      `Permission Required: ${visible(question.tool)}`,
      ...indentLines(showsAll ? whole : told),
      ...(where === undefined ? [] : [`In: ${visible(where)}`]),
      ...decisionLines(question.decision).map(lineOf),
      ...choices.map(({ key, label }) => `${key}. ${visible(label)}`)
    ],
    hint: `Enter selection (${keysOf(choices)}), or words to refuse with${rest}, or ${cancelKey} to cancel`,
    read: (line) =>
      hasMore && line.trim().toLowerCase() === SHOW_ALL
        ? { _tag: "Next", dialog: dialogOf(question, options, true) }
        : readChoice(line, question)
  }
}

/** The permission question: what would run, why it asks, and the choices. Nothing of the call is kept back. */
export const permissionDialog = (question: PermissionQuestion, options: DialogOptions): Dialog =>
  dialogOf(question, options, false)
