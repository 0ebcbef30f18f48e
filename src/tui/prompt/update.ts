/** The prompt's update: one stroke or paste in, the next prompt and what the application should do out. */
import type { PasteEvent } from "../terminal/input/event.ts"
import { isPrintable, pressStandard } from "../editor/standard/keys.ts"
import type { Stroke } from "../keymap/stroke.ts"
import type { VimCommand } from "../editor/vim/state/command.ts"
import { step } from "../editor/vim/step.ts"
import { expandChips, withoutChipCharacters } from "./chip.ts"
import type { PromptCommand } from "./command.ts"
import { followToken, receiveCandidates, targetAt } from "./completion.ts"
import { bufferIn, caretIn, insertLiteral, isEmptyEditor, isInserting, replaceBefore, textIn } from "./editor.ts"
import { isBlank, type PromptContext, type PromptModel } from "./model.ts"
import { chipAtCaret, foldChip, openChip, pasteText } from "./paste.ts"
import type { Candidate } from "./ranking.ts"
import { goOlder, modeOfCharacter, type PromptStep, recallNewer } from "./recall.ts"
import { submit } from "./submit.ts"

export type PromptInput = Stroke | PasteEvent

export const still = (prompt: PromptModel): PromptStep => ({ prompt, commands: [] })

/** Enter sends; after a backslash it breaks the line, on a chip it opens the chip. */
export const enterKey = (prompt: PromptModel, { now }: PromptContext): PromptStep => {
  if (chipAtCaret(prompt) !== undefined) {
    const opened = openChip(prompt, now)
    if (opened !== undefined && !isSelectingOrWaiting(prompt)) return still(opened)
  }
  const { line, column } = caretIn(prompt.editor)
  const before = bufferIn(prompt.editor)
    .at(line)
    .charAt(column - 1)
  if (isInserting(prompt.editor) && before === "\\") {
    return still({ ...prompt, editor: replaceBefore(prompt.editor, { column: column - 1, text: "\n", now }) })
  }
  return submit(prompt)
}

const isSelectingOrWaiting = ({ editor }: PromptModel): boolean =>
  editor._tag === "Vim" && (editor.vim.pending.length > 0 || /visual|commandLine/.test(editor.vim.mode.name))

const LEAVE_MODE: ReadonlySet<Stroke> = new Set(["<BS>", "<C-h>", "<C-u>"])

/** The first character of an empty prompt chooses what it is for (UI-147). */
const chooseMode = (prompt: PromptModel, stroke: Stroke): PromptStep | undefined => {
  if (!isEmptyEditor(prompt.editor) || !isInserting(prompt.editor)) return undefined
  if (prompt.mode !== "prompt") return LEAVE_MODE.has(stroke) ? still({ ...prompt, mode: "prompt" }) : undefined
  if (stroke === "?") return { prompt, commands: [{ _tag: "OpenHelp" }] }
  const mode = modeOfCharacter(stroke)
  return mode === undefined ? undefined : still({ ...prompt, mode })
}

/** Past the first or last row: back in time, or towards the draft. */
export const leaveRows = (prompt: PromptModel, by: -1 | 1, context: PromptContext): PromptStep => {
  if (by < 0) return goOlder(prompt, context) ?? still(prompt)
  return still(recallNewer(prompt, context) ?? prompt)
}

/** `zo` and `zc` open and fold the chip under the caret. */
const foldKeys = (prompt: PromptModel, stroke: Stroke, { now }: PromptContext): PromptStep | undefined => {
  const { editor } = prompt
  if (editor._tag !== "Vim" || editor.vim.pending.join("") !== "z") return undefined
  if (stroke !== "o" && stroke !== "c") return undefined
  const calm = { ...prompt, editor: { ...editor, vim: { ...editor.vim, pending: [] } } }
  return still((stroke === "o" ? openChip(calm, now) : foldChip(calm, now)) ?? calm)
}

/** Commands of the vim engine as the prompt's own; what concerns only the prompt is done here. */
const afterVim = (prompt: PromptModel, commands: ReadonlyArray<VimCommand>, context: PromptContext): PromptStep => {
  let at: PromptStep = still(prompt)
  const add = (next: PromptStep): void => {
    at = { prompt: next.prompt, commands: [...at.commands, ...next.commands] }
  }
  for (const command of commands) {
    if (command._tag === "Submit") add(submit(at.prompt))
    else if (command._tag === "HistoryOlder") add(leaveRows(at.prompt, -1, context))
    else if (command._tag === "HistoryNewer") add(leaveRows(at.prompt, 1, context))
    else if (command._tag === "SetClipboard") {
      add({ prompt: at.prompt, commands: [{ ...command, text: expandChips(command.text, at.prompt.chips) }] })
    } else add({ prompt: at.prompt, commands: [command] })
  }
  return at
}

export const pressEditor = (prompt: PromptModel, stroke: Stroke, context: PromptContext): PromptStep => {
  const { editor } = prompt
  if (editor._tag === "Vim") {
    const result = step(editor.vim, stroke, { ...context.vim, now: context.now, width: context.width })
    return afterVim({ ...prompt, editor: { _tag: "Vim", vim: result.vim } }, result.commands, context)
  }
  const isForApplication = stroke === "<C-d>" && isEmptyEditor(editor)
  const standard = isForApplication ? undefined : pressStandard(editor.standard, stroke, context)
  if (standard === undefined) return { prompt, commands: [{ _tag: "Unhandled", stroke }] }
  return still({ ...prompt, editor: { _tag: "Standard", standard } })
}

const pressStroke = (prompt: PromptModel, stroke: Stroke, context: PromptContext): PromptStep => {
  const typed = isPrintable(stroke) ? withoutChipCharacters(stroke) : stroke
  return chooseMode(prompt, typed) ?? foldKeys(prompt, typed, context) ?? pressEditor(prompt, typed, context)
}

/** What is being typed decides about the menu; the caret alone opens none. */
const completeAfter = (before: PromptModel, after: PromptStep, context: PromptContext): PromptStep => {
  const { prompt, commands } = after
  const isSame = textIn(prompt.editor) === textIn(before.editor) && prompt.mode === before.mode
  const caret = caretIn(prompt.editor)
  const isMoved = caret.line !== caretIn(before.editor).line || caret.column !== caretIn(before.editor).column
  if (isSame && !isMoved && isInserting(prompt.editor)) return after
  const isOpen = prompt.completion.menu !== undefined
  const isTyped = isInserting(prompt.editor) && prompt.recall === before.recall && (!isSame || isOpen)
  const line = bufferIn(prompt.editor).at(caret.line)
  const token = { line, caret, isShell: prompt.mode === "shell", emoji: context.emojiCompletion }
  const { completion, ask } = followToken(prompt.completion, isTyped ? targetAt(token) : undefined)
  if (ask === undefined) return { prompt: { ...prompt, completion }, commands }
  const question: PromptCommand = { _tag: "AskCandidates", id: ask.id, kind: ask.kind, query: ask.query }
  return { prompt: { ...prompt, completion }, commands: [...commands, question] }
}

/** These take what is suggested; any other key takes it off the screen. */
const TAKES: ReadonlySet<PromptInput> = new Set<PromptInput>(["<Tab>", "<Right>"])

export const withoutSuggestion = (prompt: PromptModel): PromptModel => {
  if (prompt.suggestion === undefined) return prompt
  const { suggestion: _suggestion, ...plain } = prompt
  return plain
}

/** A key or a paste that is no action. */
export const updatePrompt = (prompt: PromptModel, input: PromptInput, context: PromptContext): PromptStep => {
  const start = { ...withoutSuggestion(prompt), goal: undefined }
  const { suggestion } = prompt
  if (suggestion !== undefined && TAKES.has(input) && isBlank(prompt) && isInserting(prompt.editor)) {
    return still({ ...start, editor: insertLiteral(start.editor, suggestion, context.now) })
  }
  const done = typeof input === "string" ? pressStroke(start, input, context) : pasteText(start, input.text, context.now)
  return completeAfter(prompt, done, context)
}

/** Undefined where the action means nothing to the prompt as it is. */
export const actInPrompt = (
  prompt: PromptModel,
  act: (prompt: PromptModel, context: PromptContext, goal?: number) => PromptStep | undefined,
  context: PromptContext
): PromptStep | undefined => {
  const done = act({ ...withoutSuggestion(prompt), goal: undefined }, context, prompt.goal)
  return done === undefined ? undefined : completeAfter(prompt, done, context)
}

/** The answer to `AskCandidates`. */
export const candidatesArrived = (
  prompt: PromptModel,
  answer: { readonly id: number; readonly candidates: ReadonlyArray<Candidate> }
): PromptModel => ({ ...prompt, completion: receiveCandidates(prompt.completion, answer) })
