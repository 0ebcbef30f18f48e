/** Keys of the open completion menu. */
import type { Stroke } from "../keymap/stroke.ts"
import { chosen, closeCompletion, type CompletionMenu, dismiss, insertionOf, moveChoice } from "./completion.ts"
import { replaceBefore } from "./editor.ts"
import type { PromptContext, PromptModel } from "./model.ts"
import type { PromptStep } from "./recall.ts"
import { submit } from "./submit.ts"

const MOVES: Readonly<Record<Stroke, (page: number) => number>> = {
  "<Up>": () => -1,
  "<C-p>": () => -1,
  "<Down>": () => 1,
  "<C-n>": () => 1,
  "<PageUp>": (page) => -Math.max(2, page),
  "<PageDown>": (page) => Math.max(2, page)
}

const place = (prompt: PromptModel, menu: CompletionMenu, edit: { text: string; now: number }): PromptModel => ({
  ...prompt,
  editor: replaceBefore(prompt.editor, { column: menu.from.column, ...edit }),
  completion: closeCompletion(prompt.completion)
})

const accept = (prompt: PromptModel, menu: CompletionMenu, now: number): PromptModel => {
  const candidate = chosen(menu)
  return candidate === undefined ? prompt : place(prompt, menu, { text: insertionOf(menu, candidate), now })
}

/** Enter takes the choice, and runs a command that needs nothing more. */
const enter = (prompt: PromptModel, menu: CompletionMenu, now: number): PromptStep | undefined => {
  const candidate = menu.selected < 0 ? undefined : chosen(menu)
  if (candidate === undefined) return undefined
  const isComplete = menu.kind === "command" && candidate.needsArgument !== true
  if (isComplete) return submit(place(prompt, menu, { text: candidate.insert, now }))
  return { prompt: accept(prompt, menu, now), commands: [] }
}

/** Chooses an item by its place, as a click does. */
export const acceptItem = (prompt: PromptModel, index: number, now: number): PromptModel => {
  const { menu } = prompt.completion
  return menu === undefined ? prompt : accept(prompt, { ...menu, selected: index }, now)
}

/** Undefined when the stroke is none of the menu's: it then means what it means without a menu. */
export const pressInMenu = (prompt: PromptModel, stroke: Stroke, context: PromptContext): PromptStep | undefined => {
  const { menu } = prompt.completion
  if (menu === undefined) return undefined
  const move = MOVES[stroke]
  if (move !== undefined) {
    const completion = moveChoice(prompt.completion, move(context.menuRows))
    return { prompt: { ...prompt, completion }, commands: [] }
  }
  if (stroke === "<Tab>") return { prompt: accept(prompt, menu, context.now), commands: [] }
  if (stroke === "<Esc>") return { prompt: { ...prompt, completion: dismiss(prompt.completion) }, commands: [] }
  return stroke === "<CR>" ? enter(prompt, menu, context.now) : undefined
}
