import { isThinking, isToolResult, text, type ContentBlock } from "../../domain/block.ts"
import type { Uuid } from "../../domain/id.ts"
import { isSameModel } from "../catalog/model.ts"
import { TEXTS } from "../../domain/program-texts.ts"
import { dropReferences, isBlankText, isMedia, referencedTool, replaceMedia } from "./clean.ts"
import { blocksWithAsides } from "./asides.ts"
import type { ApiMessage } from "./model-request.ts"

/** One block with where it came from, because some blocks are sent or not depending on the request. */
export interface Part {
  readonly block: ContentBlock
  readonly source: Uuid
  /** Model that wrote it; absent in user turns. */
  readonly model?: string
  /** Whether a user typed it. */
  readonly human: boolean
  /** The program says it beside the words of the user. */
  readonly isAside?: true
}

/**
 * A finished stretch of one role. `message` is what is sent when nothing has to be left out, which is nearly always;
 * only a request that leaves something out goes back to the parts.
 */
export interface Turn {
  readonly message: ApiMessage
  readonly parts: ReadonlyArray<Part>
  readonly human: boolean
  /** Models whose thinking it holds, messages with media, and tools it refers to. */
  readonly thinkers: ReadonlyArray<string>
  readonly media: ReadonlyArray<Uuid>
  readonly references: ReadonlyArray<string>
}

export interface RenderOptions {
  /** Thinking of other models is left out. */
  readonly model: string
  /** Message uuid → block types that an earlier request was refused for. */
  readonly strippedMedia?: Readonly<Record<Uuid, ReadonlyArray<string>>>
  /** References to other tools are left out; absent keeps them all. */
  readonly toolNames?: ReadonlyArray<string>
  /** keep: all of this model's thinking; currentTurn: only after the newest human prompt; none: no thinking at all. */
  readonly thinking?: "keep" | "currentTurn" | "none"
}

const innerBlocks = (block: ContentBlock): ReadonlyArray<ContentBlock> =>
  isToolResult(block) && Array.isArray(block.content) ? [block, ...block.content] : [block]

const unique = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => (items.length < 2 ? items : [...new Set(items)])

/** Thinking may not be the last thing in a message. */
const withoutTrailingThinking = (parts: ReadonlyArray<Part>): ReadonlyArray<Part> =>
  parts.slice(0, parts.findLastIndex(({ block }) => !isThinking(block)) + 1)

const visible = (role: ApiMessage["role"], parts: ReadonlyArray<Part>): ReadonlyArray<Part> => {
  const filled = parts.filter(({ block }) => !isBlankText(block))
  if (role === "assistant") return withoutTrailingThinking(filled)
  const [first] = parts
  return filled.length === 0 && first !== undefined ? [{ ...first, block: text(TEXTS.noContent) }] : filled
}

const blocksIn = (role: ApiMessage["role"], parts: ReadonlyArray<Part>): ReadonlyArray<ContentBlock> =>
  role === "user" ? blocksWithAsides(parts) : parts.map(({ block }) => block)

export const makeTurn = (role: ApiMessage["role"], parts: ReadonlyArray<Part>): Turn => {
  const thinkers: Array<string> = []
  const media: Array<Uuid> = []
  const references: Array<string> = []
  for (const part of parts) {
    if (isThinking(part.block)) thinkers.push(part.model ?? "")
    for (const block of innerBlocks(part.block)) {
      if (isMedia(block)) media.push(part.source)
      const tool = referencedTool(block)
      if (tool !== undefined) references.push(tool)
    }
  }
  return {
    message: { role, content: blocksIn(role, visible(role, parts)) },
    parts,
    human: parts.some((part) => part.human),
    thinkers: unique(thinkers),
    media: unique(media),
    references: unique(references)
  }
}

const keepsThinking = (thinkers: ReadonlyArray<string>, options: RenderOptions, isCurrent: boolean): boolean => {
  if (options.thinking === "none" || (options.thinking === "currentTurn" && !isCurrent)) return thinkers.length === 0
  return thinkers.every((model) => isSameModel(model, options.model))
}

const renderPart = (part: Part, options: RenderOptions, isCurrent: boolean): ReadonlyArray<Part> => {
  if (isThinking(part.block) && !keepsThinking([part.model ?? ""], options, isCurrent)) return []
  const types = options.strippedMedia?.[part.source]
  const shown = types === undefined ? part.block : replaceMedia(part.block, types)
  const block = options.toolNames === undefined ? shown : dropReferences(shown, options.toolNames)
  return [block === part.block ? part : { ...part, block }]
}

/** The parts of a turn that this request shows, each with where it came from. */
export const shownParts = (turn: Turn, options: RenderOptions, isCurrent: boolean): ReadonlyArray<Part> =>
  visible(
    turn.message.role,
    turn.parts.flatMap((part) => renderPart(part, options, isCurrent))
  )

/** The turn as this request sends it; its content is empty when nothing of it may be sent. */
export const renderTurn = (turn: Turn, options: RenderOptions, isCurrent: boolean): ApiMessage => {
  const asItIs =
    keepsThinking(turn.thinkers, options, isCurrent) &&
    turn.media.every((source) => options.strippedMedia?.[source] === undefined) &&
    turn.references.every((name) => options.toolNames?.includes(name) ?? true)
  if (asItIs) return turn.message
  const { role } = turn.message
  return { role, content: blocksIn(role, shownParts(turn, options, isCurrent)) }
}
