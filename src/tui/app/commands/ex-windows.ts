import { isPaneId, PANE_IDS } from "../../screen/layout/tree.ts"
import { withCommands, notify, withoutCommands } from "../../model/update-result.ts"
import { type ExCommand, listing, type Run } from "../../model/ex-command.ts"
import { openPane, refreshPane } from "../../panes/panes.ts"
import { runLayout } from "../../model/windows/saved-layouts.ts"
import type { AppModel } from "../../model/app-model.ts"
import { nameOf } from "../../model/session-model.ts"
import { showSession, splitSession } from "../../model/windows/show-session.ts"
import { closeTab, newTab, nextTab, previousTab } from "../../model/windows/tabs.ts"
import { closePane, onlyPane, showPane, splitPane } from "../../model/windows/window-actions.ts"

/** Commands about what is where: sessions, splits, tab pages, panes, arrangements. */

const sessionNamed = (model: AppModel, name: string): string | undefined =>
  [...model.sessions.values()].find(
    (session) => session.id === name || nameOf(session) === name || (name !== "" && session.id.startsWith(name))
  )?.id

const split =
  (dir: "row" | "column"): Run =>
  (model, { argument }) => {
    if (isPaneId(argument)) return [splitPane(model, dir, argument), refreshPane(model, argument)]
    const session = sessionNamed(model, argument)
    if (session !== undefined) return withoutCommands(splitSession(model, session, dir))
    return withoutCommands(
      argument === ""
        ? splitPane(model, dir, "chooser")
        : notify(model, `there is no pane or session ${argument}`, { style: "error" })
    )
  }

const OPEN_NEW = { _tag: "OpenSession", which: { _tag: "New" }, replaces: undefined } as const

const session: Run = (model, { argument }) => {
  if (argument === "") return withoutCommands(showPane(model, "sessions"))
  const found = sessionNamed(model, argument)
  return withoutCommands(
    found === undefined
      ? notify(model, `there is no open session ${argument}; /resume lists the stored ones`, { style: "error" })
      : showSession(model, found)
  )
}

const tabLines = (model: AppModel): ReadonlyArray<string> =>
  model.tabs.map((page, at) => {
    const session = model.sessions.get(at === model.tab ? model.current : page.current)
    return `${at === model.tab ? ">" : " "} ${at + 1}  ${session === undefined ? "" : nameOf(session)}`
  })

export const WINDOW_COMMANDS: Readonly<Record<string, ExCommand>> = {
  new: { run: (model) => withCommands({ ...model, layout: { ...model.layout, splitNext: "column" } }, OPEN_NEW) },
  vnew: { run: (model) => withCommands({ ...model, layout: { ...model.layout, splitNext: "row" } }, OPEN_NEW) },
  tabnew: { run: (model) => withCommands(newTab(model), OPEN_NEW) },
  tabclose: { run: (model) => withoutCommands(closeTab(model)) },
  tabnext: { run: (model) => withoutCommands(nextTab(model, undefined)) },
  tabprevious: { run: (model) => withoutCommands(previousTab(model, undefined)) },
  tabfirst: { run: (model) => withoutCommands(nextTab(model, 1)) },
  tablast: { run: (model) => withoutCommands(nextTab(model, model.tabs.length)) },
  tabs: { run: (model) => listing(model, "tab pages", tabLines(model)) },
  split: { run: split("column") },
  vsplit: { run: split("row") },
  only: { run: (model) => withoutCommands(onlyPane(model)) },
  close: { run: (model) => withoutCommands(closePane(model)) },
  session: { run: session },
  layout: { run: runLayout },
  pane: {
    run: (model, { argument }) =>
      isPaneId(argument) ? openPane(model, argument) : withoutCommands(notify(model, `panes: ${PANE_IDS.join(", ")}`))
  }
}
