import type { PromptModel } from "../../prompt/model.ts"
import { isRunning } from "../session-model.ts"
import { CONTEXT_NAMES, CONTEXTS, type ContextName } from "../../keymap/actions/context.ts"
import { paneOfId } from "../../screen/layout/tree.ts"
import type { AppModel } from "../app-model.ts"
import { currentSession } from "../app-model.ts"

/** Which keys mean something where the keyboard is. */

const LINE_CONTEXTS: ReadonlyArray<ContextName> = ["CommandLine"]
const LIST_CONTEXTS: ReadonlyArray<ContextName> = ["List", "Pane", "Global"]

/** The own keys of a pane come before those that all of its kind have. */
const PANE_CONTEXTS: ReadonlyMap<string, ReadonlyArray<ContextName>> = new Map(
  CONTEXT_NAMES.flatMap((name) => {
    const { pane } = CONTEXTS[name]
    const shared: ReadonlyArray<ContextName> = pane === "transcript" ? ["Pane", "Scroll", "Global"] : LIST_CONTEXTS
    return pane === undefined ? [] : [[pane, [name, ...shared]]]
  })
)

/** While a turn runs, its command may be moved out of the way. */
const contextsOfPrompt = (model: AppModel): ReadonlyArray<ContextName> => {
  const session = currentSession(model)
  if (session === undefined) return ["Global"]
  return isRunning(session) ? ["Task", ...promptContexts(session.prompt)] : promptContexts(session.prompt)
}

export const promptContexts = (prompt: PromptModel): ReadonlyArray<ContextName> => {
  const menu: ReadonlyArray<ContextName> = prompt.completion.menu === undefined ? [] : ["Autocomplete"]
  if (prompt.editor._tag === "Standard") return [...menu, "Chat", "Scroll", "Global"]
  const { mode } = prompt.editor.vim
  if (mode.name === "normal") return [...menu, "Prompt.normal", "Chat", "Scroll", "Global"]
  return mode.name === "visual" ? ["Prompt.visual", "Chat", "Scroll", "Global"] : [...menu, "Chat", "Scroll", "Global"]
}

/** In order of precedence. */
export const activeContexts = (model: AppModel): ReadonlyArray<ContextName> =>
  model.line !== undefined
    ? LINE_CONTEXTS
    : model.focus === "prompt"
      ? contextsOfPrompt(model)
      : (PANE_CONTEXTS.get(paneOfId(model.focus)) ?? LIST_CONTEXTS)
