import { promptText } from "../../../core/loop/turn/queue.ts"
import type { QueuedPrompt } from "../../../core/loop/machine/state.ts"
import { bufferOf } from "../../editor/buffer.ts"
import type { Overlay } from "../overlay.ts"
import { insertLiteral } from "../../prompt/editor.ts"
import {
  type Draft,
  draftOf,
  emptyPrompt,
  isBlank,
  type PromptModel,
  restoreDraft,
  type SavedDraft,
  savedDraftOf,
  showDraft
} from "../../prompt/model.ts"
import { withKeptRegisters } from "../persisted-registers.ts"
import type { AppModel } from "../app-model.ts"
import type { OpenedFacts } from "../msg.ts"
import { vimOptionsOf } from "../ui-options.ts"
import { isTyped } from "../queued-prompts.ts"

/** The prompt of a session that opens: nothing that was typed and not sent gets lost on the way. */

export const NO_DRAFT: Draft = { text: "", caret: { line: 0, column: 0 }, mode: "prompt", chips: [] }

export const newPrompt = (model: AppModel): PromptModel => {
  const empty = emptyPrompt(
    model.options.editorMode === "vim" ? { mode: "vim", options: vimOptionsOf(model.options) } : { mode: "normal" }
  )
  return { ...empty, editor: withKeptRegisters(empty.editor, model.kept.registers) }
}

/** Prompts that the last process had not sent when it ended. */
export const unsentOf = ({ state }: OpenedFacts): ReadonlyArray<QueuedPrompt> => state.queue.filter(isTyped)

/** A session without unsent text of its own takes that of the one whose place it takes. */
export const takesOver = ({ draft }: OpenedFacts): boolean => draft === undefined

/** Text that waited returns before what is typed, as when it comes back from the queue. */
const withReturned = (prompt: PromptModel, text: string, now: number): PromptModel => {
  const typed = draftOf(prompt)
  const draft: Draft = isBlank(prompt)
    ? { ...NO_DRAFT, text, caret: { line: 0, column: text.length } }
    : {
        ...typed,
        text: `${text}\n${typed.text}`,
        caret: { line: typed.caret.line + bufferOf(text).count, column: typed.caret.column }
      }
  return showDraft(prompt, draft, now)
}

/** A new session took over what was typed here before and never sent. */
export const isAdopted = ({ draft, state }: OpenedFacts): boolean =>
  draft !== undefined && state.conversation.messages.length === 0

/** What comes back must not mix with what somebody typed meanwhile: then it is put aside. */
const restored = (model: AppModel, facts: OpenedFacts, saved: SavedDraft): PromptModel => {
  const empty = newPrompt(model)
  if (!isAdopted(facts) || model.early.length === 0) return restoreDraft(empty, saved, model.now)
  const { stash, ...draft } = saved
  return restoreDraft(empty, { ...NO_DRAFT, stash: draft.text === "" ? (stash ?? draft) : draft }, model.now)
}

export const promptWhenOpened = (model: AppModel, facts: OpenedFacts, replaced?: PromptModel): PromptModel => {
  const saved = facts.draft ?? (replaced === undefined ? undefined : savedDraftOf(replaced))
  const prompt = saved === undefined ? newPrompt(model) : restored(model, facts, saved)
  const unsent = unsentOf(facts)
  return unsent.length === 0
    ? prompt
    : withReturned(prompt, unsent.map(({ content }) => promptText(content)).join("\n"), model.now)
}

/** What somebody was about to say when the question went away; it stays in the prompt. */
export const typedInto = (dialog: Overlay | undefined): string => {
  if (dialog?._tag === "Permission") return dialog.comment.text.trim()
  if (dialog?._tag !== "Question") return ""
  return dialog.other
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .join("\n")
}

export const withInserted = (prompt: PromptModel, text: string, now: number): PromptModel => ({
  ...prompt,
  editor: insertLiteral(prompt.editor, text, now)
})
