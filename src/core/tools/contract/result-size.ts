import { isText, isToolResult, text, type ContentBlock, type ToolResultBlock } from "../../domain/block.ts"
import type { CallId } from "../../domain/id.ts"
import { LIMITS } from "../../domain/limits.ts"
import { isMedia } from "../../model/request/clean.ts"
import { humanSize, takeBytes, utf8Bytes } from "../../domain/text/bytes.ts"

/**
 * How much of a result the model sees. Too long a result goes to a file and leaves a preview behind; if the file
 * cannot be written, its beginning and end stay. Pictures and documents are never moved.
 */
export type ResultContent = string | ReadonlyArray<ContentBlock>

export type SpillDecision =
  | { readonly kind: "inline"; readonly content: ResultContent }
  /** `text` goes to a file with this extension; see `spilledContent` and `cutContent` for what the model then sees. */
  | {
      readonly kind: "spill"
      readonly text: string
      readonly extension: "txt" | "json"
      readonly media: ReadonlyArray<ContentBlock>
    }

const textOf = (content: ResultContent): string =>
  typeof content === "string"
    ? content
    : content
        .filter(isText)
        .map((block) => block.text)
        .join("\n")

const isStructured = (content: ResultContent): boolean =>
  typeof content !== "string" && content.some((block) => !isText(block) && !isMedia(block))

const bodyOf = (content: ResultContent): Pick<Extract<SpillDecision, { kind: "spill" }>, "text" | "extension"> => {
  if (typeof content === "string" || !isStructured(content)) return { text: textOf(content), extension: "txt" }
  return {
    text: JSON.stringify(
      content.filter((block) => !isMedia(block)),
      null,
      2
    ),
    extension: "json"
  }
}

const isEmpty = (content: ResultContent): boolean =>
  typeof content === "string" ? content.trim() === "" : content.every((block) => isText(block) && block.text.trim() === "")

export const emptyResultText = (tool: string): string => `(${tool} completed with no output)`

export interface SpillInput {
  readonly tool: string
  readonly content: ResultContent
  readonly limitChars: number
}

export const decideSpill = ({ tool, content, limitChars }: SpillInput): SpillDecision => {
  if (isEmpty(content)) return { kind: "inline", content: emptyResultText(tool) }
  const body = bodyOf(content)
  if (body.text.length <= limitChars) return { kind: "inline", content }
  return { kind: "spill", ...body, media: typeof content === "string" ? [] : content.filter(isMedia) }
}

const besideMedia = (value: string, media: ReadonlyArray<ContentBlock>): ResultContent =>
  media.length === 0 ? value : [text(value), ...media]

/** A line border is nicer than a torn line, unless it would cost half of the preview. */
const previewOf = (value: string): string => {
  const head = takeBytes(value, LIMITS.spillPreviewBytes)
  if (head.length === value.length) return head
  const border = head.lastIndexOf("\n")
  return border > head.length / 2 ? head.slice(0, border) : head
}

const OPENING = "<persisted-output>"

export interface Persisted {
  readonly path: string
  readonly bytes: number
  /** Beginning of the output, at least as long as the preview unless it is all of it. */
  readonly head: string
}

/** What the model gets in place of a large output that lies on disk. */
export const persistedPreview = ({ path, bytes, head }: Persisted): string => {
  const preview = previewOf(head)
  return [
    OPENING,
    `Too long to show (${humanSize(bytes)}). The full output is in: ${path}`,
    "",
    `Its beginning (${humanSize(utf8Bytes(preview))}):`,
    preview,
    ...(preview.length < head.length ? ["..."] : []),
    "</persisted-output>"
  ].join("\n")
}

export const persistedOutput = (path: string, value: string): string =>
  persistedPreview({ path, bytes: utf8Bytes(value), head: value })

type Spill = Extract<SpillDecision, { kind: "spill" }>

/** What the model sees once the full text lies at `path`. */
export const spilledContent = (spill: Spill, path: string): ResultContent =>
  besideMedia(persistedOutput(path, spill.text), spill.media)

/** The file's content: everything, up to the size a spilled file may have. */
export const spillBody = (value: string): string => {
  const kept = takeBytes(value, LIMITS.spillBytes)
  if (kept.length === value.length) return value
  return `${kept}\n[cut here: the output is longer than ${humanSize(LIMITS.spillBytes)}]`
}

/** Beginning and end within the limit, with a note in between that says why. */
export const cutText = (value: string, limitChars: number, cause: string): string => {
  if (value.length <= limitChars) return value
  const note = `\n\n[${value.length - limitChars} of ${value.length} characters left out here: ${cause}]\n\n`
  const room = Math.max(0, limitChars - note.length)
  const head = value.slice(0, Math.ceil(room / 2))
  const tail = room < 2 ? "" : value.slice(-Math.floor(room / 2))
  return head.replace(/[\ud800-\udbff]$/, "") + note + tail.replace(/^[\udc00-\udfff]/, "")
}

/** What the model sees when the file could not be written. */
export const cutContent = (spill: Spill, limitChars: number, cause: string): ResultContent =>
  besideMedia(cutText(spill.text, limitChars, cause), spill.media)

/** Where a spilled result lies. The id comes from outside, so it may not name another directory. */
export const spillPath = (sessionDir: string, callId: CallId, extension: "txt" | "json"): string =>
  `${sessionDir}/tool-results/${callId.replace(/[^\w-]/g, "_")}.${extension}`

export interface MessageBudgetInput {
  /** Blocks of the user message that answers one response. */
  readonly results: ReadonlyArray<ContentBlock>
  readonly calls: ReadonlyArray<{ readonly id: CallId; readonly tool: string | undefined }>
  readonly sessionDir: string
  readonly budgetChars?: number
  /** Tools whose results are never spilled. */
  readonly exemptTools?: ReadonlyArray<string>
}

export interface Replacement {
  readonly callId: CallId
  /** What the model sees from now on, byte for byte. */
  readonly replacement: string
  /** What is written to `path`. */
  readonly text: string
  readonly path: string
}

const EXEMPT_TOOLS: ReadonlyArray<string> = ["Read", "StructuredOutput"]

interface Measured {
  readonly block: ToolResultBlock
  readonly body: ReturnType<typeof bodyOf>
}

const measured = (block: ToolResultBlock): Measured => ({ block, body: bodyOf(block.content ?? "") })

const hasMedia = (block: ToolResultBlock): boolean =>
  typeof block.content !== "string" && (block.content ?? []).some(isMedia)

const replacementOf = ({ block, body }: Measured, sessionDir: string): Replacement => {
  const path = spillPath(sessionDir, block.tool_use_id, body.extension)
  return { callId: block.tool_use_id, replacement: persistedOutput(path, body.text), text: body.text, path }
}

/**
 * Which results of one message give way so that together they stay within the budget: the largest first. It is asked
 * once, when the results join the conversation; what it leaves alone then is never touched again.
 */
export const decideMessageBudget = (input: MessageBudgetInput): ReadonlyArray<Replacement> => {
  const results = input.results.filter(isToolResult).map(measured)
  const tools = new Map(input.calls.map((call) => [call.id, call.tool]))
  const exempt = new Set(input.exemptTools ?? EXEMPT_TOOLS)
  const budget = input.budgetChars ?? LIMITS.messageResultsChars
  let total = results.reduce((sum, { body }) => sum + body.text.length, 0)
  const mayGive = ({ block, body }: Measured): boolean =>
    !exempt.has(tools.get(block.tool_use_id) ?? "") && !hasMedia(block) && !body.text.startsWith(OPENING)
  const largestFirst = results.filter(mayGive).sort((left, right) => right.body.text.length - left.body.text.length)
  const replacements: Array<Replacement> = []
  for (const candidate of largestFirst) {
    if (total <= budget) break
    const replacement = replacementOf(candidate, input.sessionDir)
    if (replacement.replacement.length >= replacement.text.length) break
    replacements.push(replacement)
    total += replacement.replacement.length - replacement.text.length
  }
  return replacements
}
