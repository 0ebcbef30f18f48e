import type { PromptModel } from "../../prompt/model.ts"
import { isRunning } from "../session-model.ts"
import type { ContextName } from "../../keymap/actions/context.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { ACTION_TABLES } from "../../keymap/actions/action-tables.ts"
import { strokesIn } from "../../keymap/keymap.ts"
import { paneOfId } from "../../screen/layout/tree.ts"
import type { AppModel } from "../app-model.ts"
import { currentSession } from "../app-model.ts"

/** Which keys mean something where the keyboard is. */

const PANE_CONTEXTS: Readonly<Record<string, ReadonlyArray<ContextName>>> = {
  transcript: ["Transcript", "Pane", "Scroll", "Global"],
  changes: ["Diff", "List", "Pane", "Global"],
  approvals: ["Approvals", "List", "Pane", "Global"]
}
const LINE_CONTEXTS: ReadonlyArray<ContextName> = ["CommandLine"]
const LIST_CONTEXTS: ReadonlyArray<ContextName> = ["List", "Pane", "Global"]

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
      : (PANE_CONTEXTS[paneOfId(model.focus)] ?? LIST_CONTEXTS)

/** The strokes an action has by default: what engines that know keys and not actions are given. */
const CANONICAL: ReadonlyMap<string, ReadonlyArray<Stroke>> = new Map(
  ACTION_TABLES.flatMap(({ context, rows }) =>
    rows.flatMap(({ id, keys }) => (keys[0] === undefined ? [] : [[id, strokesIn(context, keys[0], "\\")] as const]))
  ).toReversed()
)

export const canonicalStrokes = (action: string): ReadonlyArray<Stroke> => CANONICAL.get(action) ?? []
