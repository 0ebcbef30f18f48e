import type { Message } from "../../domain/message.ts"
import { memoryGuidance } from "../memory/guidance.ts"
import { INDEX } from "../memory/memory-index.ts"
import instructions from "./memory-extract.md"
import { excerptOf, isPrompt, saidSince } from "./excerpt.ts"
import { SEEN, type SideTask } from "./side-task.ts"

/** Looks through what was just said for things to remember, and writes them into the memory. */
const EXCERPT_CHARS = 24_000
const MOST_TURNS = 5
const TIMEOUT_MS = 120_000
const EXIT_WAIT_MS = 5_000
const TOOLS = ["Read", "Grep", "Glob", "Bash", "Edit", "Write"]

/** The file that a result says was written. */
const writtenPath = (message: Message): string | undefined => {
  if (message.type !== "user" || typeof message.toolUseResult !== "object" || message.toolUseResult === null)
    return undefined
  const { filePath }: { readonly filePath?: unknown } = { ...message.toolUseResult }
  return typeof filePath === "string" ? filePath : undefined
}

export const memoryExtract: SideTask = {
  moments: ["turn-end"],
  order: ({ messages, past, options, ended }) => {
    const { memoryDir, extractEveryTurns = 1 } = options
    if (memoryDir === undefined || ended?.isAnswered !== true) return undefined
    const said = saidSince(messages, past.upTo)
    if (said.some((message) => writtenPath(message)?.startsWith(`${memoryDir}/`) === true)) return SEEN
    if (said.filter(isPrompt).length < extractEveryTurns) return undefined
    return {
      sight: {
        _tag: "Own",
        system: instructions.replace("{{guidance}}", () => memoryGuidance(memoryDir)),
        content: `What was said:\n\n${excerptOf(said, EXCERPT_CHARS)}`
      },
      grant: { _tag: "Directory", path: memoryDir },
      tools: TOOLS,
      maxTurns: MOST_TURNS,
      timeoutMs: TIMEOUT_MS
    }
  },
  read: ({ wrote = [] }) => {
    const topics = wrote.filter((path) => !path.endsWith(`/${INDEX}`))
    return wrote.length === 0 ? undefined : { _tag: "Remembered", paths: topics.length === 0 ? wrote : topics }
  },
  overlap: "trail",
  exitWaitMs: EXIT_WAIT_MS
}
