/** Control sequences of the linear mode. None of them moves the cursor. */
const semantic = (mark: string): string => `\u001b]133;${mark}\u001b\\`

export const BELL = "\u0007"

/** Borders of a turn, for terminals and readers that jump between prompts. */
export const MARKS = {
  promptBegins: semantic("A"),
  outputBegins: semantic("C"),
  turnEnded: (failed: boolean): string => semantic(failed ? "D;1" : "D;0")
} as const

/** Terminals that know it tell pasted line breaks from typed ones. */
export const PASTE_MODE = { on: "\u001b[?2004h", off: "\u001b[?2004l" } as const
