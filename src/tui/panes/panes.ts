import type { PlacedPane } from "../screen/layout/plan.ts"
import type { PaneId } from "../screen/layout/tree.ts"
import type { PaneActionId } from "../keymap/actions/action-tables.ts"
import type { Handlers } from "../model/action.ts"
import { type AppModel, currentSession } from "../model/app-model.ts"
import type { Cmd } from "../model/cmd.ts"
import { type Item, itemUnder, type ListState, NEW_LIST } from "../model/list-state.ts"
import { nameOf, type SessionModel } from "../model/session-model.ts"
import type { Update } from "../model/update-result.ts"
import { focusedLeaf, planOf } from "../model/windows/layout-and-focus.ts"
import { makePaneContext } from "../model/windows/make-pane-context.ts"
import type { PaneDrawing, PaneScene } from "../model/windows/pane-context.ts"
import { showPane } from "../model/windows/window-actions.ts"
import { PICKERS } from "../overlays/pickers/pickers.ts"
import { changeItems, changesTitle } from "./changes/changes.ts"
import { CHANGES_HANDLERS } from "./changes/changes-actions.ts"
import { decisionItems } from "./changes/decision.ts"
import { promptLabel, waitingLabel } from "./chrome/prompt-label.ts"
import type { FocusedList, ListHandlers, ListPaneId } from "./list/focused-list.ts"
import { LIST_HANDLERS } from "./list/list-actions.ts"
import { COMMON_HANDLERS } from "./prompt/common-actions.ts"
import { drawPrompt } from "./prompt/prompt.ts"
import { activityItems } from "./side/activity.ts"
import { ACTIVITY_HANDLERS } from "./side/activity-actions.ts"
import { APPROVAL_HANDLERS, approvalItems } from "./side/approvals.ts"
import { CHOOSER_HANDLERS, chooserItems } from "./side/chooser.ts"
import { CONTEXT_HANDLERS } from "./side/context-actions.ts"
import { CONTEXT_LIST, contextItems } from "./side/context-window.ts"
import { FILE_HANDLERS, fileItems } from "./side/files.ts"
import { LOOP_HANDLERS, loopItems } from "./side/loop.ts"
import { OUTPUT_HANDLERS, outputItems, outputTitle } from "./side/output.ts"
import { SESSION_HANDLERS, sessionItems } from "./side/sessions.ts"
import { taskItems } from "./side/tasks.ts"
import { TASK_HANDLERS } from "./side/tasks-actions.ts"
import { drawTranscript, transcriptHint } from "./transcript/transcript.ts"
import { TRANSCRIPT_HANDLERS } from "./transcript/transcript-handlers.ts"

interface PaneRecord {
  readonly title: (session: SessionModel, model: AppModel) => string
  /** What the border says besides; in a list the place among what was searched for comes before it. */
  readonly hint?: (session: SessionModel, model: AppModel) => string
  /** What it asks for again when somebody goes to look at it. */
  readonly refresh?: (session: string) => Cmd
  /** It gathers from the whole session: while it is on screen, all of it has to be here. */
  readonly needsFullHistory?: (session: SessionModel) => boolean
}

/** A pane that is not a list. */
interface DrawnPane extends PaneRecord {
  readonly draw: (drawing: PaneDrawing) => { readonly x: number; readonly y: number }
  readonly on: Partial<Handlers<PaneActionId, { readonly model: AppModel }>>
}

interface ListPane extends PaneRecord {
  readonly items: (scene: PaneScene) => ReadonlyArray<Item>
  /** What an empty one says. */
  readonly empty: string
  /** Its own keys; those that all lists know come with it. */
  readonly on: ListHandlers
  /** How it is before anybody looked at it, if not from the top with everything open. */
  readonly first?: ListState
}

type Panes = Readonly<Record<ListPaneId, ListPane>> & Readonly<Record<Exclude<PaneId, ListPaneId>, DrawnPane>>

/** Everything that stands in a place of its own on the screen. */
export const PANES: Panes = {
  transcript: {
    title: nameOf,
    hint: ({ list }, { options }) => transcriptHint(list, options.view),
    draw: drawTranscript,
    on: TRANSCRIPT_HANDLERS
  },
  prompt: {
    title: (session, model) => promptLabel(model, session),
    hint: (_session, model) => waitingLabel(model),
    draw: ({ canvas, model, session }) => drawPrompt(canvas, model, session),
    on: COMMON_HANDLERS
  },
  activity: {
    title: () => "activity",
    items: activityItems,
    empty: "Tool calls appear here while they run. i goes to the prompt, Enter there starts some.",
    on: ACTIVITY_HANDLERS
  },
  changes: {
    title: changesTitle,
    items: changeItems,
    empty: "Edited files appear here. ← → choose the source.",
    on: CHANGES_HANDLERS,
    refresh: (session) => ({ _tag: "LoadDiff", session }),
    needsFullHistory: ({ changesOf }) => changesOf._tag === "Turn"
  },
  files: {
    title: () => "files",
    items: fileItems,
    empty: "Files that are read, edited or named appear here. @ in the prompt names one.",
    on: FILE_HANDLERS,
    needsFullHistory: () => true
  },
  tasks: {
    title: () => "tasks",
    items: taskItems,
    empty: "Todos and background commands appear here. ctrl+b moves a running command here.",
    on: TASK_HANDLERS,
    refresh: (session) => ({ _tag: "ListTasks", session })
  },
  context: {
    title: () => "context",
    hint: () => "D clear · P pin · c summarise",
    items: contextItems,
    empty: "The context window is empty.",
    first: CONTEXT_LIST,
    on: CONTEXT_HANDLERS
  },
  sessions: {
    title: () => "sessions",
    items: sessionItems,
    empty: "No session is open. :new opens one.",
    on: SESSION_HANDLERS
  },
  approvals: {
    title: () => "approvals",
    items: approvalItems,
    empty: "Nothing waits for you. Questions of all sessions appear here, Enter opens one.",
    on: APPROVAL_HANDLERS
  },
  loop: {
    title: () => "loop",
    items: loopItems,
    empty: "",
    on: LOOP_HANDLERS
  },
  output: {
    title: outputTitle,
    items: outputItems,
    empty: "o on a call, a file or a task shows its whole output here.",
    on: OUTPUT_HANDLERS,
    needsFullHistory: ({ outputOf }) => outputOf?._tag === "Matches"
  },
  decision: { title: () => "what is asked, in full", hint: () => "Esc back", items: decisionItems, empty: "", on: {} },
  chooser: { title: () => "show here", items: chooserItems, empty: "", on: CHOOSER_HANDLERS }
}

/** What every list does with a key that is not its own. */
export const IN_EVERY_LIST: ListHandlers = { ...LIST_HANDLERS, ...COMMON_HANDLERS }

const isListPane = (pane: PaneId): pane is ListPaneId => "items" in PANES[pane]

/** A list pane of a session as it was left, with its items as they are drawn; undefined for other panes. */
export const listIn = (
  model: AppModel,
  session: SessionModel,
  placed: PlacedPane
): Pick<FocusedList, "pane" | "list" | "context"> | undefined => {
  const { pane } = placed.leaf
  if (!isListPane(pane)) return undefined
  const { first = NEW_LIST, items } = PANES[pane]
  const context = { items: items(makePaneContext(model, session, placed)), height: placed.content.height }
  return { pane, list: session.lists[pane] ?? first, context }
}

/** The list that has the keyboard. */
export const focusedList = (model: AppModel): FocusedList | undefined => {
  const session = currentSession(model)
  const placed = focusedLeaf(model)
  const found = session === undefined || placed === undefined ? undefined : listIn(model, session, placed)
  if (session === undefined || found === undefined) return undefined
  return { model, session, ...found, item: itemUnder(found.list, found.context.items) }
}

export const refreshPane = ({ current }: AppModel, pane: PaneId): ReadonlyArray<Cmd> => {
  const cmd = PANES[pane].refresh?.(current)
  return cmd === undefined ? [] : [cmd]
}

/** Goes to a pane, which is shown as things are now. */
export const openPane = (model: AppModel, pane: PaneId): Update => [showPane(model, pane), refreshPane(model, pane)]

/** Whether something is on screen that gathers from the whole session. */
export const needsFullHistory = (model: AppModel, session: SessionModel): boolean => {
  const { opened } = model.overlays
  return (
    (opened?._tag === "Picker" && PICKERS[opened.purpose].needsFullHistory === true) ||
    planOf(model).panes.some(({ leaf }) => PANES[leaf.pane].needsFullHistory?.(session) === true)
  )
}
