import { notify, withoutCommands, type Update } from "../../model/update-result.ts"
import type { AppModel } from "../../model/app-model.ts"
import { onPromptAct } from "../../panes/prompt/on-prompt-key.ts"
import { runVimLine } from "../../prompt/prompt-actions.ts"

/** A command about the prompt's own text, typed elsewhere: the vim engine of the prompt runs it. */
export const inPrompt = (model: AppModel, line: string): Update =>
  onPromptAct(model, runVimLine(line)) ??
  withoutCommands(notify(model, `:${line} is about the prompt's text and needs vim keys there; /vim turns them on`))
