import type { PermissionQuestion } from "../../../core/loop/machine/command.ts"
import { type Decision, needsDeliberation, type Verdict } from "../../../core/permission/verdict.ts"
import { nameOf, type Ask, type SessionModel } from "../../model/session-model.ts"
import type { Look, Row } from "../../screen/style/row.ts"
import { rowsOfLine } from "../../text/rows.ts"
import { sanitize } from "../../text/sanitize.ts"
import { previewRows } from "./call-preview.ts"
import { confinement } from "./confinement.ts"
import { choiceRows, EMPTY_ROW, fieldRow, lineRow, textRows } from "../../text/line-rows.ts"
import type { Panel, PanelCaret } from "../panel/panel.ts"
import { isMovable } from "../../model/dialogs/save-destination.ts"
import { choicesOf, editableRule, isForSession, type PermissionDialog } from "../../model/dialogs/permission-state.ts"

/** How the permission question looks: what would happen, why it asks, and the answers. */

const PLAIN: Look = { role: "text" }
const QUIET: Look = { role: "subtle" }
const REASON: Look = { role: "text", italic: true }
const PROBLEM: Look = { role: "error" }
const WARNING: Look = { role: "warning", bold: true }

const WIDTH = 100

/** Whose question it is, as soon as there is more than one who could ask, and where the call would run. */
const whereRows = ({ question }: Ask, { session, isOneOfMany }: PermissionScene, width: number): ReadonlyArray<Row> => [
  ...(isOneOfMany ? [lineRow(sanitize(`session: ${nameOf(session)}`, "command", { look: QUIET }), width)] : []),
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
    : subcommands.flatMap(({ text, verdict, sentence }) => {
        const { mark, look } = PART_LOOKS[verdict]
        return textRows(`${mark} ${text}${verdict === "allow" ? "" : `  (${sentence})`}`, width, look, "command")
      })

/** The parts are listed below; their names are not told twice. */
const whyOf = ({ reason, subcommands = [] }: Decision): string => {
  if (reason.type !== "subcommands" || subcommands.length < 2) return reason.sentence
  return `${subcommands.filter(({ verdict }) => verdict !== "allow").length} of ${subcommands.length} parts need approval`
}

const lossRows = ({ loss }: Decision, width: number): ReadonlyArray<Row> =>
  loss === undefined ? [] : textRows(`Careful: ${loss}`, width, WARNING, "command")

/** A bar at the edge keeps the voice of the model apart from ours. */
const quoteRows = (text: string, width: number): ReadonlyArray<Row> => {
  const bar = { first: [{ text: "│ ", look: QUIET }], rest: [{ text: "│ ", look: QUIET }] }
  return text
    .split("\n")
    .flatMap((line) => rowsOfLine(sanitize(line, "prose", { look: PLAIN }), { start: 0, end: 0 }, { width, margin: bar }))
}

/** What the model says about the risk: asked for with ctrl+e, and never taken for our own words. */
const riskRows = ({ risk }: Ask, width: number): ReadonlyArray<Row> => {
  switch (risk?._tag) {
    case "Said":
      return [...textRows("What the model says about it; it can be wrong:", width, QUIET), ...quoteRows(risk.text, width)]
    case "Failed":
      return textRows(`No explanation: ${risk.why}`, width, PROBLEM)
    default:
      return textRows("The model is asked what the risk is …", width, QUIET)
  }
}

/** The rows of the body in its three parts: the call itself, what the model says about it, how it was decided. */
interface Body {
  readonly call: ReadonlyArray<Row>
  readonly risk: ReadonlyArray<Row>
  readonly trace: ReadonlyArray<Row>
}

const bodyOf = (ask: Ask, dialog: PermissionDialog, at: PermissionScene & { readonly width: number }): Body => {
  const { session, width } = at
  const { question } = ask
  return {
    call: [
      ...previewRows(ask, session, width),
      EMPTY_ROW,
      ...whereRows(ask, at, width),
      ...textRows(`Why it asks: ${whyOf(question.decision)}`, width, REASON),
      ...lossRows(question.decision, width),
      ...partRows(question.decision, width)
    ],
    risk: dialog.explains ? [EMPTY_ROW, ...riskRows(ask, width)] : [],
    trace: dialog.traces ? [EMPTY_ROW, ...traceRows(question, width)] : []
  }
}

/** The first row of what was opened last, behind the blank before it. */
const revealedRow = ({ call, risk }: Body, reveals: "risk" | "trace"): number =>
  call.length + 1 + (reveals === "trace" ? risk.length : 0)

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
  const field =
    isRule && dialog.rule !== undefined ? fieldRow("rule:", dialog.rule, width) : fieldRow("comment:", dialog.comment, width)
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
  const session = isForSession(question) ? " · shift+tab session" : ""
  return `y yes · n no · Tab comment${session}${rule}${place} · ctrl+e explain · K trace`
}

export const permissionPanel = (ask: Ask, dialog: PermissionDialog, scene: PermissionScene): Panel => {
  const { question } = ask
  const { reveals } = dialog
  const body = (width: number): Body => bodyOf(ask, dialog, { ...scene, width })
  const caretAt = (width: number): PanelCaret => ({
    part: "foot",
    row: 0,
    column: 0,
    ...footOf(question, dialog, width).caret
  })
  return {
    title: `Permission: ${question.tool}`,
    tone: needsDeliberation(question.decision) ? "destructive" : "calm",
    width: WIDTH,
    body: (width) => {
      const { call, risk, trace } = body(width)
      return [...call, ...risk, ...trace]
    },
    top: dialog.top,
    ...(reveals === undefined ? {} : { reveal: (width: number) => revealedRow(body(width), reveals) }),
    foot: (width) => footOf(question, dialog, width).rows,
    ...(dialog.typing === "nothing" ? {} : { caret: caretAt }),
    hint: hintOf(question, dialog),
    scrollKey: "d"
  }
}
