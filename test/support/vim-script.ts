/** Runs a script of strokes on a text and says what came of it, in the words vim itself uses. */
import type { Position } from "../../src/tui/editor/lines.ts"
import type { Shape } from "../../src/tui/editor/selection.ts"
import type { Stroke } from "../../src/tui/keymap/stroke.ts"
import type { VimCommand } from "../../src/tui/editor/vim/state/command.ts"
import { PLAIN_CONTEXT, VIM_OPTIONS, type VimContext, type VimOptions } from "../../src/tui/editor/vim/state/context.ts"
import { modeLetters } from "../../src/tui/editor/vim/mode.ts"
import { initialVim, type VimState } from "../../src/tui/editor/vim/state/state.ts"
import { step } from "../../src/tui/editor/vim/step.ts"

export interface ScriptOptions {
  readonly cursor?: Position
  readonly options?: Partial<VimOptions>
  readonly context?: Partial<VimContext>
}

export interface ScriptResult {
  readonly lines: ReadonlyArray<string>
  readonly cursor: Position
  readonly mode: string
  readonly registers: Readonly<Record<string, { readonly text: ReadonlyArray<string>; readonly type: "v" | "V" | "b" }>>
  readonly commands: ReadonlyArray<VimCommand>
  readonly vim: VimState
}

const TYPE_LETTERS: Record<Shape, "v" | "V" | "b"> = { char: "v", line: "V", block: "b" }

const resultOf = (vim: VimState, commands: ReadonlyArray<VimCommand>): ScriptResult => {
  const named = [...vim.registers.texts, ['"', vim.registers.texts.get(vim.registers.unnamed)] as const]
  return {
    lines: vim.buffer.lines,
    cursor: vim.cursor,
    mode: modeLetters(vim),
    registers: Object.fromEntries(
      named.flatMap(([name, kept]) =>
        kept === undefined ? [] : [[name, { text: kept.lines, type: TYPE_LETTERS[kept.type] }]]
      )
    ),
    commands,
    vim
  }
}

/** What came of each part of a script. */
export const runParts = (
  text: string,
  parts: ReadonlyArray<ReadonlyArray<Stroke>>,
  options: ScriptOptions = {}
): ReadonlyArray<ScriptResult> => {
  const context = { ...PLAIN_CONTEXT, ...options.context }
  const start = initialVim(text, { ...VIM_OPTIONS, ...options.options })
  let vim: VimState = options.cursor === undefined ? start : { ...start, cursor: options.cursor }
  return parts.map((strokes) => {
    const commands: Array<VimCommand> = []
    for (const stroke of strokes) {
      const result = step(vim, stroke, context)
      vim = result.vim
      commands.push(...result.commands)
    }
    return resultOf(vim, commands)
  })
}

export const runScript = (text: string, strokes: ReadonlyArray<Stroke>, options: ScriptOptions = {}): ScriptResult => {
  const [result] = runParts(text, [strokes], options)
  if (result === undefined) throw new Error("one part gives one result")
  return result
}
