import { isText, isToolResult } from "../domain/block.ts"
import { blocksOf, type UserMessage } from "../domain/message.ts"
import { isProgramText } from "../domain/program-texts.ts"

/** Who speaks in a user message: the human, or the program in the human's place. */
export type Speech =
  /** What the human typed. */
  | "prompt"
  /** A slash command the human typed, in its wrapper. */
  | "command"
  /** Output of a local command or of the human's own shell line. */
  | "output"
  /** Answer to a tool call. */
  | "result"
  /** Meta text, summaries, notices. */
  | "program"

const COMMAND = /^\s*<command-(?:name|message)>/
const OUTPUT = /^\s*<(?:local-command-(?:stdout|stderr|caveat)|bash-(?:input|stdout|stderr))>/
const NOTICE = /^\s*<(?:system-reminder|task-notification|user-prompt-submit-hook|ide_[a-z_]+)[ >]/
const STOPPED = /^\s*\[Request interrupted by user/

const isNotice = (text: string): boolean => NOTICE.test(text) || STOPPED.test(text) || isProgramText(text)

const textsOf = (message: UserMessage): ReadonlyArray<string> =>
  blocksOf(message.message.content)
    .filter(isText)
    .map((block) => block.text)

/** The words themselves, without the notices that editors and hooks put beside them. */
export const spokenText = (message: UserMessage): string =>
  textsOf(message)
    .filter((text) => !isNotice(text))
    .join("\n")
    .trim()

const isProgramMade = (message: UserMessage): boolean =>
  message.isMeta === true ||
  message.isVirtual === true ||
  message.isCompactSummary === true ||
  message.isVisibleInTranscriptOnly === true

export const speakerOf = (message: UserMessage): Speech => {
  const blocks = blocksOf(message.message.content)
  if (blocks.some(isToolResult)) return "result"
  if (isProgramMade(message)) return "program"
  const texts = textsOf(message)
  if (texts.some((text) => COMMAND.test(text))) return "command"
  if (texts.some((text) => OUTPUT.test(text))) return "output"
  return texts.length === blocks.length && texts.every(isNotice) ? "program" : "prompt"
}

const tagged = (text: string, tag: string): string => new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1] ?? ""

/** The command line of a wrapped slash command, for example `/review 12`. */
export const commandLine = (message: UserMessage): string => {
  const text = textsOf(message).join("\n")
  return `${tagged(text, "command-name").trim()} ${tagged(text, "command-args").trim()}`.trim()
}
