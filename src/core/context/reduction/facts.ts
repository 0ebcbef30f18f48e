import { isToolResult, isToolUse, type ToolResultBlock, type ToolUseBlock } from "../../domain/block.ts"
import type { CallId, Uuid } from "../../domain/id.ts"
import type { Message } from "../../domain/message.ts"
import { fenceText, oneLine } from "../../model/request/fence.ts"
import { promptText } from "../../model/request/prompt-message.ts"
import { estimateText } from "../../model/tokens/estimate.ts"

/** What compaction keeps by reading the conversation instead of asking a model: these facts cannot be misremembered. */
export interface CompactionFacts {
  /** What the user asked, word for word, oldest first. */
  readonly prompts: ReadonlyArray<string>
  /** What the user wants to keep, word for word. */
  readonly pinned?: ReadonlyArray<string>
  readonly openTodos: ReadonlyArray<string>
  readonly changedFiles: ReadonlyArray<{ readonly path: string; readonly changes: number }>
  readonly failedCommand?: { readonly command: string; readonly output: string }
  readonly planPath?: string
  readonly permissionMode?: string
  readonly transcriptPath?: string
}

const PROMPT_TOKENS = 10_000
const OUTPUT_LINES = 20
const OUTPUT_CHARS = 4_000
const CHANGING_TOOLS = new Set(["Edit", "Write", "NotebookEdit"])
const TELLING_TOOLS = new Set([...CHANGING_TOOLS, "Bash", "TodoWrite"])
const PATH_FIELDS = ["file_path", "notebook_path"]

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

interface Answered {
  readonly call: ToolUseBlock
  readonly result: ToolResultBlock
}

const outputOf = (content: unknown): string => {
  if (typeof content === "string") return content
  const blocks: ReadonlyArray<unknown> = Array.isArray(content) ? content : []
  return blocks
    .map((block) => field(block, "text"))
    .filter((part) => typeof part === "string")
    .join("\n")
}

/** Settled calls of the tools that facts are read from, in order. */
const answeredCalls = (messages: ReadonlyArray<Message>): ReadonlyArray<Answered> => {
  const calls = new Map<CallId, ToolUseBlock>()
  const answered: Array<Answered> = []
  for (const message of messages) {
    if (message.type === "assistant") {
      for (const block of message.message.content) {
        if (isToolUse(block) && TELLING_TOOLS.has(block.name)) calls.set(block.id, block)
      }
    }
    if (message.type !== "user" || typeof message.message.content === "string") continue
    for (const block of message.message.content) {
      const call = isToolResult(block) ? calls.get(block.tool_use_id) : undefined
      if (call !== undefined && isToolResult(block)) answered.push({ call, result: block })
    }
  }
  return answered
}

const changedFiles = (calls: ReadonlyArray<Answered>): CompactionFacts["changedFiles"] => {
  const counts = new Map<string, number>()
  for (const { call, result } of calls) {
    const path = PATH_FIELDS.map((name) => field(call.input, name)).find((value) => typeof value === "string")
    if (result.is_error === true || path === undefined || !CHANGING_TOOLS.has(call.name)) continue
    counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  return [...counts].map(([path, changes]) => ({ path, changes }))
}

const openTodos = (calls: ReadonlyArray<Answered>): ReadonlyArray<string> => {
  const todos = field(calls.findLast(({ call }) => call.name === "TodoWrite")?.call.input, "todos")
  if (!Array.isArray(todos)) return []
  return todos
    .filter((todo) => field(todo, "status") !== "completed")
    .map((todo) => field(todo, "content"))
    .filter((content) => typeof content === "string")
}

/** The newest command, if it failed: a failure that was repaired since is no longer news. */
const failedCommand = (calls: ReadonlyArray<Answered>): CompactionFacts["failedCommand"] => {
  const newest = calls.findLast(({ call }) => call.name === "Bash")
  const command = field(newest?.call.input, "command")
  if (newest?.result.is_error !== true || typeof command !== "string") return undefined
  const lines = outputOf(newest.result.content).trimEnd().split("\n")
  const exit = lines.find((line) => /exit code/i.test(line))
  const last = lines.slice(-OUTPUT_LINES)
  const output = exit === undefined || last.includes(exit) ? last : [exit, ...last]
  return { command, output: output.join("\n").slice(-OUTPUT_CHARS) }
}

const NOTHING_KEPT: ReadonlySet<Uuid> = new Set()

/** Facts of a conversation. A prompt that stays in it is not said a second time. */
export const factsOf = (messages: ReadonlyArray<Message>, kept: ReadonlySet<Uuid> = NOTHING_KEPT): CompactionFacts => {
  const calls = answeredCalls(messages)
  const failed = failedCommand(calls)
  return {
    prompts: messages
      .filter(({ uuid }) => !kept.has(uuid))
      .map(promptText)
      .filter((prompt) => prompt.trim() !== ""),
    openTodos: openTodos(calls),
    changedFiles: changedFiles(calls),
    ...(failed === undefined ? {} : { failedCommand: failed })
  }
}

/** The newest prompts that fit; the newest one always stays. */
const promptsWithin = (prompts: ReadonlyArray<string>): ReadonlyArray<string> => {
  let tokens = 0
  const from = prompts.findLastIndex((prompt) => (tokens += estimateText(prompt)) > PROMPT_TOKENS)
  return prompts.slice(Math.min(from + 1, prompts.length - 1))
}

const promptSection = (prompts: ReadonlyArray<string>): string => {
  if (prompts.length === 0) return ""
  const shown = promptsWithin(prompts)
  const left = prompts.length - shown.length
  const note = left === 0 ? "" : ` (${left} older left out)`
  return `What the user asked, word for word, oldest first${note}:\n${shown.map(fenceText).join("\n")}`
}

const pinnedSection = (pinned: ReadonlyArray<string>): string =>
  pinned.length === 0 ? "" : `Pinned by the user, word for word:\n${pinned.map(fenceText).join("\n")}`

const listSection = (title: string, items: ReadonlyArray<string>): string =>
  items.length === 0 ? "" : `${title}:\n${items.map((item) => `- ${oneLine(item)}`).join("\n")}`

const line = (title: string, value: string | undefined): string => (value === undefined ? "" : `${title}: ${oneLine(value)}`)

export const factsText = (facts: CompactionFacts): string =>
  [
    promptSection(facts.prompts),
    pinnedSection(facts.pinned ?? []),
    listSection("Open todos", facts.openTodos),
    listSection(
      "Files changed so far",
      facts.changedFiles.map(({ path, changes }) => `${path} (${changes}×)`)
    ),
    facts.failedCommand === undefined
      ? ""
      : `The newest command failed: ${oneLine(facts.failedCommand.command)}\n${fenceText(facts.failedCommand.output)}`,
    line("Plan file", facts.planPath),
    line("Permission mode", facts.permissionMode),
    line("The full conversation, for details that are missing here", facts.transcriptPath)
  ]
    .filter((section) => section !== "")
    .join("\n\n")
