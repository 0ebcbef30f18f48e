import { promptContexts } from "../../../src/tui/model/windows/key-contexts.ts"
import { lookup, keysFor } from "../../../src/tui/keymap/trie.ts"
import {
  type PromptAct,
  leaveMode,
  isPromptAction,
  PROMPT_ACTIONS,
  SELECTING
} from "../../../src/tui/prompt/prompt-actions.ts"
import { defaultKeymap } from "../../../src/tui/keymap/keymap.ts"
import { parseStrokes } from "../../../src/tui/keymap/stroke.ts"
import type { PromptCommand } from "../../../src/tui/prompt/command.ts"
import { bufferIn, caretIn, textIn } from "../../../src/tui/prompt/editor.ts"
import {
  type EditorChoice,
  emptyPrompt,
  type HistoryEntry,
  type PromptContext,
  type PromptModel
} from "../../../src/tui/prompt/model.ts"
import { type PromptInput, updatePrompt, actInPrompt } from "../../../src/tui/prompt/update.ts"
import { PROMPT_OPTIONS } from "../../../src/tui/editor/vim/state/context.ts"

/** A prompt under test: inputs go in, the text and the commands come out. */
export const CONTEXT: PromptContext = {
  now: 0,
  width: 40,
  menuRows: 10,
  history: [],
  queue: [],
  flavor: "standard",
  emojiCompletion: true,
  vim: { view: { top: 0, bottom: 20 }, clipboard: "", name: "" }
}

export const NORMAL: EditorChoice = { mode: "normal" }
export const VIM: EditorChoice = { mode: "vim", options: PROMPT_OPTIONS }

export interface Played {
  readonly prompt: PromptModel
  readonly commands: ReadonlyArray<PromptCommand>
}

const KEYMAP = defaultKeymap()

const isWaiting = ({ editor }: PromptModel): boolean =>
  editor._tag === "Vim" && (editor.vim.pending.length > 0 || editor.vim.mode.name === "commandLine")

const isSelecting = (id: string): id is keyof typeof SELECTING => Object.hasOwn(SELECTING, id)

/** A key is the action that it is bound to, as in the application, or else the editor's. */
const actOf = (prompt: PromptModel, input: PromptInput): PromptAct | undefined => {
  if (typeof input !== "string" || isWaiting(prompt)) return undefined
  const found = lookup(keysFor(KEYMAP, promptContexts(prompt)), input)
  if (found._tag !== "Matched") return undefined
  if (found.action === "chat:cancel") return leaveMode
  if (isSelecting(found.action)) return SELECTING[found.action]
  return isPromptAction(found.action) ? PROMPT_ACTIONS[found.action] : undefined
}

const pressed = (prompt: PromptModel, input: PromptInput, context: PromptContext): Played => {
  const act = actOf(prompt, input)
  return (act === undefined ? undefined : actInPrompt(prompt, act, context)) ?? updatePrompt(prompt, input, context)
}

export const feed = (
  start: PromptModel,
  inputs: ReadonlyArray<PromptInput>,
  context: Partial<PromptContext> = {}
): Played => {
  let prompt = start
  const commands: Array<PromptCommand> = []
  for (const input of inputs) {
    const done = pressed(prompt, input, { ...CONTEXT, ...context })
    prompt = done.prompt
    commands.push(...done.commands)
  }
  return { prompt, commands }
}

export const type = (start: PromptModel, keys: string, context: Partial<PromptContext> = {}): Played =>
  feed(start, parseStrokes(keys), context)

export const fresh = (choice: EditorChoice = NORMAL): PromptModel => emptyPrompt(choice)

export const paste = (text: string): PromptInput => ({ _tag: "Paste", text })

export const shownText = ({ editor }: PromptModel): string => {
  const { line, column } = caretIn(editor)
  const text = bufferIn(editor).at(line)
  return bufferIn(editor)
    .lines.with(line, `${text.slice(0, column)}|${text.slice(column)}`)
    .join("\n")
}

export const plainText = ({ editor }: PromptModel): string => textIn(editor)

export const entry = (display: string, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  display,
  chips: [],
  timestamp: 0,
  project: "/p",
  sessionId: "s",
  ...more
})

export const sent = ({ commands }: Played): ReadonlyArray<string> =>
  commands.flatMap((command) => (command._tag === "Send" ? [`${command.submission.mode}:${command.submission.text}`] : []))
