import { TASK_HANDLERS } from "./side/tasks-actions.ts"
import { CHANGES_HANDLERS } from "./changes/changes-actions.ts"
import { ACTIVITY_HANDLERS } from "./side/activity-actions.ts"
import { COMMON_HANDLERS } from "./prompt/common-actions.ts"
import { LIST_HANDLERS } from "./list/list-actions.ts"
import type { ListPaneId, ListHandlers } from "./list/focused-list.ts"
import type { SessionModel } from "../model/session-model.ts"
import { activityItems } from "./side/activity.ts"
import { approvalItems, APPROVAL_HANDLERS } from "./side/approvals.ts"
import { decisionItems } from "./changes/decision.ts"
import { changeItems, changesTitle } from "./changes/changes.ts"
import { chooserItems, CHOOSER_HANDLERS } from "./side/chooser.ts"
import { CONTEXT_LIST, contextItems, CONTEXT_HANDLERS } from "./side/context-window.ts"
import { fileItems, FILE_HANDLERS } from "./side/files.ts"
import { type Item, type ListState, NEW_LIST } from "../model/list-state.ts"
import { outputItems, outputTitle, OUTPUT_HANDLERS } from "./side/output.ts"
import type { PaneScene } from "../model/windows/pane-context.ts"
import { sessionItems, SESSION_HANDLERS } from "./side/sessions.ts"
import { taskItems } from "./side/tasks.ts"

/** The items of each list pane, and what an empty one says. */
export interface ListPane {
  readonly title: (session: SessionModel) => string
  readonly items: (scene: PaneScene) => ReadonlyArray<Item>
  readonly empty: string
  readonly on: ListHandlers
  /** How it is before anybody looked at it, if not from the top with everything open. */
  readonly first?: ListState
}

/** The keys that all lists know, then those of the one. */
const on = (own: ListHandlers): ListHandlers => ({ ...LIST_HANDLERS, ...COMMON_HANDLERS, ...own })

export const LIST_PANES: Readonly<Record<ListPaneId, ListPane>> = {
  activity: {
    title: () => "activity",
    items: activityItems,
    empty: "Tool calls appear here while they run. i goes to the prompt, Enter there starts some.",
    on: on(ACTIVITY_HANDLERS)
  },
  changes: {
    title: changesTitle,
    items: changeItems,
    empty: "Edited files appear here. ← → choose the source.",
    on: on(CHANGES_HANDLERS)
  },
  files: {
    title: () => "files",
    items: fileItems,
    empty: "Files that are read, edited or named appear here. @ in the prompt names one.",
    on: on(FILE_HANDLERS)
  },
  tasks: {
    title: () => "tasks",
    items: taskItems,
    empty: "Todos and background commands appear here. ctrl+b moves a running command here.",
    on: on(TASK_HANDLERS)
  },
  context: {
    title: () => "context",
    items: contextItems,
    empty: "The context window is empty.",
    first: CONTEXT_LIST,
    on: on(CONTEXT_HANDLERS)
  },
  sessions: {
    title: () => "sessions",
    items: sessionItems,
    empty: "No session is open. :new opens one.",
    on: on(SESSION_HANDLERS)
  },
  approvals: {
    title: () => "approvals",
    items: approvalItems,
    empty: "Nothing waits for you. Questions of all sessions appear here, Enter opens one.",
    on: on(APPROVAL_HANDLERS)
  },
  output: {
    title: outputTitle,
    items: outputItems,
    empty: "o on a call, a file or a task shows its whole output here.",
    on: on(OUTPUT_HANDLERS)
  },
  decision: { title: () => "what is asked, in full", items: decisionItems, empty: "", on: on({}) },
  chooser: { title: () => "show here", items: chooserItems, empty: "", on: on(CHOOSER_HANDLERS) }
}

export const isListPane = (pane: string): pane is ListPaneId => Object.hasOwn(LIST_PANES, pane)

/** A list pane of a session as it was left. */
export const listIn = ({ lists }: SessionModel, pane: ListPaneId): ListState =>
  lists[pane] ?? LIST_PANES[pane].first ?? NEW_LIST
