import type { Handler } from "../../model/action.ts"
import type { AppModel } from "../../model/app-model.ts"
import { openPicker } from "../../model/open-overlay.ts"
import { insertIntoPrompt } from "../../model/prompt/insert-into-prompt.ts"
import { nameRegister, takeRegister } from "../../model/prompt/shared-registers.ts"
import { notify, withoutCommands, raise } from "../../model/update-result.ts"
import { focusOn } from "../../model/windows/layout-and-focus.ts"
import { typeInPrompt } from "./type-in-prompt.ts"

type Common = Handler<{ readonly model: AppModel }>

const leave: Common = ({ model }) => withoutCommands(focusOn(model, "prompt"))

const opens =
  (kind: ":" | "/" | "?"): Common =>
  ({ model }) =>
    raise(model, { id: "line:open", kind })

/** What means the same in every pane. */
export const COMMON_HANDLERS = {
  "pane:search": opens("/"),
  "pane:searchBack": opens("?"),
  "pane:commandLine": opens(":"),
  "pane:keys": ({ model }) => withoutCommands(openPicker(model, "help")),
  "pane:leave": leave,
  "transcript:exit": leave,
  "pane:promptEnd": ({ model }) => typeInPrompt(model, "end"),
  "pane:register": ({ model }, { argument }) => withoutCommands(nameRegister(model, argument)),
  "transcript:putInPrompt": ({ model }) => {
    const { model: calm, text } = takeRegister(model)
    return text === ""
      ? withoutCommands(notify(calm, "nothing was yanked yet"))
      : typeInPrompt(insertIntoPrompt(calm, text), "here")
  }
} satisfies Readonly<Record<string, Common>>
