/** Key scripts `(text, keys, text)`: the caret is the mark `│` before the character it stands on. */
import { parseStrokes } from "../../../../src/tui/keymap/stroke.ts"
import { runScript, type ScriptOptions, type ScriptResult } from "../../../support/vim-script.ts"

const CARET = "│"

export type KeyScript = readonly [before: string, keys: string, after: string]

const readText = (marked: string): { text: string; cursor: { line: number; column: number } } => {
  const before = marked.slice(0, Math.max(0, marked.indexOf(CARET)))
  return {
    text: marked.replace(CARET, ""),
    cursor: { line: before.split("\n").length - 1, column: before.length - (before.lastIndexOf("\n") + 1) }
  }
}

export const showText = ({ lines, cursor }: Pick<ScriptResult, "lines" | "cursor">): string => {
  const line = lines[cursor.line] ?? ""
  return lines.with(cursor.line, line.slice(0, cursor.column) + CARET + line.slice(cursor.column)).join("\n")
}

export const play = (marked: string, keys: string, options: ScriptOptions = {}): ScriptResult => {
  const { text, cursor } = readText(marked)
  return runScript(text, parseStrokes(keys), { cursor, ...options })
}

export const after = (marked: string, keys: string, options: ScriptOptions = {}): string =>
  showText(play(marked, keys, options))
