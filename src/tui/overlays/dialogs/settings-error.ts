import { choiceRows } from "../../text/choice-rows.ts"
import { type Choice, choosing, startHints } from "./choices.ts"
import { closeOverlay, openOverlay } from "../../model/open-overlay.ts"
import { type Update, withCommands, withoutCommands } from "../../model/update-result.ts"
import { type AtOverlay, overlayOf } from "../panel/overlay-spec.ts"
import type { SettingsAnswer } from "../../../core/settings/startup-question.ts"
import { fittedExcerpt } from "../../../core/domain/json/syntax-error.ts"
import { problemWords, settingsChoices, settingsTitle } from "../../model/dialogs/settings-lines.ts"
import type { Look, Row } from "../../screen/style/row.ts"
import { sanitize } from "../../text/sanitize.ts"
import { EMPTY_ROW, lineRow, textRows } from "../../text/line-rows.ts"
import type { SettingsDialog } from "../../model/overlay.ts"

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

const answered = ({ model }: AtOverlay<SettingsDialog>, answer: SettingsAnswer): Update =>
  withCommands(closeOverlay(model), { _tag: "AnswerSettings", answer })

const choicesOf = ({ question }: SettingsDialog): ReadonlyArray<Choice<SettingsDialog>> =>
  settingsChoices(question).map(({ answer, label }, index) => ({
    key: String(index + 1),
    label,
    pick: (at) => answered(at, answer)
  }))

export const SETTINGS_OVERLAY = overlayOf("Settings", {
  ...choosing<SettingsDialog>({
    choices: choicesOf,
    leave: (at) => choicesOf(at.overlay).at(-1)?.pick(at) ?? withoutCommands(at.model),
    marked: ({ model, overlay }, selected) => withoutCommands(openOverlay(model, { ...overlay, selected })),
    scrolled: (overlay, top) => ({ ...overlay, top })
  }),
  panel: ({ keys: { keymap } }, overlay) => {
    const { question, selected, top } = overlay
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
      foot: (width) => choiceRows(choicesOf(overlay), selected, width),
      ...startHints(keymap, "exit")
    }
  }
})
