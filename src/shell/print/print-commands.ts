import { usageLines } from "../../core/context/usage/usage-lines.ts"
import type { ContentBlock } from "../../core/domain/block.ts"
import { type CompactWords, readCompactWords, readRounds } from "../../core/context/reduction/compact-words.ts"
import type { Occurrence } from "../../core/loop/machine/event.ts"
import { compactionPreview, NO_SUMMARY, summaryText } from "../../core/loop/reduction/preview.ts"
import { usageOf } from "../../core/loop/reduction/context-usage.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"

/** What a prompt of print mode is that begins with the name of a command. */
export type PrintCommand =
  | { readonly _tag: "Offer"; readonly occurrence: Occurrence }
  /** The program answers it. */
  | { readonly _tag: "Answer"; readonly text: string }

type Command = (argument: string, state: () => AgentState) => PrintCommand

const offer = (occurrence: Occurrence): PrintCommand => ({ _tag: "Offer", occurrence })

const NO_EDITOR = "The summary cannot be edited here. Fix: open the session in the interface and say /compact edit"

const compact = (words: CompactWords, state: () => AgentState): PrintCommand => {
  switch (words._tag) {
    case "Compact":
      return offer({ _tag: "CompactionRequested", focus: words.focus })
    case "Show":
      return { _tag: "Answer", text: summaryText(state()) ?? NO_SUMMARY }
    case "Preview":
      return { _tag: "Answer", text: compactionPreview(state()).join("\n") }
    case "Edit":
      return { _tag: "Answer", text: NO_EDITOR }
    case "Undo":
    case "Redo":
      return offer({ _tag: "AboutCompaction", wish: words })
  }
}

const COMMANDS: Readonly<Record<string, Command>> = {
  compact: (argument, state) => compact(readCompactWords(argument), state),
  snip: (argument) => offer({ _tag: "SnipRequested", rounds: readRounds(argument) ?? 0 }),
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
