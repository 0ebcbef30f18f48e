/** Advice that only makes sense when a tool is there. The order is ours, so the text depends on the set alone. */
interface Advice {
  /** Given when all of these tools are offered. */
  readonly tools: ReadonlyArray<string>
  readonly line: string
}

const ADVICE: ReadonlyArray<Advice> = [
  { tools: ["Read"], line: "Read files with Read rather than with cat, head or tail." },
  {
    tools: ["Read", "Edit"],
    line: "Read a file before you change it. Edit replaces exact text, so copy it without the line numbers Read shows."
  },
  { tools: ["Edit", "Write"], line: "Change existing files with Edit; use Write for new files or complete rewrites." },
  { tools: ["Grep"], line: "Search contents with Grep rather than with grep or rg in a shell." },
  { tools: ["Glob"], line: "Find files by name with Glob rather than with find or ls." },
  {
    tools: ["Bash"],
    line: "Use Bash for commands, not to talk: what you want to say goes into your answer. Quote paths with spaces."
  },
  { tools: ["TodoWrite"], line: "Keep the steps of longer work in TodoWrite; mark each one as soon as it is done." },
  { tools: ["TaskCreate"], line: "Keep the steps of longer work as tasks and mark each one as soon as it is done." },
  {
    tools: ["Agent"],
    line: "Give wide searches and self-contained work to Agent, with everything it needs to know in the prompt."
  },
  { tools: ["AskUserQuestion"], line: "When a decision is the user's to make, ask with AskUserQuestion." },
  { tools: ["WebFetch"], line: "Fetch only addresses the user gave, that stand in files, or that you know to exist." },
  { tools: ["ToolSearch"], line: "Tools that are not listed may exist: look with ToolSearch before you give up." }
]

const COMMON = "Calls that do not depend on each other belong into one response, so that they can run side by side."

export const toolGuidance = (toolNames: ReadonlyArray<string>): string => {
  const offered = new Set(toolNames)
  const lines = ADVICE.filter((advice) => advice.tools.every((tool) => offered.has(tool))).map((advice) => advice.line)
  return offered.size === 0 ? "" : ["# Tools", ...[...lines, COMMON].map((line) => `- ${line}`)].join("\n")
}
