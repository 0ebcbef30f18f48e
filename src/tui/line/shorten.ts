import { visible } from "./visible.ts"

/** How much of a long text is shown at once; the whole is in the transcript file. */
export interface Room {
  readonly lines: number
  readonly chars: number
}

const more = (count: number, what: string): string => `(${count} more ${what}${count === 1 ? "" : "s"})`

/** The beginning of a text as lines, with a last line that says how much is missing. */
export const shortenText = (text: string, room: Room): ReadonlyArray<string> => {
  const lines = visible(text).trimEnd().split("\n")
  const shown = lines.slice(0, room.lines)
  const hidden = lines.length - shown.length
  const whole = shown.join("\n")
  const surplus = whole.length - room.chars
  if (surplus > 0) return [...whole.slice(0, room.chars).split("\n"), more(surplus, "character")]
  return hidden > 0 ? [...shown, more(hidden, "line")] : shown
}
