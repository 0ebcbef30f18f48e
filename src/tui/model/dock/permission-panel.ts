import type { Hint } from "../../keymap/hint.ts"
import type { PermissionQuestion } from "../../../core/loop/machine/command.ts"
import { needsDeliberation, type Verdict } from "../../../core/permission/verdict.ts"
import { hostOf, parseUrl } from "../../../core/domain/net/host.ts"
import type { Look, Row } from "../../screen/style/row.ts"
import { textRows } from "../../text/line-rows.ts"
import { rowsOfLine } from "../../text/rows.ts"
import { sanitize } from "../../text/sanitize.ts"
import { shortPath } from "../../text/short-path.ts"
import { fieldsOf, textField } from "../../transcript/fields.ts"
import { confinement } from "../dialogs/confinement.ts"
import { type DecisionLine, decisionLines } from "../dialogs/decision-lines.ts"
import { choicesOf, editableRule, type PermissionDialog } from "../dialogs/permission-state.ts"
import { isMovable } from "../dialogs/save-destination.ts"
import type { Ask, SessionModel } from "../session-model.ts"
import type { UiOptions } from "../ui-options.ts"
import { callRows, changeOf, countLines } from "./call-rows.ts"
import { type DockBody, type DockChoice, type DockTitle, FIELD_HINTS, type HintedPanel } from "./dock-panel.ts"

/** How the permission question looks: what would happen, why it asks, and the answers. */

const PLAIN: Look = { role: "text" }
const QUIET: Look = { role: "subtle" }
const LOOKS: Readonly<Record<"why" | "loss", Look>> = {
  why: { role: "subtle", italic: true },
  loss: { role: "destructive", bold: true }
}
const PROBLEM: Look = { role: "error" }

export interface PermissionScene {
  readonly session: SessionModel
  readonly options: UiOptions
}

/** From the root of the project, if it lies in it: whoever sees that the shell went elsewhere looks twice. */
const directoryName = ({ cwd, state }: SessionModel): string => {
  const short = shortPath(state.cwd, cwd)
  return short === "." || short === state.cwd ? state.cwd : `./${short}`
}

const titleOf = (ask: Ask, session: SessionModel): DockTitle => {
  const { tool, input } = ask.question
  const change = changeOf(ask, session)
  if (change !== undefined) {
    return { lead: `${tool} `, path: change.path, tail: ` +${countLines(change, "+")} -${countLines(change, "-")}` }
  }
  if (tool === "Bash") return { lead: "Bash in ", path: directoryName(session), tail: "" }
  if (tool !== "WebFetch") return { lead: tool, path: "", tail: "" }
  const url = parseUrl(textField(fieldsOf(input), "url"))
  return { lead: "WebFetch ", path: url === undefined ? "" : hostOf(url), tail: "" }
}

const PARTS: Readonly<Record<Verdict, { readonly mark: string; readonly look: Look }>> = {
  allow: { mark: "✓", look: QUIET },
  ask: { mark: "?", look: { role: "warning" } },
  deny: { mark: "✗", look: { role: "error" } }
}

/** The reason of a part is quieter than the part: it is often the same for all of them. */
const decisionRows = (line: DecisionLine, width: number): ReadonlyArray<Row> => {
  if (line.kind !== "part") return textRows(line.text, width, LOOKS[line.kind], "command")
  const { text, verdict, sentence } = line
  const { mark, look } = PARTS[verdict]
  const reason = verdict === "allow" ? [] : sanitize(`  ${sentence}`, "command", { look: QUIET })
  const lead = { text: `${mark} `, look }
  const spans = [...sanitize(text, "command", { look: verdict === "allow" ? QUIET : PLAIN }), ...reason]
  return rowsOfLine(spans, { start: 0, end: 0 }, { width, margin: { first: [lead], rest: [{ text: "  ", look }] } })
}

/** The step that decided stands first, and before it what had passed. */
const traceRows = ({ decision }: PermissionQuestion, width: number): ReadonlyArray<Row> =>
  (decision.trace ?? [])
    .toReversed()
    .flatMap(({ step, result, detail }) =>
      textRows(`${result === "hit" ? "●" : "·"} ${step}${detail === "" ? "" : `: ${detail}`}`, width, QUIET)
    )

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
      return [...textRows("Model's assessment (may be wrong):", width, QUIET), ...quoteRows(risk.text, width)]
    case "Failed":
      return textRows(`No explanation: ${risk.why}`, width, PROBLEM)
    default:
      return textRows("Asking the model about the risk …", width, QUIET)
  }
}

/** Why it asks, under what was asked for with keys. */
export const reasonRows = (
  ask: Ask,
  { explains, traces }: Pick<PermissionDialog, "explains" | "traces">,
  width: number
): ReadonlyArray<Row> => [
  ...(explains ? riskRows(ask, width) : []),
  ...(traces ? traceRows(ask.question, width) : []),
  ...decisionLines(ask.question.decision).flatMap((line) => decisionRows(line, width))
]

/** That no rule covers a call says nothing; a danger, a rule that asks and parts of a command do. */
const weightOf = ({ decision }: PermissionQuestion, { explains, traces }: PermissionDialog): DockBody["weight"] => {
  if (explains || traces) return "most"
  const isPlain = decision.reason.type === "other" && !needsDeliberation(decision)
  return isPlain && (decision.subcommands ?? []).length < 2 ? "none" : "half"
}

/** A command is short enough to be read before it is allowed, a change of many lines is read elsewhere. */
const LEAST = { change: 3, command: 6, why: 4 }

const bodyOf = (ask: Ask, dialog: PermissionDialog, at: PermissionScene & { readonly width: number }): DockBody => {
  const call = callRows(ask, at.session, at)
  const why = reasonRows(ask, dialog, at.width)
  const weight = weightOf(ask.question, dialog)
  const reasons = weight === "none" ? 0 : Math.min(why.length, LEAST.why)
  const least = changes(ask.question) ? LEAST.change : Math.min(call.rows.length, LEAST.command)
  return { ...call, why, weight, least: least + reasons }
}

const isCommented = ({ typing, comment }: PermissionDialog): boolean => typing === "comment" || comment.text !== ""

/** What is typed stands in the row of the answer that it belongs to. */
const choicesFor = (question: PermissionQuestion, dialog: PermissionDialog): ReadonlyArray<DockChoice> =>
  choicesOf(question, dialog).map(({ key, label, choice }, index) => {
    if (dialog.typing === "rule" && choice === "always" && dialog.rule !== undefined) {
      return { key, label: "Yes, always", field: { value: dialog.rule, isOpen: true } }
    }
    const isHere = index === dialog.selected && dialog.typing !== "rule" && isCommented(dialog)
    const offered = { key, label, saves: choice === "always" && isMovable(question.suggestions) }
    return isHere ? { ...offered, field: { value: dialog.comment, isOpen: dialog.typing === "comment" } } : offered
  })

const hintsOf = (question: PermissionQuestion, dialog: PermissionDialog): ReadonlyArray<Hint> => {
  if (dialog.typing !== "nothing") return FIELD_HINTS
  return [
    ["confirm:zoomDiff", changes(question) ? "whole change" : "all"],
    ["confirm:yes", "yes"],
    ["confirm:no", "no"],
    ["confirm:nextField", "comment"],
    ...(editableRule(question) === undefined ? [] : [["confirm:editRule", "rule"] as const]),
    ...(isMovable(question.suggestions) ? [["confirm:saveElsewhere", "where"] as const] : []),
    ["confirm:toggleExplanation", "explain"],
    ["confirm:trace", "why"]
  ]
}

const changes = ({ tool }: PermissionQuestion): boolean => tool === "Edit" || tool === "Write"

export const permissionPanel = (ask: Ask, dialog: PermissionDialog, scene: PermissionScene): HintedPanel => {
  const { question } = ask
  const choices = choicesFor(question, dialog)
  return {
    title: titleOf(ask, scene.session),
    aside: confinement(question, scene.session),
    tone: needsDeliberation(question.decision) ? "destructive" : "calm",
    body: (width) => bodyOf(ask, dialog, { ...scene, width }),
    choices,
    selected: Math.min(dialog.selected, choices.length - 1),
    note: dialog.problem ?? "",
    hints: hintsOf(question, dialog)
  }
}
