import { Result } from "effect"
import type { PermissionQuestion } from "../../../core/loop/machine/command.ts"
import type { PermissionAnswer } from "../../../core/loop/machine/event.ts"
import { rejectionText } from "../../../core/permission/decide/explain.ts"
import { needsDeliberation } from "../../../core/permission/verdict.ts"
import { parseRule } from "../../../core/permission/rules/parse.ts"
import { printRule } from "../../../core/permission/rule.ts"
import type { PermissionUpdate } from "../../../core/permission/configuration/update.ts"
import { EMPTY_FIELD, type Field, fieldOf, updateField } from "../../editor/field.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import {
  describeSaving,
  describeYes,
  destinationOf,
  isMovable,
  nextDestination,
  type SaveDestination,
  sentTo
} from "./save-destination.ts"

/** The permission dialog as a value: which answer is chosen, what is being typed, what is shown beside it. */
export interface PermissionDialog {
  readonly _tag: "Permission"
  readonly selected: number
  readonly typing: "nothing" | "comment" | "rule"
  readonly comment: Field
  /** The rule to save, when the person changed it. */
  readonly rule: Field | undefined
  /** Where to save, when the person chose another place than the one proposed. */
  readonly destination: SaveDestination | undefined
  readonly top: number
  readonly explains: boolean
  readonly traces: boolean
  /** What was opened last, which is scrolled to until the person scrolls. */
  readonly reveals: "risk" | "trace" | undefined
  readonly problem: string | undefined
}

export const openPermission = (question: PermissionQuestion): PermissionDialog => ({
  _tag: "Permission",
  selected: needsDeliberation(question.decision) ? choicesOf(question, NOTHING_CHANGED).length - 1 : 0,
  typing: "nothing",
  comment: EMPTY_FIELD,
  ...NOTHING_CHANGED,
  top: 0,
  explains: false,
  traces: false,
  reveals: undefined,
  problem: undefined
})

export type PermissionChoice = "yes" | "always" | "no"

/** What the person changed about the rule that would be saved. */
type Saving = Pick<PermissionDialog, "rule" | "destination">

const NOTHING_CHANGED: Saving = { rule: undefined, destination: undefined }

/** What "don't ask again" would save; a text says what is wrong with a rule that was edited. */
const savingOf = (
  { suggestions }: PermissionQuestion,
  { rule, destination }: Saving
): Result.Result<ReadonlyArray<PermissionUpdate>, string> => {
  // As proposed, each part has its own place: rules about commands in a file, those about files in the session.
  if (rule === undefined) return Result.succeed(destination === undefined ? suggestions : sentTo(suggestions, destination))
  return Result.map(updateFor(rule.text), (update) => sentTo([update], destination ?? destinationOf(suggestions)))
}

export interface OfferedChoice {
  readonly choice: PermissionChoice
  readonly label: string
}

const alwaysOf = (question: PermissionQuestion, saving: Saving): ReadonlyArray<OfferedChoice> => {
  if (question.decision.immune === true || question.suggestions.length === 0) return []
  const updates = savingOf(question, saving)
  const label = Result.isFailure(updates) ? `Yes, and save ${saving.rule?.text ?? ""}` : describeSaving(updates.success)
  return [{ choice: "always", label }]
}

export const choicesOf = (question: PermissionQuestion, saving: Saving): ReadonlyArray<OfferedChoice> => [
  { choice: "yes", label: describeYes(question.decision) },
  ...alwaysOf(question, saving),
  { choice: "no", label: "No" }
]

/** The one rule that would be saved, as text; undefined where there is not exactly one. */
export const editableRule = ({ suggestions }: PermissionQuestion): string | undefined => {
  const [only, ...others] = suggestions
  if (only === undefined || others.length > 0 || only.type !== "addRules" || only.rules.length !== 1) return undefined
  const [rule] = only.rules
  if (rule === undefined) return undefined
  return printRule({ tool: rule.toolName, ...(rule.ruleContent === undefined ? {} : { specifier: rule.ruleContent }) })
}

/** The update that saves a rule as the person wrote it; a text says what is wrong with it. */
const updateFor = (text: string): Result.Result<PermissionUpdate, string> => {
  const parsed = parseRule(text.trim(), "allow")
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure.why)
  const { tool, specifier } = parsed.success
  return Result.succeed({
    type: "addRules",
    rules: [{ toolName: tool, ...(specifier === undefined ? {} : { ruleContent: specifier }) }],
    behavior: "allow",
    destination: "session"
  })
}

export type PermissionOutcome =
  | { readonly _tag: "Open"; readonly dialog: PermissionDialog }
  | { readonly _tag: "Answered"; readonly answer: PermissionAnswer; readonly aside: string }

const stay = (dialog: PermissionDialog, change: Partial<PermissionDialog>): PermissionOutcome => ({
  _tag: "Open",
  dialog: { ...dialog, problem: undefined, ...change }
})

/** A refusal without a word stops the turn; with a comment the model goes on with it. */
const refusal = (tool: string, comment: string): PermissionAnswer =>
  comment === ""
    ? { behavior: "deny", message: rejectionText(tool), interrupt: true }
    : { behavior: "deny", message: rejectionText(tool, comment) }

const answerWith = (dialog: PermissionDialog, question: PermissionQuestion, choice: PermissionChoice): PermissionOutcome => {
  const comment = dialog.comment.text.trim()
  if (choice === "no") return { _tag: "Answered", answer: refusal(question.tool, comment), aside: "" }
  if (choice === "yes") return { _tag: "Answered", answer: { behavior: "allow" }, aside: comment }
  const updates = savingOf(question, dialog)
  return Result.isFailure(updates)
    ? stay(dialog, { problem: `not a rule: ${updates.failure}` })
    : { _tag: "Answered", answer: { behavior: "allow", updates: updates.success }, aside: comment }
}

/** Enter, in a field or not, never allows what needs to be meant. */
const answerByEnter = (
  dialog: PermissionDialog,
  question: PermissionQuestion,
  choice: PermissionChoice
): PermissionOutcome =>
  choice !== "no" && needsDeliberation(question.decision)
    ? stay(dialog, { problem: "press the number or y to allow this" })
    : answerWith(dialog, question, choice)

const whileTyping = (dialog: PermissionDialog, question: PermissionQuestion, stroke: Stroke): PermissionOutcome => {
  const isRule = dialog.typing === "rule"
  if (stroke === "<Esc>" || stroke === "<Tab>" || stroke === "<S-Tab>") return stay(dialog, { typing: "nothing" })
  if (stroke === "<CR>" && isRule) return stay(dialog, { typing: "nothing" })
  const choices = choicesOf(question, dialog)
  if (stroke === "<CR>")
    return answerByEnter({ ...dialog, typing: "nothing" }, question, choices[dialog.selected]?.choice ?? "no")
  const field = updateField(isRule ? (dialog.rule ?? EMPTY_FIELD) : dialog.comment, stroke)
  if (field === undefined) return stay(dialog, {})
  return isRule ? stay(dialog, { rule: field }) : stay(dialog, { comment: field })
}

/** A file may be changed, and with the same key all that follow in this session: where that is offered. */
export const isForSession = (question: PermissionQuestion): boolean =>
  question.suggestions.some(({ type }) => type === "setMode") &&
  choicesOf(question, NOTHING_CHANGED).some(({ choice }) => choice === "always")

const moved = (dialog: PermissionDialog, by: number, count: number): PermissionOutcome =>
  stay(dialog, { selected: (dialog.selected + by + count) % count })

/** One stroke for the dialog. Only a deliberate key answers. */
export const updatePermission = (
  dialog: PermissionDialog,
  question: PermissionQuestion,
  /** `top` is the first row that is really shown. */
  at: { readonly stroke: Stroke; readonly bodyHeight: number; readonly top: number }
): PermissionOutcome => {
  const { stroke, top } = at
  if (dialog.typing !== "nothing") return whileTyping(dialog, question, stroke)
  const choices = choicesOf(question, dialog)
  const chosen = choices[dialog.selected]?.choice ?? "no"
  const digit = /^[1-9]$/.test(stroke) ? choices[Number(stroke) - 1] : undefined
  if (digit !== undefined) return answerWith(dialog, question, digit.choice)
  const page = Math.max(1, at.bodyHeight - 1)
  switch (stroke) {
    case "y":
      return answerWith(dialog, question, "yes")
    case "n":
    case "<Esc>":
      return answerWith(dialog, question, "no")
    case "<CR>":
      return answerByEnter(dialog, question, chosen)
    case "j":
    case "<Down>":
    case "<C-n>":
      return moved(dialog, 1, choices.length)
    case "k":
    case "<Up>":
    case "<C-p>":
      return moved(dialog, -1, choices.length)
    case "<Tab>":
      return stay(dialog, { typing: "comment" })
    case "<S-Tab>":
      return isForSession(question) ? answerByEnter(dialog, question, "always") : stay(dialog, {})
    case "e": {
      const rule = dialog.rule?.text ?? editableRule(question)
      return rule === undefined
        ? stay(dialog, { problem: "there is no single rule to edit here" })
        : stay(dialog, { typing: "rule", rule: fieldOf(rule), selected: 1 })
    }
    case "s":
      return isMovable(question.suggestions)
        ? stay(dialog, { destination: nextDestination(dialog.destination ?? destinationOf(question.suggestions)) })
        : stay(dialog, { problem: "there is no rule to save here" })
    case "<C-e>":
      return stay(dialog, { explains: !dialog.explains, reveals: dialog.explains ? undefined : "risk", top })
    case "K":
      return stay(dialog, { traces: !dialog.traces, reveals: dialog.traces ? undefined : "trace", top })
    case "<C-d>":
    case "<PageDown>":
    case "d":
      return stay(dialog, { top: top + page, reveals: undefined })
    case "<C-u>":
    case "<PageUp>":
    case "u":
      return stay(dialog, { top: Math.max(0, top - page), reveals: undefined })
    default:
      return stay(dialog, {})
  }
}
