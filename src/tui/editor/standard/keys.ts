/** The keys of `editorMode: "normal"`. Moving by rows is the prompt's: it knows the wrapping. */
import type { Stroke } from "../../keymap/stroke.ts"
import { type ActionName, ACTIONS } from "./actions.ts"
import { type StandardEditor, typeText } from "./state.ts"

export type Flavor = "standard" | "readline"

const KEYS: Readonly<Record<Stroke, ActionName>> = {
  "<C-a>": "lineStart",
  "<Home>": "lineStart",
  "<C-e>": "lineEnd",
  "<End>": "lineEnd",
  "<C-b>": "charLeft",
  "<Left>": "charLeft",
  "<C-f>": "charRight",
  "<Right>": "charRight",
  "<A-b>": "wordLeft",
  "<C-Left>": "wordLeft",
  "<A-Left>": "wordLeft",
  "<A-f>": "wordRight",
  "<C-Right>": "wordRight",
  "<A-Right>": "wordRight",
  "<A-lt>": "bufferStart",
  "<A-gt>": "bufferEnd",
  "<S-Left>": "selectCharLeft",
  "<S-Right>": "selectCharRight",
  "<C-S-Left>": "selectWordLeft",
  "<C-S-Right>": "selectWordRight",
  "<S-Home>": "selectLineStart",
  "<S-End>": "selectLineEnd",
  "<BS>": "eraseLeft",
  "<S-BS>": "eraseLeft",
  "<C-h>": "eraseLeft",
  "<Del>": "eraseRight",
  "<C-d>": "eraseRight",
  "<C-k>": "killLineEnd",
  "<C-u>": "killLineStart",
  "<C-w>": "killWordLeft",
  "<A-BS>": "killWordLeft",
  "<C-BS>": "killWordLeft",
  "<A-d>": "killWordRight",
  "<C-y>": "yank",
  "<A-y>": "yankPop",
  "<A-u>": "upperCase",
  "<A-l>": "lowerCase",
  "<A-c>": "capitalise",
  "<C-_>": "undo",
  "<A-_>": "redo"
}

/** What `keybindingFlavor: "readline"` changes. */
const READLINE_KEYS: Readonly<Record<Stroke, ActionName>> = {
  "<C-w>": "killBlankWordLeft",
  "<A-f>": "wordEnd",
  "<A-d>": "killWordEnd"
}

export const isPrintable = (stroke: Stroke): boolean => stroke.length === 1 || !stroke.startsWith("<")

export interface StandardContext {
  readonly now: number
  readonly flavor: Flavor
}

/** The editor after a stroke; undefined when the stroke means nothing to it. */
export const pressStandard = (
  editor: StandardEditor,
  stroke: Stroke,
  { now, flavor }: StandardContext
): StandardEditor | undefined => {
  const name = (flavor === "readline" ? READLINE_KEYS[stroke] : undefined) ?? KEYS[stroke]
  if (name !== undefined) return ACTIONS[name](editor, now)
  return isPrintable(stroke) ? typeText(editor, stroke, now) : undefined
}
