/**
 * What kinds of things an entry holds, as bits: the tree joins them upwards, so the next error among a hundred thousand
 * entries is found without looking at the others. A bit may promise too much, as two tools can share one, but never too
 * little.
 */
import type { Block, Entry } from "../../block.ts"

export const FLAG = {
  turn: 1,
  message: 1 << 1,
  assistant: 1 << 2,
  tool: 1 << 3,
  error: 1 << 4,
  diff: 1 << 5,
  code: 1 << 6,
  thinking: 1 << 7,
  boundary: 1 << 8,
  question: 1 << 9
} as const

const TOOL_BITS = 16
const FIRST_TOOL_BIT = 10

const EDITING = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"])
const ASKING = new Set(["AskUserQuestion", "ExitPlanMode"])

/** The bit that calls of a tool share. */
export const toolFlag = (tool: string): number => {
  let hash = 0
  for (let at = 0; at < tool.length; at++) hash = (hash * 31 + tool.charCodeAt(at)) & 0xffff
  return 1 << (FIRST_TOOL_BIT + (hash % TOOL_BITS))
}

export const isQuestion = (block: Block): boolean =>
  block.kind === "tool" && (ASKING.has(block.tool) || block.state === "asking" || block.state === "denied")

export const isError = (block: Block): boolean =>
  block.kind === "error" ||
  (block.kind === "notice" && block.level === "error") ||
  (block.kind === "tool" && (block.state === "failed" || block.state === "denied"))

export const isDiff = (block: Block): boolean => block.kind === "tool" && EDITING.has(block.tool)

/** How Markdown begins code: a fence, or a line set in. */
const CODE_SIGNS = ["```", "~~~", "\n    ", "\n\t"]
const LONGEST_SIGN = 5

/** Whether code may begin at or after an offset. */
const mayHoldCode = (source: string, from: number): boolean =>
  (from === 0 && source.startsWith("    ")) || CODE_SIGNS.some((sign) => source.includes(sign, from))

const codeFlag = (block: Block, from: number): number => (mayHoldCode(block.source, from) ? FLAG.code : 0)

/** The flags of a block; of text that was looked at before, only what follows `from` is searched. */
export const blockFlags = (block: Block, from = 0): number => {
  switch (block.kind) {
    case "user":
      return (block.meta === true ? 0 : FLAG.turn) | codeFlag(block, from)
    case "text":
      return FLAG.assistant | codeFlag(block, from)
    case "thinking":
      return FLAG.thinking | FLAG.assistant
    case "boundary":
      return FLAG.boundary
    case "tool":
      return (
        FLAG.tool |
        toolFlag(block.tool) |
        (isError(block) ? FLAG.error : 0) |
        (isDiff(block) ? FLAG.diff : 0) |
        (isQuestion(block) ? FLAG.question : 0)
      )
    default:
      return isError(block) ? FLAG.error : 0
  }
}

/** The flags of an entry, given what was known of its former revision: streamed text is searched once. */
export const entryFlags = (entry: Entry, former?: { readonly entry: Entry; readonly flags: number }): number => {
  const kept = former === undefined ? 0 : former.flags & FLAG.code
  return entry.blocks.reduce(
    (flags, block, ordinal) => {
      const before = former?.entry.blocks[ordinal]
      const from = before?.id === block.id ? Math.max(0, before.source.length - LONGEST_SIGN) : 0
      return flags | blockFlags(block, from)
    },
    entry.blocks.length === 0 ? 0 : kept | FLAG.message
  )
}
