import type { ListPaneId } from "./list/focused-list.ts"
import type { SessionModel } from "../model/session-model.ts"
import { activityItems } from "./side/activity.ts"
import { approvalItems } from "./side/approvals.ts"
import { decisionItems } from "./changes/decision.ts"
import { changeItems, changesTitle } from "./changes/changes.ts"
import { chooserItems } from "./side/chooser.ts"
import { CONTEXT_LIST, contextItems } from "./side/context-window.ts"
import { fileItems } from "./side/files.ts"
import { type Item, type ListState, NEW_LIST } from "../model/list-state.ts"
import { outputItems, outputTitle } from "./side/output.ts"
import type { PaneScene } from "../model/windows/pane-context.ts"
import { sessionItems } from "./side/sessions.ts"
import { taskItems } from "./side/tasks.ts"

/** The items of each list pane, and what an empty one says. */
export interface ListPane {
  readonly title: (session: SessionModel) => string
  readonly items: (scene: PaneScene) => ReadonlyArray<Item>
  readonly empty: string
  /** How it is before anybody looked at it, if not from the top with everything open. */
  readonly first?: ListState
}

export const LIST_PANES: Readonly<Record<ListPaneId, ListPane>> = {
  activity: {
    title: () => "activity",
    items: activityItems,
    empty: "Tool calls appear here while they run. i goes to the prompt, Enter there starts some."
  },
  changes: { title: changesTitle, items: changeItems, empty: "Edited files appear here. ← → choose the source." },
  files: {
    title: () => "files",
    items: fileItems,
    empty: "Files that are read, edited or named appear here. @ in the prompt names one."
  },
  tasks: {
    title: () => "tasks",
    items: taskItems,
    empty: "Todos and background commands appear here. ctrl+b moves a running command here."
  },
  context: { title: () => "context", items: contextItems, empty: "The context window is empty.", first: CONTEXT_LIST },
  sessions: { title: () => "sessions", items: sessionItems, empty: "No session is open. :new opens one." },
  approvals: {
    title: () => "approvals",
    items: approvalItems,
    empty: "Nothing waits for you. Questions of all sessions appear here, Enter opens one."
  },
  output: { title: outputTitle, items: outputItems, empty: "o on a call, a file or a task shows its whole output here." },
  decision: { title: () => "what is asked, in full", items: decisionItems, empty: "" },
  chooser: { title: () => "show here", items: chooserItems, empty: "" }
}

export const isListPane = (pane: string): pane is ListPaneId => Object.hasOwn(LIST_PANES, pane)

/** A list pane of a session as it was left. */
export const listIn = ({ lists }: SessionModel, pane: ListPaneId): ListState =>
  lists[pane] ?? LIST_PANES[pane].first ?? NEW_LIST
