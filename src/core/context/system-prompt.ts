import { text, type TextBlock } from "../domain/block.ts"
import { oneLine } from "../model/request/fence.ts"
import base from "./prompts/base.md"
import gitRules from "./prompts/git.md"
import identity from "./prompts/identity.md"
import minimal from "./prompts/minimal.md"
import { memoryGuidance } from "./memory/guidance.ts"
import { toolGuidance } from "./tool-guidance.ts"

/**
 * The system prompt from one frozen record. What is equal for all sessions with the same settings and tools comes
 * first and ends with a cache mark; what belongs to this user comes after it. Nothing here changes during a session: what
 * is true of a place or a day are sources of context (sources/table.ts).
 */
export interface SystemPromptInput {
  /** Takes the place of identity and base behaviour. */
  readonly custom?: string
  readonly append?: string
  readonly toolNames: ReadonlyArray<string>
  /** A host started us without a prompt of its own: one sentence, nothing else but what it appends. */
  readonly sdkMinimal?: boolean
  /** False leaves out how to commit and open pull requests. */
  readonly gitInstructions?: boolean
  /** Language of the answers, from the settings. */
  readonly language?: string
  /** Where memory is kept; absent when there is none. */
  readonly memoryDir?: string
}

const SHARED_END = { type: "ephemeral" } as const

const filled = (sections: ReadonlyArray<string | undefined>): ReadonlyArray<string> =>
  sections.flatMap((section) => (section === undefined || section.trim() === "" ? [] : [section.trim()]))

const sharedSections = (input: SystemPromptInput): ReadonlyArray<string> =>
  filled([
    ...(input.custom === undefined ? [identity, base] : [input.custom]),
    toolGuidance(input.toolNames),
    input.gitInstructions === false ? undefined : gitRules,
    input.language === undefined ? undefined : `# Language\nAnswer in ${oneLine(input.language)}. Code stays as it is.`
  ])

export const systemPrompt = (input: SystemPromptInput): ReadonlyArray<TextBlock> => {
  if (input.sdkMinimal === true && input.custom === undefined) return filled([minimal, input.append]).map(text)
  const shared = text(sharedSections(input).join("\n\n"))
  const memory = input.custom === undefined && input.memoryDir !== undefined ? memoryGuidance(input.memoryDir) : undefined
  const own = filled([memory, input.append])
  const blocks = shared.text === "" ? [] : [{ ...shared, cache_control: SHARED_END }]
  return [...blocks, ...own.map(text)]
}
