/** Bringing text back: history, the queue and the stash. */
import { bufferOf, endOf } from "../editor/buffer.ts"
import { adoptLabels } from "./chip.ts"
import { closeCompletion } from "./completion.ts"
import type { PromptCommand } from "./command.ts"
import { emptyEditor, isEmptyEditor } from "./editor.ts"
import {
  type Draft,
  draftOf,
  type HistoryEntry,
  type InputMode,
  isBlank,
  type PromptContext,
  type PromptModel,
  type QueuedMessage,
  showDraft
} from "./model.ts"

export interface PromptStep {
  readonly prompt: PromptModel
  readonly commands: ReadonlyArray<PromptCommand>
}

const MODE_CHARACTERS: Readonly<Record<string, InputMode>> = { "!": "shell", "#": "memory" }

export const modeOfCharacter = (character: string): InputMode | undefined => MODE_CHARACTERS[character]

export const modeCharacter = (mode: InputMode): string => (mode === "shell" ? "!" : mode === "memory" ? "#" : "")

/** An entry of history as text in the prompt. The caret stands where going on in the same direction leaves it. */
const draftOfEntry = (prompt: PromptModel, entry: HistoryEntry, caret: "firstLine" | "end"): Draft => {
  const mode = modeOfCharacter(entry.display.charAt(0)) ?? "prompt"
  const display = mode === "prompt" ? entry.display : entry.display.slice(1)
  const { text, chips } = adoptLabels(display, entry.chips, prompt.nextChip)
  const buffer = bufferOf(text)
  const place = caret === "end" ? endOf(buffer) : { line: 0, column: buffer.at(0).length }
  return { text, caret: place, mode, chips }
}

/** Puts an entry that was found by searching into the prompt. */
export const placeEntry = (prompt: PromptModel, entry: HistoryEntry, now: number): PromptModel => {
  const shown = showDraft(prompt, draftOfEntry(prompt, entry, "end"), now)
  return { ...shown, recall: undefined, completion: closeCompletion(shown.completion) }
}

/** This session newest first, then the other sessions of the project; equal neighbours once. */
export const recallOrder = (
  entries: ReadonlyArray<HistoryEntry>,
  here: { readonly sessionId: string; readonly project: string }
): ReadonlyArray<HistoryEntry> => {
  const newestFirst = entries.toSorted((a, b) => b.timestamp - a.timestamp)
  const ofSession = newestFirst.filter(({ sessionId }) => sessionId === here.sessionId)
  const isOther = (entry: HistoryEntry): boolean => entry.sessionId !== here.sessionId && entry.project === here.project
  const all = [...ofSession, ...newestFirst.filter(isOther)]
  return all.filter((entry, index) => entry.display !== all[index - 1]?.display)
}

const showEntry = (prompt: PromptModel, index: number, context: PromptContext): PromptModel | undefined => {
  const entry = context.history[index]
  if (entry === undefined) return undefined
  const isOlder = index > (prompt.recall?.index ?? -1)
  const shown = showDraft(prompt, draftOfEntry(prompt, entry, isOlder ? "firstLine" : "end"), context.now)
  const draft = prompt.recall?.draft ?? draftOf(prompt)
  return { ...shown, recall: { index, draft }, completion: closeCompletion(shown.completion) }
}

const recallOlder = (prompt: PromptModel, context: PromptContext): PromptModel | undefined =>
  showEntry(prompt, (prompt.recall?.index ?? -1) + 1, context)

/** Newer entries, and below the newest the draft that was there before. */
export const recallNewer = (prompt: PromptModel, context: PromptContext): PromptModel | undefined => {
  const { recall } = prompt
  if (recall === undefined) return undefined
  if (recall.index > 0) return showEntry(prompt, recall.index - 1, context)
  const shown = showDraft(prompt, recall.draft, context.now)
  return { ...shown, recall: undefined, completion: closeCompletion(shown.completion) }
}

/** A command mixes with no other text, so it comes back only alone and into an empty prompt. */
const takeable = (prompt: PromptModel, queue: ReadonlyArray<QueuedMessage>): ReadonlyArray<QueuedMessage> => {
  const texts = queue.filter(({ isCommand }) => !isCommand)
  if (texts.length > 0) return prompt.mode === "prompt" ? texts : []
  return queue.length === 1 && isBlank(prompt) ? queue : []
}

/** Queued text returns one message a line, before what was typed. */
export const takeBack = (prompt: PromptModel, taken: ReadonlyArray<QueuedMessage>, now: number): PromptStep => {
  const typed = draftOf(prompt)
  const drafts = taken.map(({ draft }) => draft)
  const before = drafts.map(({ text }) => text).join("\n")
  const offset = bufferOf(before).count
  const isAlone = isEmptyEditor(prompt.editor)
  const draft: Draft = {
    text: isAlone ? before : `${before}\n${typed.text}`,
    caret: isAlone ? endOf(bufferOf(before)) : { line: typed.caret.line + offset, column: typed.caret.column },
    mode: drafts[0]?.mode ?? "prompt",
    chips: [...drafts.flatMap(({ chips }) => chips), ...typed.chips]
  }
  return {
    prompt: showDraft(prompt, draft, now),
    commands: [{ _tag: "TakeBack", ids: taken.map(({ id }) => id) }]
  }
}

/** Up from the first row: the queue first, then history. Undefined when there is neither. */
export const goOlder = (prompt: PromptModel, context: PromptContext): PromptStep | undefined => {
  const taken = prompt.recall === undefined ? takeable(prompt, context.queue) : []
  if (taken.length > 0) return takeBack(prompt, taken, context.now)
  const recalled = recallOlder(prompt, context)
  return recalled === undefined ? undefined : { prompt: recalled, commands: [] }
}

/** The empty prompt, as after sending. The stash stays. */
export const clearPrompt = (prompt: PromptModel): PromptModel => ({
  ...prompt,
  editor: emptyEditor(prompt.editor),
  mode: "prompt",
  chips: new Map(),
  recall: undefined,
  completion: closeCompletion(prompt.completion)
})

/** Puts the text aside; on an empty prompt brings it back with caret and pastes. */
export const toggleStash = (prompt: PromptModel, now: number): PromptStep => {
  if (!isBlank(prompt)) {
    const text = prompt.stash === undefined ? "Prompt stashed" : "Prompt stashed; the earlier stash is replaced"
    return { prompt: { ...clearPrompt(prompt), stash: draftOf(prompt) }, commands: [{ _tag: "Notice", text }] }
  }
  if (prompt.stash === undefined) return { prompt, commands: [{ _tag: "Notice", text: "Nothing is stashed" }] }
  return { prompt: { ...showDraft(prompt, prompt.stash, now), stash: undefined }, commands: [] }
}
