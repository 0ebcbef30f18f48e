import { usageLines } from "../../core/context/usage/usage-lines.ts"
import type { ContentBlock } from "../../core/domain/block.ts"
import type { Occurrence } from "../../core/loop/machine/event.ts"
import { usageOf } from "../../core/loop/reduction/context-usage.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"

/** What a prompt of print mode is that begins with the name of a command. */
export type PrintCommand =
  | { readonly _tag: "Offer"; readonly occurrence: Occurrence }
  /** The program answers it. */
  | { readonly _tag: "Answer"; readonly text: string }

type Command = (argument: string, state: () => AgentState) => PrintCommand

const COMMANDS: Readonly<Record<string, Command>> = {
  compact: (focus) => ({ _tag: "Offer", occurrence: { _tag: "CompactionRequested", focus } }),
  context: (argument, state) => ({
    _tag: "Answer",
    text: usageLines(usageOf(state()), { all: argument === "all" }).join("\n")
  })
}

const COMMAND = /^\/([a-z][a-z-]*)(?:\s+([\s\S]*))?$/

/** What a prompt asks for that begins with the name of a command; other prompts are for the model. */
export const commandIn = (
  content: string | ReadonlyArray<ContentBlock>,
  state: () => AgentState
): PrintCommand | undefined => {
  const match = typeof content === "string" ? COMMAND.exec(content.trimEnd()) : null
  const name = match?.[1] ?? ""
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name]?.((match?.[2] ?? "").trim(), state) : undefined
}
