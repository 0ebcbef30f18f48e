import type { Raised } from "../../model/action.ts"
import type { AppModel } from "../../model/app-model.ts"
import type { Cmd } from "../../model/cmd.ts"
import { withoutCommands, type Update } from "../../model/update-result.ts"
import { openLine } from "../../panes/line-input.ts"
import { refreshPane } from "../../panes/panes.ts"
import { runMessageChoice } from "../../panes/transcript/transcript-actions.ts"
import { runEx } from "../commands/ex.ts"
import { runCommand } from "../commands/run-when-idle.ts"
import { runAction } from "./on-action.ts"

/** Does what the parts below asked for: they know neither the commands nor each other. */

export type Performed = readonly [AppModel, ReadonlyArray<Cmd>]

const onRaised = (model: AppModel, action: Raised): Update => {
  switch (action.id) {
    case "command:run":
      return runCommand(model, action)
    case "command:ex":
      return runEx(model, action.line)
    case "line:open":
      return withoutCommands(openLine(model, action.kind, action))
    case "message:act":
      return runMessageChoice(model, action.entry, action.choice)
    case "pane:refresh":
      return [model, refreshPane(model, action.pane)]
    case "action:run":
      return runAction(model, action.action) ?? withoutCommands(model)
  }
}

/** In the order in which it was asked for; what is left is for the shell. */
export const perform = ([model, asked]: Update): Performed =>
  asked.every((each) => each._tag !== "Raise")
    ? [model, asked]
    : asked.reduce<Performed>(
        ([next, cmds], each) => {
          const [after, more] = each._tag === "Raise" ? perform(onRaised(next, each.action)) : [next, [each]]
          return [after, [...cmds, ...more]]
        },
        [model, []]
      )
