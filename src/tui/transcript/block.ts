/**
 * The vocabulary of the transcript: entries made of blocks. A block knows the exact text that search, selection and
 * yank see (`source`); how it is drawn is layout's business and never changes that text.
 */
import type { ErrorClass } from "../../core/domain/message.ts"

export type CallState = "queued" | "checking" | "asking" | "running" | "ok" | "failed" | "cancelled" | "denied"

export type PartName = "call" | "result" | "code" | "file" | "hunk" | "table" | "item" | "heading" | "paragraph"

/** A named range of a block's source: what text objects and structural motions go by. */
export interface Part {
  readonly name: PartName
  readonly start: number
  readonly end: number
  /** Range without its wrapping, where there is one: code without its fences. */
  readonly inner?: { readonly start: number; readonly end: number }
  /** Path of a file, language of code. */
  readonly label?: string
}

interface BlockBase {
  /** Unique in the session and the same after a resume. */
  readonly id: string
  /** Grows whenever anything that is drawn changes. */
  readonly revision: number
  readonly source: string
  /** Lines of the source, where they are known without looking at it. */
  readonly lines?: number
  /** Known ranges. Those inside Markdown are found on demand: ask `partsOf` (parts.ts) rather than this field. */
  readonly parts?: ReadonlyArray<Part>
  readonly tool?: string
  readonly state?: CallState
  /** A blank row stands above it. */
  readonly gap?: true
  /** Without `:set meta` it has no rows. Options may leave other blocks without rows too. */
  readonly meta?: true
}

export interface UserBlock extends BlockBase {
  readonly kind: "user"
  /** `!` shell, `#` memory, `/` command; absent for a prompt. */
  readonly prefix?: "!" | "#" | "/"
  readonly pastes?: ReadonlyArray<Paste>
}

/** A part of what a user sent that was pasted and stood as a placeholder in the prompt. */
export interface Paste {
  readonly start: number
  readonly end: number
  readonly label: string
}

/** Shown above a message when something about its author changed. */
export interface Header {
  readonly model: string
  /** Another model than before spoke; otherwise only the minute is new. */
  readonly isOther: boolean
  /** Milliseconds since 1970. */
  readonly time?: number
}

export interface TextBlock extends BlockBase {
  readonly kind: "text"
  readonly streaming: boolean
  readonly header?: Header
  /** The same object while one text streams: incremental layout hangs its memory on it. A finished text has its own. */
  readonly lineage: object
}

export interface ThinkingBlock extends BlockBase {
  readonly kind: "thinking"
  readonly streaming: boolean
  readonly redacted: boolean
  readonly startedAt?: number
  readonly endedAt?: number
  readonly tokens?: number
}

/** What a settled call gave back. */
export interface CallOutcome {
  readonly text: string
  /** The record that hosts and transcripts keep; each tool knows its own shape. */
  readonly data: unknown
  readonly isError: boolean
  /** Media types of what is not text. */
  readonly media: ReadonlyArray<string>
}

export interface ToolBlock extends BlockBase {
  readonly kind: "tool"
  readonly callId: string
  readonly tool: string
  readonly state: CallState
  readonly input: unknown
  /** The input still arrives. */
  readonly partial: boolean
  readonly progress?: unknown
  readonly outcome?: CallOutcome
  /** Why it was denied, in the words of the permission system. */
  readonly denial?: string
  /** What let it run. */
  readonly allowed?: string
  readonly startedAt?: number
  readonly endedAt?: number
  /** Settled calls of one server that followed each other directly, this one's call included; they fold to one row. */
  readonly members?: ReadonlyArray<ToolBlock>
}

export interface NoticeBlock extends BlockBase {
  readonly kind: "notice"
  readonly level: "info" | "warning" | "error"
}

export interface ErrorBlock extends BlockBase {
  readonly kind: "error"
  readonly errorClass?: ErrorClass
  /** The one thing to do about it, where it is known. */
  readonly nextStep?: string
}

export interface BoundaryBlock extends BlockBase {
  readonly kind: "boundary"
  readonly trigger: "manual" | "auto"
  readonly tokensBefore?: number
  readonly tokensAfter?: number
  /** The boundary's source is the summary once it is known. */
  readonly hasSummary: boolean
}

export interface TurnFacts {
  readonly durationMs: number
  readonly inputTokens?: number
  readonly cachedTokens?: number
  readonly outputTokens?: number
  readonly costUsd?: number
  readonly files?: number
}

export interface TurnBlock extends BlockBase {
  readonly kind: "turn"
  readonly facts: TurnFacts
}

export interface AttachmentBlock extends BlockBase {
  readonly kind: "attachment"
  /** Attachment type of the record, or `image` and `document` for media in a prompt. */
  readonly attachment: string
}

export type Block =
  | UserBlock
  | TextBlock
  | ThinkingBlock
  | ToolBlock
  | NoticeBlock
  | ErrorBlock
  | BoundaryBlock
  | TurnBlock
  | AttachmentBlock

export type BlockKind = Block["kind"]

export interface Entry {
  readonly id: string
  readonly kind: "user" | "assistant" | "tool" | "system"
  readonly blocks: ReadonlyArray<Block>
  /** Record of the session that it was made from: what rewind, fork and pin name. */
  readonly uuid?: string
  /** Milliseconds since 1970, where the record says so. */
  readonly time?: number
}

export type View = "default" | "verbose" | "focus"

/** All that the rows of a block depend on besides the block itself. */
export interface LayoutOptions {
  readonly width: number
  readonly fold: "open" | "closed"
  readonly view: View
  readonly glyphs: "unicode" | "ascii"
  /** Clock and spinner step; they only show in blocks for which `isLive` holds. */
  readonly now: number
  readonly spinner: number
  readonly thinking: "hide" | "fold" | "show"
  readonly highlight: boolean
  readonly tabWidth: number
  readonly codeWrap: boolean
  /** Columns scrolled to the right inside code, diffs and tables. */
  readonly scroll: number
  /** Row limits by tool name (`nacre.tui.fold`). */
  readonly limits: Readonly<Record<string, number>>
  readonly showTurns: boolean
  /** `:set meta` */
  readonly meta: boolean
  /** Paths below it are shown relative to it. */
  readonly cwd: string
  readonly utcOffsetMs: number
  /** The call that is asked about under the transcript: what it would do stands there. */
  readonly asked?: string
}

export const DEFAULT_OPTIONS: LayoutOptions = {
  width: 80,
  fold: "closed",
  view: "default",
  glyphs: "unicode",
  now: 0,
  spinner: 0,
  thinking: "fold",
  highlight: true,
  tabWidth: 4,
  codeWrap: false,
  scroll: 0,
  limits: {},
  showTurns: true,
  meta: false,
  cwd: "",
  utcOffsetMs: 0
}

/** Calls that have no result yet. */
export const isOpenCall = (state: CallState | undefined): boolean =>
  state === "running" || state === "queued" || state === "checking" || state === "asking"

/** Whether the clock alone changes how the block looks. */
export const isLive = (block: Block): boolean =>
  block.kind === "thinking" ? block.streaming : block.kind === "tool" && isOpenCall(block.state)
