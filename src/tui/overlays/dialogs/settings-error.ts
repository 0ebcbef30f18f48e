import type { SettingsAnswer } from "../../../core/settings/startup-question.ts"
import { fittedExcerpt } from "../../../core/domain/json/syntax-error.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { problemWords, settingsChoices, settingsTitle } from "../../model/dialogs/settings-lines.ts"
import type { Look, Row } from "../../screen/style/row.ts"
import { sanitize } from "../../text/sanitize.ts"
import { updateChoice } from "../../model/dialogs/choice-dialog.ts"
import { choiceRows } from "../../text/choice-rows.ts"
import { EMPTY_ROW, lineRow, textRows } from "../../text/line-rows.ts"
import type { SettingsDialog } from "../../model/overlay.ts"
import type { Panel } from "../panel/panel.ts"

/** Settings that cannot be used: asked about before the first session opens. */

const PLACE: Look = { role: "text", bold: true }
const WHAT: Look = { role: "error" }
const NOTE: Look = { role: "warning" }
const EXCERPT: Look = { role: "subtle" }

export const openSettingsDialog = (question: SettingsDialog["question"]): SettingsDialog => ({
  _tag: "Settings",
  question,
  selected: question.fixable === undefined ? settingsChoices(question).length - 1 : 0,
  top: 0
})

const INDENT = 2

const excerptRows = (excerpt: string, width: number): ReadonlyArray<Row> =>
  fittedExcerpt(excerpt, width - INDENT)
    .split("\n")
    .map((line) => lineRow(sanitize(" ".repeat(INDENT) + line, "output", { look: EXCERPT }), width))

export const settingsPanel = ({ question, selected, top }: SettingsDialog): Panel => {
  const choices = settingsChoices(question).map(({ label }, index) => ({ key: String(index + 1), label }))
  return {
    title: settingsTitle(question),
    tone: "destructive",
    width: 100,
    body: (width) => [
      ...(question.note === undefined ? [] : [...textRows(question.note, width, NOTE, "command"), EMPTY_ROW]),
      ...question.problems
        .map(problemWords)
        .flatMap(({ place, what, excerpt, fix }, index) => [
          ...(index === 0 ? [] : [EMPTY_ROW]),
          ...textRows(place, width, PLACE, "command"),
          ...textRows(what, width, WHAT, "command"),
          ...(excerpt === undefined ? [] : excerptRows(excerpt, width)),
          ...textRows(fix, width, undefined, "command")
        ])
    ],
    top,
    foot: (width) => choiceRows(choices, selected, width),
    hint: "j k choose · Enter answer · Esc exit · d u scroll",
    scrollKey: "d"
  }
}

export type SettingsOutcome =
  | { readonly _tag: "Open"; readonly dialog: SettingsDialog }
  | { readonly _tag: "Answered"; readonly answer: SettingsAnswer }

export const updateSettingsDialog = (dialog: SettingsDialog, stroke: Stroke, bodyHeight: number): SettingsOutcome => {
  const choices = settingsChoices(dialog.question)
  const outcome = updateChoice(dialog, { stroke, count: choices.length, bodyHeight })
  const chosen = outcome._tag === "Chosen" ? choices[outcome.index] : undefined
  if (chosen !== undefined) return { _tag: "Answered", answer: chosen.answer }
  return { _tag: "Open", dialog: outcome._tag === "Open" ? { ...dialog, ...outcome.state } : dialog }
}
