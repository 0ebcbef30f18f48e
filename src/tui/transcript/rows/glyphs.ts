/** Marks of the transcript, in a rich and a plain set of the same widths. */
import type { CallState, LayoutOptions } from "../block.ts"

export interface Glyphs {
  readonly states: Readonly<Record<Exclude<CallState, "running" | "checking">, string>>
  readonly spinner: ReadonlyArray<string>
  readonly bar: string
  readonly gutter: string
  readonly errorGutter: string
  readonly rule: string
  readonly more: string
  readonly dot: string
  readonly arrow: string
  readonly minus: string
  readonly todo: Readonly<Record<"pending" | "in_progress" | "completed", string>>
}

const UNICODE: Glyphs = {
  states: { queued: "○", asking: "?", ok: "●", failed: "✗", cancelled: "⊘", denied: "⊘" },
  spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
  bar: "▌",
  gutter: "│",
  errorGutter: "┃",
  rule: "─",
  more: "…",
  dot: "·",
  arrow: "→",
  minus: "−",
  todo: { pending: "☐", in_progress: "▸", completed: "☑" }
}

const ASCII: Glyphs = {
  states: { queued: "o", asking: "?", ok: "*", failed: "x", cancelled: "-", denied: "-" },
  spinner: ["|", "/", "-", "\\"],
  bar: "|",
  gutter: "|",
  errorGutter: "!",
  rule: "-",
  more: "~",
  dot: "-",
  arrow: ">",
  minus: "-",
  todo: { pending: " ", in_progress: ">", completed: "x" }
}

export const glyphsOf = ({ glyphs }: Pick<LayoutOptions, "glyphs">): Glyphs => (glyphs === "ascii" ? ASCII : UNICODE)

export const stateGlyph = (state: CallState, options: Pick<LayoutOptions, "glyphs" | "spinner">): string => {
  const glyphs = glyphsOf(options)
  if (state !== "running" && state !== "checking") return glyphs.states[state]
  return glyphs.spinner[options.spinner % glyphs.spinner.length] ?? glyphs.states.ok
}
