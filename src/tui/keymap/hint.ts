import type { ActionId } from "./actions/action-tables.ts"
import type { ContextName } from "./actions/context.ts"
import { hintFor } from "./help.ts"
import type { Keymap } from "./keymap.ts"

/** What a dialog says about its keys: an action, or a pair of them, and in words what it does; or a word about no key. */
export type Hint = string | readonly [ids: ActionId | readonly [ActionId, ActionId], words: string]

const SHOWN: Readonly<Record<string, string>> = {
  "<CR>": "Enter",
  "<Esc>": "Esc",
  "<Space>": "Space",
  "<Tab>": "Tab",
  down: "↓",
  enter: "Enter",
  escape: "Esc",
  left: "←",
  right: "→",
  space: "Space",
  tab: "Tab",
  up: "↑"
}

/** The key of an action as this user has it, in the words of hints; undefined when none does its work any more. */
export const keyName = (keymap: Keymap, id: ActionId, contexts: ReadonlyArray<ContextName>): string | undefined => {
  const key = hintFor(keymap, id, contexts)
  return key === undefined ? undefined : (SHOWN[key] ?? key)
}

const hintText = (keymap: Keymap, contexts: ReadonlyArray<ContextName>, hint: Hint): ReadonlyArray<string> => {
  if (typeof hint === "string") return [hint]
  const [ids, words] = hint
  const keys = (typeof ids === "string" ? [ids] : ids).flatMap((id) => keyName(keymap, id, contexts) ?? [])
  return keys.length === 0 ? [] : [`${keys.join(" ")} ${words}`]
}

/** The hints that hold. */
export const hintTexts = (
  keymap: Keymap,
  contexts: ReadonlyArray<ContextName>,
  hints: ReadonlyArray<Hint>
): ReadonlyArray<string> => hints.flatMap((hint) => hintText(keymap, contexts, hint))

/** One behind the other. */
export const hintLine = (...of: Parameters<typeof hintTexts>): string => hintTexts(...of).join(" · ")
