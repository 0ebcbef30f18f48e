import type { Draft } from "../prompt/model.ts"

/** A line that was sent while something runs, and what it is when its time comes. */
export interface WaitingLine {
  readonly id: string
  readonly command: LineCommand
  /** How it was typed, for editing it again. */
  readonly draft: Draft
}

export type LineCommand =
  | { readonly _tag: "Shell"; readonly command: string; readonly inContext: boolean }
  | { readonly _tag: "Slash"; readonly line: string }

/** A line that was typed or chosen somewhere else than in the prompt, as the prompt would hold it. */
const inPrompt = (command: LineCommand, text: string, mode: Draft["mode"]): Omit<WaitingLine, "id"> => ({
  command,
  draft: { text, caret: { line: 0, column: text.length }, mode, chips: [] }
})

export const shellLine = (command: string): Omit<WaitingLine, "id"> =>
  inPrompt({ _tag: "Shell", command, inContext: true }, command, "shell")

export const slashLine = (line: string): Omit<WaitingLine, "id"> => inPrompt({ _tag: "Slash", line }, line, "prompt")

/** A line as it was typed, with the sign that it begins with. */
export const lineText = ({ command }: Pick<WaitingLine, "command">): string =>
  command._tag === "Slash" ? command.line : `!${command.inContext ? "" : "!"}${command.command}`
