/** Which renderer draws which tool. */
import { agentRenderer, skillRenderer } from "./agent.ts"
import { bashRenderer } from "./bash.ts"
import { editRenderer, notebookRenderer, writeRenderer } from "./edit.ts"
import { mcpName, mcpRenderer } from "./mcp.ts"
import { planRenderer } from "./plan.ts"
import { questionRenderer } from "./question.ts"
import { readRenderer } from "./read.ts"
import type { ToolRenderer } from "./renderer.ts"
import { searchRenderer } from "./search.ts"
import { backgroundRenderer, taskRenderer } from "./task.ts"
import { todoRenderer } from "./todo.ts"
import { unknownRenderer } from "./unknown.ts"
import { webFetchRenderer, webSearchRenderer } from "./web.ts"

const RENDERERS: ReadonlyMap<string, ToolRenderer> = new Map([
  ["Bash", bashRenderer],
  ["PowerShell", bashRenderer],
  ["Monitor", bashRenderer],
  ["Read", readRenderer],
  ["Write", writeRenderer],
  ["Edit", editRenderer],
  ["MultiEdit", editRenderer],
  ["NotebookEdit", notebookRenderer],
  ["Glob", searchRenderer],
  ["Grep", searchRenderer],
  ["WebFetch", webFetchRenderer],
  ["WebSearch", webSearchRenderer],
  ["TodoWrite", todoRenderer],
  ["TaskCreate", taskRenderer],
  ["TaskUpdate", taskRenderer],
  ["TaskGet", taskRenderer],
  ["TaskList", taskRenderer],
  ["TaskOutput", backgroundRenderer],
  ["BashOutput", backgroundRenderer],
  ["AgentOutputTool", backgroundRenderer],
  ["TaskStop", backgroundRenderer],
  ["KillShell", backgroundRenderer],
  ["Agent", agentRenderer],
  ["Task", agentRenderer],
  ["AskUserQuestion", questionRenderer],
  ["Skill", skillRenderer],
  ["ExitPlanMode", planRenderer]
])

export const rendererOf = (tool: string): ToolRenderer =>
  RENDERERS.get(tool) ?? (mcpName(tool) === undefined ? unknownRenderer : mcpRenderer)
