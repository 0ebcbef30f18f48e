import { Record } from "effect"
import { COMMON_HANDLERS } from "../prompt/common-actions.ts"
import { TRANSCRIPT_ACTIONS } from "./transcript-actions.ts"
import type { Handler, Handlers } from "../../model/action.ts"
import type { ListContext } from "../../transcript/list/view/list-context.ts"
import type { TranscriptList } from "../../transcript/list/state/transcript-list.ts"
import { plural } from "../../transcript/number-format.ts"
import { ACTIONS, type ActionId, type IdsOf, type PaneActionId } from "../../keymap/actions/action-tables.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { isObject } from "../../transcript/list/commands/objects.ts"
import { updateList, listTookObject, listCalmed, type ListActionName, LIST_ACTIONS } from "../../transcript/list/update.ts"
import { focusedPane, focusOn } from "../../model/windows/layout-and-focus.ts"
import { notify, withoutCommands, type Update, raise, andThen } from "../../model/update-result.ts"
import { insertIntoPrompt } from "../../model/prompt/insert-into-prompt.ts"
import { goToGlobalMark, isGlobalMark, setGlobalMark } from "./global-marks.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import { transcriptContextOf } from "../../model/conversation/transcript-context.ts"
import { typeInPrompt } from "../prompt/type-in-prompt.ts"
import { yank } from "../../model/prompt/shared-registers.ts"

/** The actions of the transcript: the list knows motions, folds, searches, objects and operators; the rest is done here. */

/** Acts on what the list gave besides its next state. */
export const onOutcome = (model: AppModel): Update => {
  const outcome = currentSession(model)?.list.outcome
  switch (outcome?._tag) {
    case "Notice":
      return withoutCommands(notify(model, outcome.text))
    case "Yanked":
      if (outcome.operator === "transcript:quote") return typeInPrompt(insertIntoPrompt(model, `${outcome.text}\n`), "here")
      if (outcome.operator === "transcript:pipe") return raise(model, { id: "line:open", kind: "!", input: outcome.text })
      return yank(model, outcome.text, {
        what: plural((outcome.type === "line" ? outcome.text : outcome.text.replace(/\n$/, "")).split("\n").length, "line"),
        type: outcome.type
      })
    case "LeftJumps":
      return withoutCommands(focusOn(model, "prompt"))
    default:
      return withoutCommands(model)
  }
}

const onList = (model: AppModel, change: (list: TranscriptList, context: ListContext) => TranscriptList): Update =>
  onOutcome(
    withCurrent(model, (session) => ({
      ...session,
      list: change(session.list, transcriptContextOf(model, session))
    }))
  )

const isSelecting = (model: AppModel): boolean => {
  const list = currentSession(model)?.list
  return list?.operator !== undefined || list?.selection?.by === "keys"
}

/** After an operator or in visual mode, `i` and `a` begin a text object instead of leaving the pane. */
export const beginsObject = (model: AppModel, stroke: Stroke): stroke is "i" | "a" =>
  focusedPane(model) === "transcript" && isSelecting(model) && (stroke === "i" || stroke === "a")

/** A jump or an object that finds nothing says so: a screen that stays as it was could mean anything. */
const toldIfNothing = (update: Update, words: string): Update => {
  const [model, cmds] = update
  return currentSession(model)?.list.outcome?._tag === "Bell" ? [notify(model, words), cmds] : update
}

export const onObject = (model: AppModel, keys: string, count: number | undefined): Update =>
  isObject(keys)
    ? toldIfNothing(
        onList(model, (list, context) => listTookObject(list, { name: keys, count }, context)),
        `${keys}: there is none at the cursor`
      )
    : onList(model, listCalmed)

type OnTranscript = Handler<{ readonly model: AppModel }>

/** A jump to what is not there says so. */
const isStructural = (id: ActionId): boolean => /^transcript:(?:next|previous)/.test(id)

const byList =
  (name: ListActionName): OnTranscript =>
  ({ model }, { argument, count }) => {
    const moved = onList(model, (list, context) =>
      updateList(list, { name, argument, ...(count === undefined ? {} : { count }) }, context)
    )
    return isStructural(name) ? toldIfNothing(moved, `no ${ACTIONS.get(name)?.description}`) : moved
  }

const BY_LIST = Record.map(LIST_ACTIONS, (_, name) => byList(name))

/** Marks with a capital letter belong to all sessions; the list knows only its own. */
const mark =
  (name: "pane:goToMark" | "pane:goToMarkLine" | "pane:setMark"): OnTranscript =>
  (at, press) => {
    if (!isGlobalMark(press.argument)) return BY_LIST[name](at, press)
    return name === "pane:setMark"
      ? withoutCommands(setGlobalMark(at.model, press.argument))
      : goToGlobalMark(at.model, press.argument)
  }

/** A row that stands for a fold opens it; any other opens the menu of its message. */
const open: OnTranscript = (at, press) => {
  const toggled = BY_LIST["pane:open"](at, press)
  const isElsewhere = toggled !== undefined && currentSession(toggled[0])?.list.outcome?._tag === "Bell"
  return isElsewhere ? TRANSCRIPT_ACTIONS["pane:open"]({ model: toggled[0] }) : toggled
}

/** With a selection the line begins with its range. */
const commandLine: OnTranscript = ({ model }, press) =>
  isSelecting(model)
    ? andThen(onList(model, listCalmed), (calm) => raise(calm, { id: "line:open", kind: ":", text: "'<,'>" }))
    : COMMON_HANDLERS["pane:commandLine"]({ model }, press)

const toggleShowAll: OnTranscript = ({ model }) => {
  const view = model.options.view === "verbose" ? "default" : "verbose"
  return withoutCommands({ ...model, options: { ...model.options, view } })
}

export const TRANSCRIPT_HANDLERS: Handlers<
  Extract<IdsOf<"Pane" | "Transcript">, PaneActionId>,
  { readonly model: AppModel }
> = {
  ...COMMON_HANDLERS,
  ...BY_LIST,
  ...TRANSCRIPT_ACTIONS,
  "pane:setMark": mark("pane:setMark"),
  "pane:goToMark": mark("pane:goToMark"),
  "pane:goToMarkLine": mark("pane:goToMarkLine"),
  "pane:open": open,
  "pane:yank": BY_LIST["transcript:yank"],
  "pane:commandLine": commandLine,
  "transcript:toggleShowAll": toggleShowAll
}
