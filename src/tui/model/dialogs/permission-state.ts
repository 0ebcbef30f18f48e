import { numberOf } from "../../keymap/actions/action-tables.ts"
import { Result } from "effect"
import type { PermissionQuestion } from "../../../core/loop/machine/command.ts"
import type { PermissionAnswer } from "../../../core/loop/machine/event.ts"
import { rejectionText } from "../../../core/permission/decide/explain.ts"
import { needsDeliberation } from "../../../core/permission/verdict.ts"
import { parseRule } from "../../../core/permission/rules/parse.ts"
import { printRule } from "../../../core/permission/rule.ts"
import type { PermissionUpdate } from "../../../core/permission/configuration/update.ts"
import { EMPTY_FIELD, type Field, fieldOf } from "../../editor/field.ts"
import type { DialogAct } from "./host-state.ts"
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
  /** The rule to save, when the user changed it. */
  readonly rule: Field | undefined
  /** Where to save, when the user chose another place than the one proposed. */
  readonly destination: SaveDestination | undefined
  readonly explains: boolean
  readonly traces: boolean
  /** The whole call was on screen, with everything that an answer would save. */
  readonly isRead: boolean
  readonly problem: string | undefined
}

export const openPermission = (question: PermissionQuestion): PermissionDialog => ({
  _tag: "Permission",
  selected: needsDeliberation(question.decision) ? choicesOf(question, NOTHING_CHANGED).length - 1 : 0,
  typing: "nothing",
  comment: EMPTY_FIELD,
  ...NOTHING_CHANGED,
  explains: false,
  traces: false,
  isRead: false,
  problem: undefined
})

export type PermissionChoice = "yes" | "always" | "no"

/** What the user changed about the rule that would be saved. */
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
  readonly key: string
  readonly label: string
}

/** Every answer has its number, whichever of them are offered. */
const KEYS: Readonly<Record<PermissionChoice, string>> = { yes: "1", always: "2", no: "3" }

const offered = (choice: PermissionChoice, label: string): OfferedChoice => ({ choice, key: KEYS[choice], label })

const alwaysOf = (question: PermissionQuestion, saving: Saving): ReadonlyArray<OfferedChoice> => {
  if (question.decision.immune === true || question.suggestions.length === 0) return []
  const updates = savingOf(question, saving)
  const label = Result.isFailure(updates) ? `Yes, and save ${saving.rule?.text ?? ""}` : describeSaving(updates.success)
  return [offered("always", label)]
}

export const choicesOf = (question: PermissionQuestion, saving: Saving = NOTHING_CHANGED): ReadonlyArray<OfferedChoice> => [
  offered("yes", describeYes(question.decision)),
  ...alwaysOf(question, saving),
  offered("no", "No")
]

/** The one rule that would be saved, as text; undefined where there is not exactly one. */
export const editableRule = ({ suggestions }: PermissionQuestion): string | undefined => {
  const [only, ...others] = suggestions
  if (only === undefined || others.length > 0 || only.type !== "addRules" || only.rules.length !== 1) return undefined
  const [rule] = only.rules
  if (rule === undefined) return undefined
  return printRule({ tool: rule.toolName, ...(rule.ruleContent === undefined ? {} : { specifier: rule.ruleContent }) })
}

/** The update that saves a rule as the user wrote it; a text says what is wrong with it. */
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
  /** The whole of what is asked is to be read. */
  | { readonly _tag: "Whole"; readonly dialog: PermissionDialog }

const stay = (dialog: PermissionDialog, change: Partial<PermissionDialog>): PermissionOutcome => ({
  _tag: "Open",
  dialog: { ...dialog, problem: undefined, ...change }
})

/** With a comment the model goes on with it. */
export const refusal = (tool: string, comment = "") => ({
  behavior: "deny" as const,
  message: comment === "" ? rejectionText(tool) : rejectionText(tool, comment)
})

const whole = (dialog: PermissionDialog): PermissionOutcome => ({ _tag: "Whole", dialog: { ...dialog, isRead: true } })

/** A refusal without a word stops the turn. What would be saved is saved only after it could be read. */
const answerWith = (dialog: PermissionDialog, question: PermissionQuestion, choice: PermissionChoice): PermissionOutcome => {
  const comment = dialog.comment.text.trim()
  if (choice === "no") {
    const answer = refusal(question.tool, comment)
    return { _tag: "Answered", answer: comment === "" ? { ...answer, interrupt: true } : answer, aside: "" }
  }
  if (choice === "yes") return { _tag: "Answered", answer: { behavior: "allow" }, aside: comment }
  const updates = savingOf(question, dialog)
  return Result.isFailure(updates)
    ? stay(dialog, { problem: `not a rule: ${updates.failure}` })
    : { _tag: "Answered", answer: { behavior: "allow", updates: updates.success }, aside: comment }
}

interface Giving extends Pick<DialogAct, "isCut"> {
  readonly choice: PermissionChoice
  /** By Enter, in a field or not, which never allows what needs to be meant. */
  readonly byEnter: boolean
}

const give = (
  dialog: PermissionDialog,
  question: PermissionQuestion,
  { choice, byEnter, isCut }: Giving
): PermissionOutcome => {
  const at = choicesOf(question, dialog).findIndex((each) => each.choice === choice)
  if (choice === "always" && isCut(at) && !dialog.isRead) return whole(dialog)
  return byEnter && choice !== "no" && needsDeliberation(question.decision)
    ? stay(dialog, { problem: "press the number or y to allow this" })
    : answerWith(dialog, question, choice)
}

/** What is typed into: the words that go with the answer, or the rule that it saves. */
export const fieldIn = ({ typing, comment, rule }: PermissionDialog): Field | undefined =>
  typing === "nothing" ? undefined : typing === "rule" ? (rule ?? EMPTY_FIELD) : comment

export const withField = (dialog: PermissionDialog, field: Field): PermissionDialog => ({
  ...dialog,
  problem: undefined,
  ...(dialog.typing === "rule" ? { rule: field } : { comment: field })
})

const whileTyping = (
  dialog: PermissionDialog,
  question: PermissionQuestion,
  { id, isCut }: DialogAct
): PermissionOutcome | undefined => {
  switch (id) {
    case "confirm:leave":
    case "confirm:nextField":
    case "confirm:previousField":
    case "confirm:cycleMode":
      return stay(dialog, { typing: "nothing" })
    case "confirm:choose": {
      if (dialog.typing === "rule") return stay(dialog, { typing: "nothing" })
      const choice = choicesOf(question, dialog)[dialog.selected]?.choice ?? "no"
      return give({ ...dialog, typing: "nothing" }, question, { choice, byEnter: true, isCut })
    }
    default:
      return undefined
  }
}

/** A file may be changed, and with the same key all that follow in this session: where that is offered. */
export const isForSession = (question: PermissionQuestion): boolean =>
  question.suggestions.some(({ type }) => type === "setMode") &&
  choicesOf(question, NOTHING_CHANGED).some(({ choice }) => choice === "always")

const moved = (dialog: PermissionDialog, by: number, count: number): PermissionOutcome =>
  stay(dialog, { selected: (dialog.selected + by + count) % count })

const editRule = (dialog: PermissionDialog, question: PermissionQuestion): PermissionOutcome => {
  const rule = dialog.rule?.text ?? editableRule(question)
  return rule === undefined
    ? stay(dialog, { problem: "there is no single rule to edit here" })
    : stay(dialog, { typing: "rule", rule: fieldOf(rule), selected: 1 })
}

const saveElsewhere = (dialog: PermissionDialog, { suggestions }: PermissionQuestion): PermissionOutcome =>
  isMovable(suggestions)
    ? stay(dialog, { destination: nextDestination(dialog.destination ?? destinationOf(suggestions)) })
    : stay(dialog, { problem: "there is no rule to save here" })

/** One action on the dialog; undefined where it has no meaning there. Only a deliberate one answers. */
export const updatePermission = (
  dialog: PermissionDialog,
  question: PermissionQuestion,
  at: DialogAct
): PermissionOutcome | undefined => {
  if (dialog.typing !== "nothing") return whileTyping(dialog, question, at)
  const { id, isCut } = at
  const choices = choicesOf(question, dialog)
  const answer = (choice: PermissionChoice, byEnter = false): PermissionOutcome =>
    give(dialog, question, { choice, byEnter, isCut })
  const numbered = choices.find(({ key }) => key === numberOf(id))
  if (numbered !== undefined) return answer(numbered.choice)
  switch (id) {
    case "confirm:yes":
      return answer("yes")
    case "confirm:no":
    case "confirm:leave":
      return answer("no")
    case "confirm:choose":
      return answer(choices[dialog.selected]?.choice ?? "no", true)
    case "confirm:next":
      return moved(dialog, 1, choices.length)
    case "confirm:previous":
      return moved(dialog, -1, choices.length)
    case "confirm:nextField":
    case "confirm:previousField":
      return stay(dialog, { typing: "comment" })
    case "confirm:cycleMode":
      return isForSession(question) ? answer("always", true) : stay(dialog, {})
    case "confirm:editRule":
      return editRule(dialog, question)
    case "confirm:saveElsewhere":
      return saveElsewhere(dialog, question)
    case "confirm:toggleExplanation":
      return stay(dialog, { explains: !dialog.explains })
    case "confirm:trace":
    case "permission:toggleDebug":
      return stay(dialog, { traces: !dialog.traces })
    case "confirm:zoomDiff":
      return whole(dialog)
    default:
      return undefined
  }
}
