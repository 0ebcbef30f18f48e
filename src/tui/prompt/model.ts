/** The prompt as a value: text with its editor, what kind of input it is, and everything that can be brought back. */
import type { Position } from "../editor/lines.ts"
import type { Flavor } from "../editor/standard/keys.ts"
import type { VimContext, VimOptions } from "../editor/vim/state/context.ts"
import { type Chip, chipsIn, type Chips, chipTable, NO_CHIPS } from "./chip.ts"
import { type Completion, NO_COMPLETION } from "./completion.ts"
import { bufferIn, caretIn, type PromptEditor, replaceText, standardPromptEditor, textIn, vimEditor } from "./editor.ts"

/** The mode character (`!`, `#`) is not part of the text. */
export type InputMode = "prompt" | "shell" | "memory"

/** An unsent text as it is stored: plain data. Chips stand in the text as their characters. */
export interface Draft {
  readonly text: string
  readonly caret: Position
  readonly mode: InputMode
  readonly chips: ReadonlyArray<Chip>
}

/** Everything unsent of a prompt, as it outlives the process: what is typed, and what was put aside. */
export interface SavedDraft extends Draft {
  readonly stash?: Draft
  /** Lines that waited for the end of the turn, as history has them. */
  readonly waiting?: ReadonlyArray<string>
}

/** A walk through the history. The draft comes back below the newest entry. */
export interface Recall {
  readonly index: number
  readonly draft: Draft
}

export interface PromptModel {
  readonly editor: PromptEditor
  readonly mode: InputMode
  readonly chips: Chips
  /** The number of the next chip; numbers are not used twice in a session. */
  readonly nextChip: number
  readonly stash: Draft | undefined
  readonly recall: Recall | undefined
  readonly completion: Completion
  /** The column that moving by rows keeps to. */
  readonly goal: number | undefined
  /** What may come next, shown while nothing is typed. */
  readonly suggestion?: string
}

export interface HistoryEntry {
  /** With its mode character and with chips as labels. */
  readonly display: string
  readonly chips: ReadonlyArray<Chip>
  readonly timestamp: number
  readonly project: string
  readonly sessionId: string
}

export interface QueuedMessage {
  readonly id: string
  readonly draft: Draft
  /** A shell line or a slash command: it means something else beside other text. */
  readonly isCommand: boolean
}

/** What the prompt gets to know of the world with every input. */
export interface PromptContext {
  readonly now: number
  /** Columns that a row of text may take. */
  readonly width: number
  /** Rows of the completion menu, for its paging. */
  readonly menuRows: number
  /** In the order of recall, newest first; `recallOrder` makes it. */
  readonly history: ReadonlyArray<HistoryEntry>
  readonly queue: ReadonlyArray<QueuedMessage>
  readonly flavor: Flavor
  readonly emojiCompletion: boolean
  readonly vim: Pick<VimContext, "view" | "clipboard" | "name">
}

export type EditorChoice = { readonly mode: "vim"; readonly options: VimOptions } | { readonly mode: "normal" }

const editorOf = (choice: EditorChoice): PromptEditor =>
  choice.mode === "vim" ? vimEditor("", choice.options) : standardPromptEditor("")

export const emptyPrompt = (choice: EditorChoice): PromptModel => ({
  editor: editorOf(choice),
  mode: "prompt",
  chips: NO_CHIPS,
  nextChip: 1,
  stash: undefined,
  recall: undefined,
  completion: NO_COMPLETION,
  goal: undefined
})

export const draftOf = ({ editor, mode, chips }: PromptModel): Draft => {
  const text = textIn(editor)
  return { text, caret: caretIn(editor), mode, chips: chipsIn(text, chips) }
}

export const savedDraftOf = (prompt: PromptModel): SavedDraft => ({
  ...draftOf(prompt),
  ...(prompt.stash === undefined ? {} : { stash: prompt.stash })
})

/** Whether both prompts would be saved as the same. */
export const isSameDraft = (a: PromptModel, b: PromptModel): boolean => {
  if (a.mode !== b.mode || a.stash !== b.stash || bufferIn(a.editor) !== bufferIn(b.editor)) return false
  const [one, other] = [caretIn(a.editor), caretIn(b.editor)]
  return one.line === other.line && one.column === other.column
}

export const isBlank = (prompt: PromptModel): boolean => textIn(prompt.editor) === "" && prompt.mode === "prompt"

/** Shows a draft instead of what the prompt holds, as one undoable change. */
export const showDraft = (prompt: PromptModel, draft: Draft, now: number): PromptModel => ({
  ...prompt,
  editor: replaceText(prompt.editor, draft.text, { caret: draft.caret, now }),
  mode: draft.mode,
  chips: new Map([...prompt.chips, ...chipTable(draft.chips)]),
  nextChip: Math.max(prompt.nextChip, ...draft.chips.map((chip) => chip.number + 1))
})

/** A prompt as it was left. */
export const restoreDraft = (prompt: PromptModel, { stash, ...draft }: SavedDraft, now: number): PromptModel => {
  const shown = showDraft(prompt, draft, now)
  const numbers = (stash?.chips ?? []).map(({ number }) => number + 1)
  return { ...shown, stash: stash ?? shown.stash, nextChip: Math.max(shown.nextChip, ...numbers) }
}
