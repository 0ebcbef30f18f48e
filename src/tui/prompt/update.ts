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
import { pressInMenu } from "./menu-keys.ts"
import type { PromptContext, PromptModel } from "./model.ts"
import { chipAtCaret, foldChip, openChip, pasteText } from "./paste.ts"
import type { Candidate } from "./ranking.ts"
import { goOlder, modeOfCharacter, type PromptStep, recallNewer, toggleStash } from "./recall.ts"
import { moveByRow } from "./row-moves.ts"
import { submit } from "./submit.ts"

export type PromptInput = Stroke | PasteEvent

type Handler = (prompt: PromptModel, stroke: Stroke, context: PromptContext) => PromptStep | undefined

const still = (prompt: PromptModel): PromptStep => ({ prompt, commands: [] })

const NEWLINES: ReadonlySet<Stroke> = new Set(["<C-j>", "<S-CR>", "<A-CR>"])

/** In NORMAL `<C-j>` is a motion; the other two open a line as `o` does. */
const insertNewline: Handler = (prompt, stroke, context) => {
  if (!NEWLINES.has(stroke)) return undefined
  if (isInserting(prompt.editor)) return still({ ...prompt, editor: insertLiteral(prompt.editor, "\n", context.now) })
  return stroke === "<C-j>" || isSelectingOrWaiting(prompt) ? undefined : pressEditor(prompt, "o", context)
}

/** Enter sends; after a backslash it breaks the line, on a chip it opens the chip. */
const pressEnter: Handler = (prompt, stroke, { now }) => {
  if (stroke !== "<CR>") return undefined
  if (chipAtCaret(prompt) !== undefined) {
    const opened = openChip(prompt, now)
    if (opened !== undefined && !isSelectingOrWaiting(prompt)) return still(opened)
  }
  if (!isInserting(prompt.editor)) return undefined
  const { line, column } = caretIn(prompt.editor)
  if (
    bufferIn(prompt.editor)
      .at(line)
      .charAt(column - 1) === "\\"
  ) {
    return still({ ...prompt, editor: replaceBefore(prompt.editor, { column: column - 1, text: "\n", now }) })
  }
  return submit(prompt)
}

const isSelectingOrWaiting = ({ editor }: PromptModel): boolean =>
  editor._tag === "Vim" && (editor.vim.pending.length > 0 || /visual|commandLine/.test(editor.vim.mode.name))

const LEAVE_MODE: ReadonlySet<Stroke> = new Set(["<BS>", "<C-h>", "<Esc>", "<C-u>"])

/** The first character of an empty prompt chooses what it is for (UI-147). */
const chooseMode: Handler = (prompt, stroke) => {
  if (!isEmptyEditor(prompt.editor) || !isInserting(prompt.editor)) return undefined
  if (prompt.mode !== "prompt") return LEAVE_MODE.has(stroke) ? still({ ...prompt, mode: "prompt" }) : undefined
  if (stroke === "?") return { prompt, commands: [{ _tag: "OpenHelp" }] }
  const mode = modeOfCharacter(stroke)
  return mode === undefined ? undefined : still({ ...prompt, mode })
}

const ROW_KEYS: Readonly<Record<Stroke, { readonly by: -1 | 1; readonly extend: boolean }>> = {
  "<Up>": { by: -1, extend: false },
  "<C-p>": { by: -1, extend: false },
  "<S-Up>": { by: -1, extend: true },
  "<Down>": { by: 1, extend: false },
  "<C-n>": { by: 1, extend: false },
  "<S-Down>": { by: 1, extend: true }
}

const moveRows: Handler = (prompt, stroke, context) => {
  const key = ROW_KEYS[stroke]
  if (key === undefined || !isInserting(prompt.editor)) return undefined
  const moved = moveByRow(prompt, { ...key, width: context.width })
  if (moved !== undefined) return still(moved)
  if (key.extend) return still(prompt)
  return leaveRows(prompt, key.by, context)
}

/** Past the first or last row: back in time, or towards the draft. */
const leaveRows = (prompt: PromptModel, by: -1 | 1, context: PromptContext): PromptStep => {
  if (by < 0) return goOlder(prompt, context) ?? still(prompt)
  return still(recallNewer(prompt, context) ?? prompt)
}

/** `zo` and `zc` open and fold the chip under the caret. */
const foldKeys: Handler = (prompt, stroke, { now }) => {
  const { editor } = prompt
  if (editor._tag !== "Vim" || editor.vim.pending.join("") !== "z") return undefined
  if (stroke !== "o" && stroke !== "c") return undefined
  const calm = { ...prompt, editor: { ...editor, vim: { ...editor.vim, pending: [] } } }
  return still((stroke === "o" ? openChip(calm, now) : foldChip(calm, now)) ?? calm)
}

const stashKey: Handler = (prompt, stroke, { now }) => (stroke === "<C-s>" ? toggleStash(prompt, now) : undefined)

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

const pressEditor = (prompt: PromptModel, stroke: Stroke, context: PromptContext): PromptStep => {
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

const HANDLERS: ReadonlyArray<Handler> = [pressInMenu, insertNewline, pressEnter, chooseMode, moveRows, foldKeys, stashKey]

const pressStroke = (prompt: PromptModel, stroke: Stroke, context: PromptContext): PromptStep => {
  const typed = isPrintable(stroke) ? withoutChipCharacters(stroke) : stroke
  for (const handler of HANDLERS) {
    const done = handler(prompt, typed, context)
    if (done !== undefined) return done
  }
  return pressEditor(prompt, typed, context)
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

export const updatePrompt = (prompt: PromptModel, input: PromptInput, context: PromptContext): PromptStep => {
  const isKept = typeof input === "string" && ROW_KEYS[input] !== undefined
  const start = isKept ? prompt : { ...prompt, goal: undefined }
  const isStroke = typeof input === "string"
  const done = isStroke ? pressStroke(start, input, context) : pasteText(start, input.text, context.now)
  return completeAfter(prompt, done, context)
}

/** The answer to `AskCandidates`. */
export const candidatesArrived = (
  prompt: PromptModel,
  answer: { readonly id: number; readonly candidates: ReadonlyArray<Candidate> }
): PromptModel => ({ ...prompt, completion: receiveCandidates(prompt.completion, answer) })
