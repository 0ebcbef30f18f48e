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
import { type PromptInput, updatePrompt } from "../../../src/tui/prompt/update.ts"
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

export const feed = (
  start: PromptModel,
  inputs: ReadonlyArray<PromptInput>,
  context: Partial<PromptContext> = {}
): Played => {
  let prompt = start
  const commands: Array<PromptCommand> = []
  for (const input of inputs) {
    const done = updatePrompt(prompt, input, { ...CONTEXT, ...context })
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
