/** What the tokens of a window are spent on. The table is the order in which a request holds them, and of every list. */
export type CategoryId =
  | "system_prompt"
  | "tools"
  | "mcp_tools"
  | "deferred_tools"
  | "agents"
  | "skills"
  | "instructions"
  | "memory"
  | "summaries"
  | "prompts"
  | "answers"
  | "thinking"
  | "tool_calls"
  | "tool_results"
  | "attachments"
  | "images"

/** What of the window holds nothing yet. */
export type SpaceId = "free" | "compaction_buffer" | "output_reserve"

interface CategoryRow {
  readonly label: string
  /** Its cells in the grid, where there are no colours. */
  readonly letter: string
}

export const CATEGORIES: Readonly<Record<CategoryId, CategoryRow>> = {
  system_prompt: { label: "System prompt", letter: "S" },
  tools: { label: "Tools", letter: "T" },
  mcp_tools: { label: "MCP tools", letter: "V" },
  deferred_tools: { label: "Deferred tools", letter: "D" },
  agents: { label: "Agents", letter: "A" },
  skills: { label: "Skills", letter: "K" },
  instructions: { label: "Instructions", letter: "I" },
  memory: { label: "Memory", letter: "M" },
  summaries: { label: "Summaries", letter: "U" },
  prompts: { label: "Prompts", letter: "P" },
  answers: { label: "Answers", letter: "W" },
  thinking: { label: "Thinking", letter: "H" },
  tool_calls: { label: "Tool calls", letter: "C" },
  tool_results: { label: "Tool results", letter: "R" },
  attachments: { label: "Attachments", letter: "B" },
  images: { label: "Images", letter: "G" }
}

export const SPACES: Readonly<Record<SpaceId, CategoryRow>> = {
  free: { label: "Free space", letter: "." },
  compaction_buffer: { label: "Compaction buffer", letter: "-" },
  output_reserve: { label: "Output reserve", letter: "=" }
}

const isCategory = (name: string): name is CategoryId => Object.hasOwn(CATEGORIES, name)

export const CATEGORY_ORDER: ReadonlyArray<CategoryId> = Object.keys(CATEGORIES).filter(isCategory)

/** Attachments that have a category of their own; all others are attachments by the name of their type. */
const BY_ATTACHMENT: Readonly<Record<string, CategoryId>> = {
  instructions: "instructions",
  nested_memory: "instructions",
  memory: "memory",
  memory_index: "memory",
  relevant_memories: "memory",
  deferred_tools_delta: "deferred_tools",
  agent_listing_delta: "agents",
  skill_listing: "skills",
  queued_command: "prompts",
  queued_message: "prompts"
}

export const categoryOfAttachment = (type: string): CategoryId =>
  Object.hasOwn(BY_ATTACHMENT, type) ? (BY_ATTACHMENT[type] ?? "attachments") : "attachments"
