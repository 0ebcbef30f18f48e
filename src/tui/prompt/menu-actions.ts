/** What is done with the open completion menu. Without one each means nothing. */
import { selectedCandidate, closeCompletion, type CompletionMenu, dismiss, insertionOf, moveChoice } from "./completion.ts"
import { replaceBefore } from "./editor.ts"
import type { PromptContext, PromptModel } from "./model.ts"
import type { PromptStep } from "./recall.ts"
import { submit } from "./submit.ts"

const place = (prompt: PromptModel, menu: CompletionMenu, edit: { text: string; now: number }): PromptModel => ({
  ...prompt,
  editor: replaceBefore(prompt.editor, { column: menu.from.column, ...edit }),
  completion: closeCompletion(prompt.completion)
})

const accept = (prompt: PromptModel, menu: CompletionMenu, now: number): PromptModel => {
  const candidate = selectedCandidate(menu)
  return candidate === undefined ? prompt : place(prompt, menu, { text: insertionOf(menu, candidate), now })
}

/** Enter takes the choice, and runs a command that needs nothing more. */
const enter = (prompt: PromptModel, menu: CompletionMenu, now: number): PromptStep | undefined => {
  const candidate = menu.selected < 0 ? undefined : selectedCandidate(menu)
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

type MenuAct = (prompt: PromptModel, context: PromptContext) => PromptStep | undefined

const inMenu =
  (act: (prompt: PromptModel, menu: CompletionMenu, context: PromptContext) => PromptStep | undefined): MenuAct =>
  (prompt, context) =>
    prompt.completion.menu === undefined ? undefined : act(prompt, prompt.completion.menu, context)

export const moveInMenu = (by: (page: number) => number): MenuAct =>
  inMenu((prompt, _menu, { menuRows }) => ({
    prompt: { ...prompt, completion: moveChoice(prompt.completion, by(menuRows)) },
    commands: []
  }))

export const acceptChoice: MenuAct = inMenu((prompt, menu, { now }) => ({ prompt: accept(prompt, menu, now), commands: [] }))

export const dismissMenu: MenuAct = inMenu((prompt) => ({
  prompt: { ...prompt, completion: dismiss(prompt.completion) },
  commands: []
}))

export const submitWithMenu: MenuAct = inMenu((prompt, menu, { now }) => enter(prompt, menu, now))
