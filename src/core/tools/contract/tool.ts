import type { Schema } from "effect"
import type { Need } from "../../permission/need.ts"

export interface ToolTraits {
  readonly readOnly: boolean
  /** May run beside other safe calls. */
  readonly concurrencySafe: boolean
  readonly destructive: boolean
  readonly openWorld: boolean
}

/**
 * The pure half of a tool: what the model is told, what input decodes, what a call would touch. The half that acts has
 * the same name in shell/tools. Schemas are closed: an unknown key is an error.
 */
export interface Tool<Input> {
  readonly name: string
  readonly aliases: ReadonlyArray<string>
  readonly input: Schema.Codec<Input, unknown>
  /** Text for the model, from the Markdown file beside the tool. */
  readonly description: string
  /** Longer results are spilled to disk and previewed; Infinity is never spilled. */
  readonly maxResultChars: number
  readonly traits: (input: Input) => ToolTraits
  /** Whether a running call ends when the user steers in: cancel ends, block goes on. */
  readonly interrupt: "cancel" | "block"
  readonly needs: (input: Input, cwd: string) => ReadonlyArray<Need>
  /** One line for prompts, denials and the screen. */
  readonly summary: (input: Input) => string
  /** What the classifier of auto mode judges the call by; empty for what it need not look at. */
  readonly classifierInput: (input: Input) => string
  /** Checks that need no effect and run after decoding; a text refuses the call. */
  readonly validate?: (input: Input) => string | undefined
  /** Only when asked for (StructuredOutput), when somebody can answer (AskUserQuestion), or while the program is tested. */
  readonly offered: "always" | "withSchema" | "interactive" | "testing"
}

const MUTATING: ToolTraits = { readOnly: false, concurrencySafe: false, destructive: false, openWorld: false }

export const READ_ONLY: ToolTraits = { readOnly: true, concurrencySafe: true, destructive: false, openWorld: false }

type Definition<Input> = Pick<Tool<Input>, "name" | "input" | "description" | "maxResultChars" | "needs" | "summary"> &
  Partial<Tool<Input>>

/** The whole input, for tools whose every field matters. */
export const wholeInput = (input: unknown): string => JSON.stringify(input)

/** Fills in the fail-closed defaults: exclusive, mutating, not interruptible, always offered. */
export const makeTool = <Input>(definition: Definition<Input>): Tool<Input> => ({
  aliases: [],
  traits: () => MUTATING,
  interrupt: "block",
  classifierInput: () => "",
  offered: "always",
  ...definition
})
