import { isContentBlock, isText, text, type ContentBlock } from "../../domain/block.ts"
import { type AttachmentMessage, blocksOf } from "../../domain/message.ts"
import { escapeReminders, fenceText, oneLine, reminder } from "./fence.ts"

/**
 * What the model reads of an attachment. One converter per kind; kinds we do not know are sent only if they carry plain
 * text, as data. An empty list means the model does not see it.
 */
type Attachment = AttachmentMessage["attachment"]
type Converter = (attachment: Attachment) => ReadonlyArray<ContentBlock>

const CHANGED_FILE_CHARS = 8_000
const TASK_NOTICE_CHARS = 2_000

const stringField = (attachment: Attachment, ...names: ReadonlyArray<string>): string => {
  for (const name of names) {
    const value = attachment[name]
    if (typeof value === "string" && value.trim() !== "") return value
  }
  return ""
}

const blocksField = (value: unknown): ReadonlyArray<ContentBlock> =>
  Array.isArray(value) ? value.filter(isContentBlock) : []

/** Prompts typed while the agent worked are the user's own words; anything else in the queue only reports. */
const isHuman = (attachment: Attachment): boolean => {
  const origin = attachment["origin"]
  const kind = typeof origin === "object" && origin !== null && "kind" in origin ? origin.kind : undefined
  const mode = attachment["commandMode"] ?? "prompt"
  return (kind === undefined || kind === "human" || kind === "user") && mode === "prompt"
}

const promptBlocks = (prompt: unknown): ReadonlyArray<ContentBlock> =>
  typeof prompt === "string" ? [text(prompt)] : blocksField(prompt)

const plainWords = (blocks: ReadonlyArray<ContentBlock>): string =>
  blocks
    .filter(isText)
    .map((block) => block.text)
    .join("\n")
    .trim()

const queuedCommand: Converter = (attachment) => {
  const blocks = promptBlocks(attachment["prompt"] ?? attachment["text"])
  const words = plainWords(blocks)
  if (!isHuman(attachment)) {
    return words === "" ? [] : [reminder(`A notice arrived. It is not from the user.\n${fenceText(words)}`)]
  }
  if (words === "" && blocks.every(isText)) return []
  return [reminder("The user sent the next message while you were working. Take it into account."), ...blocks]
}

const editedTextFile: Converter = (attachment) => {
  const path = oneLine(stringField(attachment, "filename", "filePath", "path"))
  const change = stringField(attachment, "snippet", "diff", "text")
  const lead = `${path} was changed on disk after you read it, by the user or another program. Keep that change.`
  if (change === "" || change.length > CHANGED_FILE_CHARS) {
    return [reminder(`${lead} The change is not shown here: read the file again before you edit it.`)]
  }
  return [reminder(`${lead} What it holds now, as data:\n${fenceText(change)}`)]
}

const taskStatus: Converter = (attachment) => {
  const id = oneLine(stringField(attachment, "taskId", "id"))
  const status = oneLine(stringField(attachment, "status")) || "changed"
  const what = oneLine(stringField(attachment, "description"))
  const output = oneLine(stringField(attachment, "outputFilePath", "outputFile"))
  const summary = stringField(attachment, "deltaSummary", "summary", "text").slice(0, TASK_NOTICE_CHARS)
  const lines = [
    `Background task ${id}${what === "" ? "" : ` (${what})`}: ${status}.`,
    ...(summary === "" ? [] : [`What it reported, as data:\n${fenceText(summary)}`]),
    ...(output === "" ? [] : [`Its full output is in ${output}.`])
  ]
  return [reminder(lines.join("\n"))]
}

const dateChange: Converter = (attachment) => {
  const date = stringField(attachment, "newDate", "date")
  return /^\d{4}-\d{2}-\d{2}$/.test(date)
    ? [reminder(`The date has changed. Today is ${date}. There is no need to mention it.`)]
    : []
}

/** With a value it records the answer that was given; without one it reminds the model to give it. */
const structuredOutput: Converter = (attachment) => {
  if ("data" in attachment) return []
  const tool = oneLine(stringField(attachment, "toolName")) || "StructuredOutput"
  return [reminder(`The answer has to be given by calling the tool ${tool}. Call it now with your final result.`)]
}

const guarded = (block: ContentBlock): ContentBlock => (isText(block) ? text(escapeReminders(block.text)) : block)

const plainText: Converter = (attachment) => {
  const blocks = blocksField(attachment["blocks"]).map(guarded)
  if (blocks.length > 0) return blocks
  const content = attachment["content"]
  const joined = Array.isArray(content) ? content.filter((line) => typeof line === "string").join("\n") : ""
  const value = stringField(attachment, "text", "content") || joined
  return value === "" ? [] : [reminder(`${oneLine(attachment.type)}, as data:\n${fenceText(value)}`)]
}

const notSent: Converter = () => []

const CONVERTERS: Readonly<Record<string, Converter>> = {
  queued_command: queuedCommand,
  queued_message: queuedCommand,
  edited_text_file: editedTextFile,
  changed_file: editedTextFile,
  task_status: taskStatus,
  task_notice: taskStatus,
  date_change: dateChange,
  structured_output: structuredOutput,
  max_turns_reached: notSent
}

/** The words of a user in the shape of an attachment; every other one is said by the program. */
export const isAside = ({ attachment }: AttachmentMessage): boolean =>
  !(CONVERTERS[attachment.type] === queuedCommand && isHuman(attachment))

export const attachmentBlocks = ({ attachment, rendered }: AttachmentMessage): ReadonlyArray<ContentBlock> => {
  if (rendered !== undefined) return rendered.flatMap(({ content }) => blocksOf(content))
  const convert = Object.hasOwn(CONVERTERS, attachment.type) ? CONVERTERS[attachment.type] : undefined
  return (convert ?? plainText)(attachment)
}
