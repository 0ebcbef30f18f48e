import { redactText } from "../../../core/domain/secrets/redact.ts"
import * as Vector from "../../transcript/vector.ts"
import type { Block } from "../../transcript/block.ts"
import type { SessionModel } from "../../model/session-model.ts"

/** The conversation as Markdown, for files, editors and the terminal's own scrollback. */

const fenced = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}\n${text.replace(/\n$/, "")}\n${fence}`
}

const quoted = (text: string): string =>
  text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n")

const blockText = (block: Block): string => {
  switch (block.kind) {
    case "user":
      return quoted(`${block.prefix ?? ""}${block.source}`)
    case "tool":
      return `**${block.tool}**\n\n${fenced(block.source)}`
    case "thinking":
      return block.redacted ? "" : `_${block.source.trim()}_`
    case "turn":
      return ""
    default:
      return block.source
  }
}

type Told = Pick<SessionModel, "transcript" | "title">

export const transcriptMarkdown = ({ transcript, title }: Told): string => {
  const parts = Vector.toArray(transcript.entries).flatMap(({ blocks }) =>
    blocks.filter(({ meta }) => meta !== true).map(blockText)
  )
  return `# ${title ?? "Conversation"}\n\n${parts.filter((part) => part.trim() !== "").join("\n\n")}\n`
}

/** The same for a file or the clipboard, from where it may go anywhere: without anything that is shaped like a token. */
export const exportedMarkdown = (session: Told): string => redactText(transcriptMarkdown(session), { secrets: [] })
