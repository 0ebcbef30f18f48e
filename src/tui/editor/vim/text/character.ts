/** The text that a stroke stands for when a command takes a character. */
import type { Stroke } from "../../../keymap/stroke.ts"

export const characterOf = (stroke: Stroke): string | undefined => {
  if (stroke === "<CR>" || stroke === "<C-j>") return "\n"
  if (stroke === "<Tab>") return "\t"
  return stroke.length > 1 && /^<.+>$/.test(stroke) ? undefined : stroke
}
