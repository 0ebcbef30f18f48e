import type { PaneId } from "../../screen/layout/tree.ts"
import type { Cmd } from "../cmd.ts"
import type { AppModel } from "../app-model.ts"

/** What a pane needs to ask for again when somebody goes to look at it. */
export const refreshPane = ({ current }: AppModel, pane: PaneId): ReadonlyArray<Cmd> => {
  if (pane === "changes") return [{ _tag: "LoadDiff", session: current }]
  return pane === "tasks" ? [{ _tag: "ListTasks", session: current }] : []
}
