import type { PermissionQuestion } from "../../core/loop/command.ts"
import { type Decision, needsDeliberation, type Verdict } from "../../core/permission/verdict.ts"
import { leavingReason } from "../../core/permission/confined.ts"
import { nameOf, type Ask, type SessionModel } from "../app/session-model.ts"
import { fieldsOf, textField } from "../transcript/fields.ts"
import type { Look, Row } from "../text/row.ts"
import { sanitize } from "../text/sanitize.ts"
import { previewRows } from "./call-preview.ts"
import { choiceRows, EMPTY_ROW, fieldRow, lineRow, textRows } from "./option-rows.ts"
import type { Panel, PanelCaret } from "./panel.ts"
import { isMovable } from "./permission-save.ts"
import { choicesOf, editableRule, type PermissionDialog } from "./permission-state.ts"

/** How the permission question looks: what would happen, why it asks, and the answers. */

const QUIET: Look = { role: "subtle" }
const REASON: Look = { role: "text", italic: true }
const PROBLEM: Look = { role: "error" }
const WARNING: Look = { role: "warning", bold: true }

const WIDTH = 100

/** How far a command would be held back; other calls touch nothing but what the dialog shows. */
const confinement = ({ tool, input }: PermissionQuestion, { state }: SessionModel): string => {
  const command = textField(fieldsOf(input), "command")
  if (tool !== "Bash") return ""
  const { permission: context } = state
  if (!context.sandbox.enabled) return " · no sandbox"
  return leavingReason({ context, input }, command) === undefined ? " · in the sandbox" : " · outside the sandbox"
}

/** Whose question it is, as soon as there is more than one who could ask, and where the call would run. */
const whereRows = ({ question }: Ask, { session, isOneOfMany }: PermissionScene, width: number): ReadonlyArray<Row> => [
  ...(isOneOfMany ? [lineRow(sanitize(nameOf(session), "command", { look: QUIET }), width)] : []),
  ...textRows(`in ${session.cwd}${confinement(question, session)}`, width, QUIET, "command")
]

const traceRows = ({ decision }: PermissionQuestion, width: number): ReadonlyArray<Row> =>
  (decision.trace ?? []).flatMap(({ step, result, detail }) =>
    textRows(`${result === "hit" ? "●" : "·"} ${step}${detail === "" ? "" : `: ${detail}`}`, width, QUIET)
  )

const PART_LOOKS: Readonly<Record<Verdict, { readonly mark: string; readonly look: Look }>> = {
  allow: { mark: "✓", look: QUIET },
  ask: { mark: "?", look: { role: "warning" } },
  deny: { mark: "✗", look: { role: "error" } }
}

/** Of a command with several parts, which of them ask. One part alone is told by the reason. */
const partRows = ({ subcommands = [] }: Decision, width: number): ReadonlyArray<Row> =>
  subcommands.length < 2
    ? []
    : [
        EMPTY_ROW,
        ...subcommands.flatMap(({ text, verdict, sentence }) => {
          const { mark, look } = PART_LOOKS[verdict]
          return textRows(`${mark} ${text}${verdict === "allow" ? "" : `  (${sentence})`}`, width, look, "command")
        })
      ]

const lossRows = ({ loss }: Decision, width: number): ReadonlyArray<Row> =>
  loss === undefined ? [] : textRows(`Careful: ${loss}`, width, WARNING, "command")

const EXPLANATION =
  "Yes runs this call once. The second answer also saves the rule where s says, so that the same shape is not asked " +
  "again; e changes the rule. No stops the turn; with a comment (Tab) the model goes on and reads it."

const bodyRows = (ask: Ask, dialog: PermissionDialog, at: PermissionScene & { readonly width: number }): ReadonlyArray<Row> => {
  const { session, width } = at
  const { question } = ask
  return [
    ...previewRows(ask, session, width),
    EMPTY_ROW,
    ...whereRows(ask, at, width),
    ...textRows(`Why it asks: ${question.decision.reason.sentence}`, width, REASON),
    ...lossRows(question.decision, width),
    ...partRows(question.decision, width),
    ...(dialog.explains ? [EMPTY_ROW, ...textRows(EXPLANATION, width, QUIET)] : []),
    ...(dialog.traces ? [EMPTY_ROW, ...traceRows(question, width)] : [])
  ]
}

interface Foot {
  readonly rows: ReadonlyArray<Row>
  readonly caret: { readonly row: number; readonly column: number } | undefined
}

const footOf = (question: PermissionQuestion, dialog: PermissionDialog, width: number): Foot => {
  const choices = choicesOf(question, dialog).map(({ label }, index) => ({ key: String(index + 1), label }))
  const rows = [...choiceRows(choices, Math.min(dialog.selected, choices.length - 1), width)]
  const problem = dialog.problem === undefined ? [] : textRows(dialog.problem, width, PROBLEM)
  if (dialog.typing === "nothing" && dialog.comment.text === "") return { rows: [...rows, ...problem], caret: undefined }
  const isRule = dialog.typing === "rule" && dialog.rule !== undefined
  const field = isRule && dialog.rule !== undefined ? fieldRow("rule:", dialog.rule, width) : fieldRow("comment:", dialog.comment, width)
  const caret = dialog.typing === "nothing" ? undefined : { row: rows.length, column: field.column }
  return { rows: [...rows, field.row, ...problem], caret }
}

export interface PermissionScene {
  readonly session: SessionModel
  readonly isOneOfMany: boolean
}

const hintOf = (question: PermissionQuestion, dialog: PermissionDialog): string => {
  if (dialog.typing !== "nothing") return "Enter takes it · Esc leaves the field"
  const rule = editableRule(question) === undefined ? "" : " · e rule"
  const place = isMovable(question.suggestions) ? " · s where" : ""
  return `y yes · n no · Tab comment${rule}${place} · ctrl+e explain · K trace`
}

export const permissionPanel = (ask: Ask, dialog: PermissionDialog, scene: PermissionScene): Panel => {
  const { question } = ask
  const caretAt = (width: number): PanelCaret => ({ part: "foot", row: 0, column: 0, ...footOf(question, dialog, width).caret })
  return {
    title: `Permission: ${question.tool}`,
    tone: needsDeliberation(question.decision) ? "destructive" : "calm",
    width: WIDTH,
    body: (width) => bodyRows(ask, dialog, { ...scene, width }),
    top: dialog.top,
    foot: (width) => footOf(question, dialog, width).rows,
    ...(dialog.typing === "nothing" ? {} : { caret: caretAt }),
    hint: hintOf(question, dialog),
    scrollKey: "d"
  }
}
