import { statusOf, currentModel } from "../../../../core/loop/turn/send-request.ts"
import { profileOf } from "../../../../core/model/catalog/model.ts"
import { findLastIndex, get } from "../../../../core/domain/append-list.ts"
import { isZeroUsage, type Usage } from "../../../../core/domain/usage.ts"
import type { AgentState } from "../../../../core/loop/machine/state.ts"
import type { Cmd } from "../../../../tui/model/cmd.ts"
import type { SessionFacts } from "../../../session/session-handle.ts"

/** What the command of the status line gets to know about a session. */
export interface StatusSource {
  readonly state: AgentState
  readonly facts: SessionFacts
  readonly ask: Extract<Cmd, { readonly _tag: "RunStatusLine" }>
  readonly addedDirs: ReadonlyArray<string>
  readonly openForMs: number
}

const LARGE_TOKENS = 200_000

const inputOf = (usage: Usage): number =>
  usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens

/** What the newest response was billed for. */
const newestUsage = ({ conversation: { messages } }: AgentState): Usage | undefined => {
  const at = findLastIndex(messages, (each) => each.type === "assistant" && !isZeroUsage(each.message.usage))
  const found = at < 0 ? undefined : get(messages, at)
  return found?.type === "assistant" ? found.message.usage : undefined
}

const windowOf = (state: AgentState) => {
  const { windowTokens } = statusOf(state)
  const usage = newestUsage(state)
  const spent = Object.values(state.totals.models)
  const used = usage === undefined ? 0 : Math.round((inputOf(usage) / windowTokens) * 100)
  return {
    total_input_tokens: spent.reduce((sum, each) => sum + inputOf(each.usage), 0),
    total_output_tokens: spent.reduce((sum, each) => sum + each.usage.output_tokens, 0),
    context_window_size: windowTokens,
    used_percentage: used,
    remaining_percentage: Math.max(0, 100 - used),
    current_usage:
      usage === undefined
        ? null
        : {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cache_creation_input_tokens: usage.cache_creation_input_tokens,
            cache_read_input_tokens: usage.cache_read_input_tokens
          }
  }
}

export const statusInput = ({ state, facts, ask, addedDirs, openForMs }: StatusSource) => {
  const model = currentModel(state)
  const usage = newestUsage(state)
  const { effort, thinking } = state.config.choice
  return {
    cwd: state.cwd,
    session_id: facts.sessionId,
    ...(ask.title === undefined ? {} : { session_name: ask.title }),
    transcript_path: facts.transcriptPath,
    model: { id: model, display_name: profileOf(model).name },
    workspace: { current_dir: state.cwd, project_dir: facts.cwd, added_dirs: addedDirs },
    version: facts.version,
    output_style: { name: "default" },
    cost: {
      total_cost_usd: state.totals.costUsd,
      total_duration_ms: openForMs,
      total_api_duration_ms: state.totals.apiMs,
      total_lines_added: ask.linesAdded,
      total_lines_removed: ask.linesRemoved
    },
    context_window: windowOf(state),
    exceeds_200k_tokens: usage !== undefined && inputOf(usage) + usage.output_tokens > LARGE_TOKENS,
    ...(effort === undefined ? {} : { effort: { level: effort } }),
    thinking: { enabled: thinking !== undefined && thinking.type !== "disabled" },
    ...(ask.vim === undefined ? {} : { vim: { mode: ask.vim } }),
    permission_mode: state.permission.mode
  }
}
