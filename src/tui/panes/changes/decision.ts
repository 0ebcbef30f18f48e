import { hostName, wantedBy } from "../../model/dialogs/host-state.ts"
import { questionsOf } from "../../model/dialogs/question-state.ts"
import { runsIn } from "../../model/dialogs/confinement.ts"
import { callRows, changeOf } from "../../model/dock/call-rows.ts"
import { type Docked, dockedOf, dockPanelOf } from "../../model/dock/docked.ts"
import { reasonRows } from "../../model/dock/permission-panel.ts"
import { wholeQuestion } from "../../model/dock/question-panel.ts"
import { type Item, rowItem } from "../../model/list-state.ts"
import type { PaneScene } from "../../model/windows/pane-context.ts"
import type { Look, Row } from "../../screen/style/row.ts"
import { EMPTY_ROW, textRows } from "../../text/line-rows.ts"
import { isSplit } from "../../text/diff/split-diff.ts"
import { type ChangedView, changedFileItems } from "./change-items.ts"

/** The whole of what a question is about: where it runs, why it asks, what each answer saves, and all of the call. */

const QUIET: Look = { role: "subtle" }
const NOTHING_FOLDED: ReadonlySet<string> = new Set()
const NO_MARKS: ReadonlyMap<string, string> = new Map()

const rowItems = (part: string, rows: ReadonlyArray<Row>): ReadonlyArray<Item> =>
  rows.map((row, index) => {
    const text = row.spans.map((span) => span.text).join("")
    return rowItem({ id: `${part}:${index}`, text }, { row: () => row, source: () => text })
  })

/** Items stay the same values as long as the call does. */
const views = new WeakMap<object, ChangedView>()

const callItems = ({ ask, session }: Docked, { width, options }: PaneScene): ReadonlyArray<Item> => {
  const { host } = ask.question
  if (host !== undefined)
    return rowItems(
      "call",
      [hostName(host), wantedBy(host)].flatMap((line) => textRows(line, width, undefined, "command"))
    )
  const diff = changeOf(ask, session)
  if (diff === undefined) return rowItems("call", callRows(ask, session, { width, options }).rows)
  const view = views.get(diff) ?? { state: ask.question.tool, diff }
  views.set(diff, view)
  const { glyphs, highlight, tabWidth, codeWrap } = options
  const split = isSplit(options.diff, width)
  return changedFileItems(view, NOTHING_FOLDED, {
    width,
    glyphs,
    highlight,
    tabWidth,
    codeWrap,
    scroll: 0,
    split,
    marks: NO_MARKS
  })
}

/** What the answers would save stands first, so that nobody saves what they did not see. */
const savingItems = (docked: Docked, { model, width }: PaneScene): ReadonlyArray<Item> => {
  const saving = dockPanelOf(model, docked)?.choices.filter(({ saves }) => saves === true) ?? []
  const rows = saving.flatMap(({ key, label }) => textRows(`${key} ${label}`, width, undefined, "command"))
  return rowItems("saving", rows.length === 0 ? [] : [...rows, EMPTY_ROW])
}

const explains = ({ dialog }: Docked): boolean => dialog._tag === "Permission" && (dialog.explains || dialog.traces)

const reasonItems = ({ ask, session, dialog }: Docked, { width }: PaneScene): ReadonlyArray<Item> => {
  const shown = dialog._tag === "Permission" ? dialog : { explains: false, traces: false }
  const isCommand = ask.question.tool === "Bash"
  return rowItems("why", [
    ...(isCommand ? textRows(`in ${runsIn(ask.question, session)}`, width, QUIET, "command") : []),
    ...reasonRows(ask, shown, width)
  ])
}

export const decisionItems = (scene: PaneScene): ReadonlyArray<Item> => {
  const docked = dockedOf(scene.model)
  if (docked === undefined) return []
  const questions = questionsOf(docked.ask.question)
  if (questions !== undefined) return rowItems("question", wholeQuestion(questions, scene.width))
  const [call, why] = [callItems(docked, scene), reasonItems(docked, scene)]
  const gap = rowItems("gap", [EMPTY_ROW])
  // Who asked for the reasons in the panel reads on in them.
  return [...savingItems(docked, scene), ...(explains(docked) ? [...why, ...gap, ...call] : [...call, ...gap, ...why])]
}
