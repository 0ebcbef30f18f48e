import type { ContentBlock } from "../../core/domain/block.ts"
import type { Occurrence } from "../../core/loop/machine/event.ts"

/** Commands that a prompt of print mode may be, by what they ask of the loop. */
const COMMANDS: Readonly<Record<string, (argument: string) => Occurrence>> = {
  compact: (focus) => ({ _tag: "CompactionRequested", focus })
}

const COMMAND = /^\/([a-z][a-z-]*)(?:\s+([\s\S]*))?$/

/** What a prompt asks for that begins with the name of a command; other prompts are for the model. */
export const commandIn = (content: string | ReadonlyArray<ContentBlock>): Occurrence | undefined => {
  const match = typeof content === "string" ? COMMAND.exec(content.trimEnd()) : null
  const name = match?.[1] ?? ""
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name]?.((match?.[2] ?? "").trim()) : undefined
}
