import type { ActionId } from "../keymap/actions/action-tables.ts"
import type { Stroke } from "../keymap/stroke.ts"
import { clusters } from "../screen/cell/width.ts"
import { type ActionName, ACTIONS } from "../editor/standard/actions.ts"
import { endOf } from "../editor/buffer.ts"
import { insertLiteral, isInserting, isEmptyEditor } from "./editor.ts"
import { acceptChoice, dismissMenu, moveInMenu, submitWithMenu } from "./menu-actions.ts"
import type { PromptContext, PromptModel } from "./model.ts"
import { type PromptStep, toggleStash } from "./recall.ts"
import { moveByRow } from "./row-moves.ts"
import { enterKey, leaveRows, pressEditor, still } from "./update.ts"

/** What the actions of the prompt do to it. Keys that are bound to none of them are its editor's. */

/** Undefined where the action means nothing to the prompt as it is. `goal` is the column that moving by rows keeps to. */
export type PromptAct = (prompt: PromptModel, context: PromptContext, goal?: number) => PromptStep | undefined

/** Keys of the vim engine, one after the other. */
const typed =
  (strokes: ReadonlyArray<Stroke>): PromptAct =>
  (prompt, context) =>
    strokes.reduce<PromptStep>((step, stroke) => {
      const next = pressEditor(step.prompt, stroke, context)
      return { prompt: next.prompt, commands: [...step.commands, ...next.commands] }
    }, still(prompt))

interface Editing {
  readonly standard: ActionName
  /** What the vim engine does it by in each of its modes; a mode without keys has no such edit. */
  readonly insert?: ReadonlyArray<Stroke>
  readonly normal?: ReadonlyArray<Stroke>
  readonly visual?: ReadonlyArray<Stroke>
}

const edit =
  ({ standard, ...vim }: Editing): PromptAct =>
  (prompt, context) => {
    const { editor } = prompt
    if (editor._tag === "Standard") {
      return still({ ...prompt, editor: { _tag: "Standard", standard: ACTIONS[standard](editor.standard, context.now) } })
    }
    const { name } = editor.vim.mode
    const strokes = name === "commandLine" ? undefined : vim[name]
    return strokes === undefined ? undefined : typed(strokes)(prompt, context)
  }

/** In NORMAL a line is opened below. */
const newline: PromptAct = (prompt, context) => {
  if (isInserting(prompt.editor)) return still({ ...prompt, editor: insertLiteral(prompt.editor, "\n", context.now) })
  return isNormal(prompt) ? pressEditor(prompt, "o", context) : undefined
}

const isNormal = ({ editor }: PromptModel): boolean => editor._tag === "Vim" && editor.vim.mode.name === "normal"

const byRow =
  (by: -1 | 1, extend: boolean): PromptAct =>
  (prompt, context, goal) => {
    if (!isInserting(prompt.editor)) return extend ? undefined : pressEditor(prompt, by < 0 ? "<Up>" : "<Down>", context)
    const moved = moveByRow({ ...prompt, goal }, { by, extend, width: context.width })
    if (moved !== undefined) return still(moved)
    return extend ? still(prompt) : leaveRows(prompt, by, context)
  }

export const PROMPT_ACTIONS = {
  "chat:submit": (prompt, context) => submitWithMenu(prompt, context) ?? enterKey(prompt, context),
  "chat:newline": newline,
  "chat:undo": edit({ standard: "undo", normal: ["u"] }),
  "chat:stash": (prompt, { now }) => toggleStash(prompt, now),
  "chat:indent": edit({ standard: "indent", insert: ["<C-x>", "<C-t>"], normal: [">", ">"], visual: [">"] }),
  "chat:dedent": edit({ standard: "dedent", insert: ["<C-x>", "<C-d>"], normal: ["<", "<"], visual: ["<"] }),
  "history:previous": byRow(-1, false),
  "history:next": byRow(1, false),
  "autocomplete:accept": acceptChoice,
  "autocomplete:dismiss": dismissMenu,
  "autocomplete:previous": moveInMenu(() => -1),
  "autocomplete:next": moveInMenu(() => 1),
  "autocomplete:pageUp": moveInMenu((page) => -Math.max(2, page)),
  "autocomplete:pageDown": moveInMenu((page) => Math.max(2, page)),
  "prompt:decrement": (prompt, context) => (prompt.editor._tag === "Vim" ? pressEditor(prompt, "<C-x>", context) : undefined)
} as const satisfies Partial<Record<ActionId, PromptAct>>

export type PromptActionId = keyof typeof PROMPT_ACTIONS

export const isPromptAction = (id: ActionId): id is PromptActionId => Object.hasOwn(PROMPT_ACTIONS, id)

/** Grows the selection, as Shift with a key that moves does. */
export const SELECTING = {
  "selection:extendLeft": edit({ standard: "selectCharLeft", insert: ["<S-Left>"], normal: ["<S-Left>"] }),
  "selection:extendRight": edit({ standard: "selectCharRight", insert: ["<S-Right>"], normal: ["<S-Right>"] }),
  "selection:extendUp": byRow(-1, true),
  "selection:extendDown": byRow(1, true),
  "selection:extendLineStart": edit({ standard: "selectLineStart" }),
  "selection:extendLineEnd": edit({ standard: "selectLineEnd" })
} as const satisfies Partial<Record<ActionId, PromptAct>>

/** Leaves what the editor is in: INSERT, a selection, a command that is half typed, a mode without text. */
export const leaveMode: PromptAct = (prompt, context) => {
  const isEmptyMode = prompt.mode !== "prompt" && isEmptyEditor(prompt.editor)
  const isBusy = prompt.editor._tag === "Vim" && !isIdle(prompt) && !(isEmptyMode && isInserting(prompt.editor))
  return isBusy ? pressEditor(prompt, "<Esc>", context) : still(isEmptyMode ? { ...prompt, mode: "prompt" } : prompt)
}

const isIdle = (prompt: PromptModel): boolean =>
  isNormal(prompt) && prompt.editor._tag === "Vim" && prompt.editor.vim.pending.length === 0

/** Ready to type, where the caret is or at the end of the text. */
export const readyToType =
  (where: "here" | "end"): PromptAct =>
  (prompt, context) => {
    const { editor } = prompt
    if (editor._tag === "Vim") {
      return isNormal(prompt) ? typed(where === "here" ? ["i"] : ["G", "A"])(prompt, context) : still(prompt)
    }
    if (where === "here") return still(prompt)
    const standard = { ...editor.standard, caret: endOf(editor.standard.buffer), anchor: undefined }
    return still({ ...prompt, editor: { _tag: "Standard", standard } })
  }

/** A line of vim's own command line about the text; undefined for the standard editor, which has none. */
export const runVimLine =
  (line: string): PromptAct =>
  (prompt, context) => {
    if (prompt.editor._tag !== "Vim") return undefined
    const isTyping = prompt.editor.vim.mode.name === "insert"
    const strokes = [...(isTyping ? ["<Esc>"] : []), ":", ...clusters(line), "<CR>", ...(isTyping ? ["a"] : [])]
    return typed(strokes)(prompt, context)
  }

/** What is selected in vim's VISUAL goes to the clipboard. */
export const yankToClipboard: PromptAct = typed(['"', "+", "y"])
