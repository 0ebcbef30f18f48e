import { focusOn } from "../../model/windows/layout-and-focus.ts"
import { withoutCommands, type Update } from "../../model/update-result.ts"
import type { AppModel } from "../../model/app-model.ts"
import { readyToType } from "../../prompt/prompt-actions.ts"
import { onPromptAct } from "./on-prompt-key.ts"

/** Goes to the prompt ready to type (`i`, `a`, `A`, `<C-w>i`), where its caret is or at the end of its text. */
export const typeInPrompt = (model: AppModel, where: "here" | "end"): Update => {
  const focused = focusOn(model, "prompt")
  return onPromptAct(focused, readyToType(where)) ?? withoutCommands(focused)
}
