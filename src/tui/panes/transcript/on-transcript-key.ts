import { plural } from "../../transcript/number-format.ts"
import { ACTIONS } from "../../keymap/actions/action-tables.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { isObject } from "../../transcript/list/commands/objects.ts"
import { ACTION_NAMES, type ListAction, updateList } from "../../transcript/list/update.ts"
import { focusedPane, focusOn } from "../../model/windows/layout-and-focus.ts"
import { notify, only, type Update, raise, andThen } from "../../model/update-result.ts"
import { canonicalStrokes } from "../../model/windows/key-contexts.ts"
import { insertIntoPrompt } from "../../model/prompt/insert-into-prompt.ts"
import { goToGlobalMark, isGlobalMark, setGlobalMark } from "./global-marks.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import { runTranscriptAction } from "./transcript-actions.ts"
import { transcriptContextOf } from "../../model/conversation/transcript-context.ts"
import { typeInPrompt } from "../prompt/type-in-prompt.ts"
import { yank } from "../../model/prompt/shared-registers.ts"

/** Keys of the transcript: the list knows motions, folds, searches, objects and operators; the rest is done here. */

const KNOWN_NAMES = new Set(ACTION_NAMES)

/** Keys of the pager are the page keys of the list. */
const ALIASES: Readonly<Record<string, string>> = { "transcript:pagerDown": "<C-f>", "transcript:pagerUp": "<C-b>" }

/** The strokes of an action as the list names it. */
const listName = (action: string): string => ALIASES[action] ?? canonicalStrokes(action).join("")

/** Acts on what the list gave besides its next state. */
export const onOutcome = (model: AppModel): Update => {
  const outcome = currentSession(model)?.list.outcome
  switch (outcome?._tag) {
    case "Notice":
      return only(notify(model, outcome.text))
    case "Yanked":
      if (outcome.operator === "gy") return typeInPrompt(insertIntoPrompt(model, `${outcome.text}\n`), "here")
      if (outcome.operator === "!") return raise(model, { id: "line:open", kind: "!", input: outcome.text })
      return yank(model, outcome.text, {
        what: plural((outcome.type === "line" ? outcome.text : outcome.text.replace(/\n$/, "")).split("\n").length, "line"),
        type: outcome.type
      })
    case "LeftJumps":
      return only(focusOn(model, "prompt"))
    default:
      return only(model)
  }
}

const onList = (model: AppModel, action: ListAction): Update =>
  onOutcome(
    withCurrent(model, (session) => ({
      ...session,
      list: updateList(session.list, action, transcriptContextOf(model, session))
    }))
  )

const isSelecting = (model: AppModel): boolean => {
  const list = currentSession(model)?.list
  return list?.operator !== undefined || list?.selection?.by === "keys"
}

/** After an operator or in visual mode, `i` and `a` begin a text object instead of leaving the pane. */
export const beginsObject = (model: AppModel, stroke: Stroke): boolean =>
  focusedPane(model) === "transcript" && isSelecting(model) && (stroke === "i" || stroke === "a")

/** A jump or an object that finds nothing says so: a screen that stays as it was could mean anything. */
const toldIfNothing = (update: Update, words: string): Update => {
  const [model, cmds] = update
  return currentSession(model)?.list.outcome?._tag === "Bell" ? [notify(model, words), cmds] : update
}

export const onObject = (model: AppModel, keys: string, count: number | undefined): Update =>
  isObject(keys)
    ? toldIfNothing(
        onList(model, { name: keys, ...(count === undefined ? {} : { count }) }),
        `${keys}: there is none at the cursor`
      )
    : onList(model, { name: "<Esc>" })

export interface TranscriptRequest {
  readonly count: number | undefined
  readonly argument: string
}

/** Marks with a capital letter belong to all sessions; the list knows only its own. */
const onMark = (model: AppModel, action: string, letter: string): Update | undefined => {
  if (!isGlobalMark(letter)) return undefined
  if (action === "pane:setMark") return only(setGlobalMark(model, letter))
  return action === "pane:goToMark" || action === "pane:goToMarkLine" ? goToGlobalMark(model, letter) : undefined
}

/** A row that stands for a fold opens it; any other opens the menu of its message. */
const onEnter = (model: AppModel): Update => {
  const toggled = onList(model, { name: "<CR>" })
  return currentSession(toggled[0])?.list.outcome?._tag === "Bell" ? runTranscriptAction(model, "pane:open") : toggled
}

const isStructural = (action: string): boolean => /^transcript:(next|previous)/.test(action)

/** Undefined for what means the same in all panes. */
export const onTranscriptAction = (model: AppModel, action: string, at: TranscriptRequest): Update | undefined => {
  const marked = onMark(model, action, at.argument)
  if (marked !== undefined) return marked
  if (action === "pane:open") return onEnter(model)
  if (action === "pane:commandLine" && isSelecting(model)) {
    return andThen(onList(model, { name: "<Esc>" }), (calm) => raise(calm, { id: "line:open", kind: ":", text: "'<,'>" }))
  }
  const name = listName(action)
  if (KNOWN_NAMES.has(name)) {
    const moved = onList(model, { name, argument: at.argument, ...(at.count === undefined ? {} : { count: at.count }) })
    return isStructural(action) ? toldIfNothing(moved, `no ${ACTIONS.get(action)?.description}`) : moved
  }
  return undefined
}
