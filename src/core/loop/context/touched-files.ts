import type { TouchedFile } from "../../context/sources/source.ts"
import { isInsideAny, type PathFact } from "../../domain/path/path-components.ts"
import { SHELL_TOOL, toolFor } from "../../tools/toolbox.ts"
import { patchConversation } from "../machine/patch-state.ts"
import type { AgentState, Call, CallAt, RunningState } from "../machine/state.ts"

/** Files that the calls of a response read or changed: what is known about their folders may matter now. */

const touchedBy = (state: AgentState, call: Call): ReadonlyArray<TouchedFile> => {
  if (call.stage !== "completed" || call.result.isError || call.reading === undefined) return []
  const tool = call.tool === undefined ? undefined : toolFor(state.toolbox, call.tool)
  if (tool === undefined) return []
  return tool
    .needs(call.reading.input, state.cwd)
    .flatMap((need) => (need.kind === "read" || need.kind === "edit" ? [{ path: need.path, tool: tool.name }] : []))
}

/** No command brings more. */
const MOST_FILES = 50

/** Files that a command names, as far as it was looked up where they are to decide about it. */
export const noteCommandFiles = (state: RunningState, call: CallAt<"executing">): RunningState => {
  const { sources } = state.config.prompt
  if (sources.length === 0 || call.tool !== SHELL_TOOL) return state
  const directories = state.permission.workingDirs.flatMap(({ path, realPath }) => [path, realPath])
  const isInWork = ({ path, realPath, exists }: PathFact): boolean =>
    exists && !directories.includes(path) && [path, realPath].some((form) => isInsideAny(directories, form))
  const touched = call.facts.paths.filter(isInWork).slice(0, MOST_FILES)
  const { context } = state.conversation
  const files = touched.map(({ path }) => ({ path, tool: SHELL_TOOL }))
  return files.length === 0
    ? state
    : patchConversation(state, { context: { ...context, touched: [...context.touched, ...files] } })
}

export const noteTouched = (state: RunningState): RunningState => {
  if (state.config.prompt.sources.length === 0) return state
  const touched = state.run.turn.calls.flatMap((call) => touchedBy(state, call))
  if (touched.length === 0) return state
  const { context } = state.conversation
  return patchConversation(state, { context: { ...context, touched: [...context.touched, ...touched] } })
}
