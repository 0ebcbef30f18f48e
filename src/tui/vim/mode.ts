/** Names of the mode a state is in, for people and for comparison with vim. */
import type { Shape } from "../editor/selection.ts"
import type { VimState } from "./state.ts"

const VISUAL_LETTERS: Record<Shape, string> = { char: "v", line: "V", block: "\x16" }

/** What vim's `mode(1)` would answer. */
export const modeLetters = (vim: VimState): string => {
  switch (vim.mode.name) {
    case "normal":
      return "n"
    case "visual":
      return VISUAL_LETTERS[vim.mode.shape]
    case "insert":
      return vim.mode.session.replace ? "R" : "i"
    case "commandLine":
      return "c"
  }
}
