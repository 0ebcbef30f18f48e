import { LiveSessions, type LiveSessionsOptions } from "./sessions/live-sessions.ts"
import { makePerformer, type Performer } from "./commands/perform.ts"
import type { PerformOptions } from "./commands/context/command-context.ts"

/**
 * The sessions of this process and who carries out what the interface asks for. It is loaded behind the first frame:
 * with it comes everything that sessions need.
 */
export interface Workshop {
  readonly sessions: LiveSessions
  readonly performer: Performer
}

export interface WorkshopOptions extends Omit<PerformOptions, "sessions"> {
  /** What the first session follows. */
  readonly firstPlan: LiveSessionsOptions["plan"]
  readonly grow: LiveSessionsOptions["grow"]
}

export const openWorkshop = ({ firstPlan, grow, ...options }: WorkshopOptions): Workshop => {
  const { tell } = options
  const sessions = new LiveSessions({
    plan: firstPlan,
    tell,
    grow,
    draftOf: (id) => performer.draftOf(id),
    adoptDraft: (id, cwd) => performer.adoptDraft(id, cwd)
  })
  const performer: Performer = makePerformer({ ...options, sessions })
  return { sessions, performer }
}
