import { MAIN_AGENT } from "../../core/domain/id.ts"
import { type HookEvent, specOf } from "../../core/hooks/hook-event.ts"
import { turnOf } from "../../core/loop/machine/transition.ts"
import type { Asker, HookFields } from "./hooks.ts"

/** What a handler is told: what every event has, then what belongs to this one. */
export const hookInput = (
  { agent, state }: Pick<Asker, "agent" | "state">,
  event: HookEvent,
  fields: HookFields
): HookFields => {
  const { config, cwd, permission, ...known } = state()
  const { sessionId, sessionDir } = config.place
  const { effort } = config.choice
  const turn = turnOf({ ...known, config, cwd, permission })
  return {
    session_id: sessionId,
    transcript_path: `${sessionDir}.jsonl`,
    cwd,
    ...(turn === undefined ? {} : { prompt_id: turn.promptUuid }),
    ...(specOf(event).tellsMode === true ? { permission_mode: permission.mode } : {}),
    ...(effort === undefined || turn === undefined ? {} : { effort: { level: effort } }),
    ...(agent === MAIN_AGENT ? {} : { agent_id: agent }),
    hook_event_name: event,
    ...fields
  }
}
