/** Names of the mode a state is in, for people and for comparison with vim. */
import type { Shape } from "../selection.ts"
import { parse } from "./parse.ts"
import type { VimState } from "./state/state.ts"

const VISUAL_LETTERS: Record<Shape, string> = { char: "v", line: "V", block: "\x16" }

/** The operator that waits for a motion. */
export const pendingOperator = (vim: VimState): string | undefined => {
  if (vim.mode.name !== "normal" || vim.pending.length === 0) return undefined
  const parsed = parse(vim.pending, { visual: false, actions: new Map(), aliases: new Map() })
  return parsed.kind === "incomplete" ? parsed.operator : undefined
}

const VISUAL_NAMES: Record<Shape, string> = { char: "VISUAL", line: "VISUAL LINE", block: "VISUAL BLOCK" }

/** The name for the border of the prompt. */
export const modeName = (vim: VimState): string => {
  switch (vim.mode.name) {
    case "normal":
      return pendingOperator(vim) === undefined ? "NORMAL" : "OPERATOR-PENDING"
    case "visual":
      return VISUAL_NAMES[vim.mode.shape]
    case "insert":
      return vim.mode.session.replace ? "REPLACE" : "INSERT"
    case "commandLine":
      return vim.mode.line.prompt === ":" ? "COMMAND-LINE" : "SEARCH"
  }
}

/** What vim's `mode(1)` would answer. */
export const modeLetters = (vim: VimState): string => {
  switch (vim.mode.name) {
    case "normal":
      return pendingOperator(vim) === undefined ? "n" : "no"
    case "visual":
      return VISUAL_LETTERS[vim.mode.shape]
    case "insert":
      return vim.mode.session.replace ? "R" : "i"
    case "commandLine":
      return "c"
  }
}
