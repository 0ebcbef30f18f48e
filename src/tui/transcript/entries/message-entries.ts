/** What each record of a session is on the screen, apart from the blocks of an answer, which need their place in it. */
import { isDocument, isImage, isText, text, type ContentBlock, type ToolResultBlock } from "../../../core/domain/block.ts"
import {
  blocksOf,
  type AttachmentMessage,
  type ErrorClass,
  type Message,
  type SystemMessage,
  type UserMessage
} from "../../../core/domain/message.ts"
import { isInterruptionText } from "../../../core/domain/program-texts.ts"
import { commandLine, speakerOf, spokenText } from "../../../core/session/speaker.ts"
import { plain } from "../../text/ansi/ansi.ts"
import type {
  AttachmentBlock,
  Block,
  BoundaryBlock,
  CallOutcome,
  Entry,
  NoticeBlock,
  TurnBlock,
  TurnFacts,
  UserBlock
} from "../block.ts"
import { fieldsOf, textField } from "../fields.ts"
import { turnText } from "../number-format.ts"
import { attachmentLine } from "./attachment-line.ts"
import { millisOf } from "../timestamp.ts"

/** All fields at once where they are known: a field that is added later takes several times the room. */
const entryOf = ({ uuid, timestamp }: Message, kind: Entry["kind"], blocks: ReadonlyArray<Block>): Entry => {
  const time = millisOf(timestamp)
  return time === undefined ? { id: uuid, kind, blocks, uuid } : { id: uuid, kind, blocks, uuid, time }
}

const META = { meta: true as const }

export const noticeBlock = (id: string, level: NoticeBlock["level"], source: string): NoticeBlock => ({
  id,
  kind: "notice",
  revision: 1,
  source: plain(source),
  level
})

const attachmentBlock = (id: string, attachment: string, source: string): AttachmentBlock => ({
  id,
  kind: "attachment",
  revision: 1,
  source,
  attachment
})

const userBlock = (id: string, source: string, prefix?: UserBlock["prefix"]): UserBlock => ({
  id,
  kind: "user",
  revision: 1,
  source,
  ...(prefix === undefined ? {} : { prefix })
})

const mediaBlocks = (uuid: string, content: ReadonlyArray<ContentBlock>): ReadonlyArray<AttachmentBlock> =>
  content
    .filter((block) => isImage(block) || isDocument(block))
    .map((block, index) => {
      const name = block.type === "image" ? "Image" : "Document"
      return attachmentBlock(`${uuid}:media${index}`, block.type, `[${name} #${index + 1}]`)
    })

const prompt = (message: UserMessage, words: string): Entry => {
  const content = blocksOf(message.message.content)
  const media = mediaBlocks(message.uuid, content)
  const spoken = words === "" && media.length > 0 ? [] : [userBlock(message.uuid, words)]
  return entryOf(message, "user", [...spoken, ...media])
}

const textOf = (message: UserMessage): string =>
  blocksOf(message.message.content)
    .filter(isText)
    .map((block) => block.text)
    .join("\n")

const tagged = (value: string, tag: string): string | undefined =>
  new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(value)?.[1]

/** What the user's own shell line or a local command printed, and the line itself. */
const localOutput = (message: UserMessage): Entry | undefined => {
  const said = textOf(message)
  const command = tagged(said, "bash-input")
  if (command !== undefined) return entryOf(message, "user", [userBlock(message.uuid, command, "!")])
  const errors = tagged(said, "bash-stderr") ?? tagged(said, "local-command-stderr") ?? ""
  const output = tagged(said, "bash-stdout") ?? tagged(said, "local-command-stdout") ?? ""
  const shown = [output, errors].filter((part) => part.trim() !== "").join("\n")
  return shown === "" ? undefined : entryOf(message, "system", [noticeBlock(message.uuid, "info", shown)])
}

const programEntry = (message: UserMessage): Entry => {
  const said = textOf(message)
  if (isInterruptionText(said.trim())) {
    return entryOf(message, "system", [noticeBlock(message.uuid, "warning", "interrupted")])
  }
  return entryOf(message, "system", [{ ...noticeBlock(message.uuid, "info", said), ...META }])
}

/** A user's record that holds no tool results. */
export const userEntry = (message: UserMessage): Entry | undefined => {
  switch (speakerOf(message)) {
    case "prompt":
      return prompt(message, spokenText(message))
    case "command":
      return entryOf(message, "user", [userBlock(message.uuid, commandLine(message), "/")])
    case "output":
      return localOutput(message)
    case "program":
      return programEntry(message)
    case "result":
      return undefined
  }
}

const queuedPrompt = (message: AttachmentMessage): Entry => {
  const { prompt: said } = message.attachment
  const content = Array.isArray(said) ? said.filter(isText).map((block) => block.text) : []
  return entryOf(message, "user", [userBlock(message.uuid, typeof said === "string" ? said : content.join("\n"))])
}

export const attachmentEntry = (message: AttachmentMessage): Entry => {
  const { type } = message.attachment
  if (type === "queued_command" || type === "queued_message") return queuedPrompt(message)
  const line = attachmentLine(message)
  const block = attachmentBlock(message.uuid, type, line === "" ? type : line)
  return entryOf(message, "system", [line === "" ? { ...block, ...META } : block])
}

const count = (value: unknown): number | undefined => (typeof value === "number" && value >= 0 ? value : undefined)

const boundaryBlock = (message: SystemMessage): BoundaryBlock => {
  const metadata = fieldsOf(message["compactMetadata"])
  const before = count(metadata["preTokens"])
  const after = count(metadata["postTokens"])
  return {
    id: message.uuid,
    kind: "boundary",
    revision: 1,
    source: message.content ?? "Conversation compacted",
    trigger: metadata["trigger"] === "manual" ? "manual" : "auto",
    hasSummary: false,
    ...(before === undefined ? {} : { tokensBefore: before }),
    ...(after === undefined ? {} : { tokensAfter: after })
  }
}

export const turnBlock = (id: string, facts: TurnFacts): TurnBlock => ({
  id,
  kind: "turn",
  revision: 1,
  source: turnText(facts),
  facts
})

const noticeLevel = (level: SystemMessage["level"]): NoticeBlock["level"] =>
  level === "warning" || level === "error" ? level : "info"

export const systemEntry = (message: SystemMessage): Entry | undefined => {
  if (message.subtype === "compact_boundary") return entryOf(message, "system", [boundaryBlock(message)])
  if (message.subtype === "turn_duration") {
    const durationMs = count(message["durationMs"])
    if (durationMs === undefined) return undefined
    return entryOf(message, "system", [turnBlock(message.uuid, { durationMs })])
  }
  if (message.content === undefined || message.content === "") return undefined
  const words = tagged(message.content, "local-command-stdout") ?? message.content
  const block = noticeBlock(message.uuid, noticeLevel(message.level), words)
  return entryOf(message, "system", [message.isMeta === true ? { ...block, ...META } : block])
}

/** The one next step of an API error that the user can take. */
const NEXT_STEPS: Partial<Record<ErrorClass, string>> = {
  authentication_failed: "/login",
  billing_error: "check the plan or the credit of the account",
  rate_limit: "wait, or choose another model with /model",
  overloaded: "try again with :retry",
  server_error: "try again with :retry",
  model_not_found: "/model",
  prompt_too_long: "/compact",
  max_output_tokens: "ask for a shorter answer"
}

export const nextStepFor = (error: ErrorClass | undefined): string | undefined =>
  error === undefined ? undefined : NEXT_STEPS[error]

const mediaType = (block: ContentBlock): string => {
  const source = "source" in block ? fieldsOf(block.source) : {}
  return textField(source, "media_type") || block.type
}

/** What a result block says, with the record beside it. */
export const outcomeOf = (block: ToolResultBlock, data: unknown): CallOutcome => {
  const content = typeof block.content === "string" ? [text(block.content)] : (block.content ?? [])
  return {
    text: content
      .filter(isText)
      .map((part) => part.text)
      .join("\n"),
    data,
    isError: block.is_error === true,
    media: content.filter((part) => !isText(part)).map(mediaType)
  }
}
