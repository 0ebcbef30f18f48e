import { Schema } from "effect"
import { LIMITS } from "../../domain/limits.ts"
import { firstChars } from "./clip.ts"
import { isStandaloneSleep } from "./timeout.ts"
import background from "./bash-background.md"
import description from "./bash.md"
import { makeTool, type Tool, wholeInput } from "../contract/tool.ts"

const foregroundFields = {
  command: Schema.String.annotate({ description: "The command line to run in bash" }),
  timeout: Schema.optionalKey(
    Schema.Finite.annotate({
      description: `Milliseconds the command may take: ${LIMITS.bashTimeoutMs} if left out, at most ${LIMITS.bashTimeoutCapMs}`
    })
  ),
  description: Schema.optionalKey(
    Schema.String.annotate({ description: "What the command does, in five to ten words, for the user" })
  ),
  dangerouslyDisableSandbox: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Run outside the sandbox. Needs the user's consent" })
  )
}

const ForegroundInput = Schema.Struct(foregroundFields)

export const BashInput = Schema.Struct({
  ...foregroundFields,
  run_in_background: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Return at once and let the command go on; you are told when it ends" })
  )
})
export type BashInput = typeof BashInput.Type

const SLEEP_REFUSAL =
  "Bash: the command was not run, because a sleep on its own only blocks the conversation. " +
  "To wait for something, use Monitor if it is offered, or start the command you wait for with run_in_background: " +
  "you are told when it ends."

/** Refuses what cannot or must not be started, before anything is asked or run. */
const problemWith = (input: BashInput): string | undefined => {
  if (input.command.trim() === "") return "Bash: the command is empty. Give the command line to run."
  if (input.command.includes("\0")) return "Bash: the command holds a NUL character, which no shell accepts. Remove it."
  if (input.run_in_background !== true && isStandaloneSleep(input.command)) return SLEEP_REFUSAL
  return undefined
}

const bashWith = (input: Schema.Codec<BashInput, unknown>, text: string): Tool<BashInput> =>
  makeTool<BashInput>({
    name: "Bash",
    description: text,
    input,
    maxResultChars: LIMITS.bashOutputChars,
    needs: ({ command }) => [{ kind: "shell", command }],
    summary: ({ command }) => firstChars(command, LIMITS.toolSummaryChars),
    // Without the description: what the model says about its command is not evidence.
    classifierInput: ({ description: _claim, timeout: _timeout, ...input }) => wholeInput(input),
    validate: problemWith
  })

const withBackground = bashWith(BashInput, `${description.trimEnd()}\n${background}`)

/** Neither has the field nor mentions it. */
export const withoutBackground = bashWith(ForegroundInput, description)

export const bashTool = (options: { readonly backgroundTasks: boolean }): Tool<BashInput> =>
  options.backgroundTasks ? withBackground : withoutBackground
