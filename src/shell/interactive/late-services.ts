import { Effect } from "effect"
import { Application } from "../session/application.ts"
import { LiveSessions, type LiveSessionsOptions } from "./sessions/live-sessions.ts"
import { makePerformer, type Performer } from "./commands/perform.ts"
import type { PerformOptions } from "./commands/context/command-context.ts"

/**
 * The sessions of this process and who carries out what the interface asks for. It is loaded behind the first frame:
 * with it comes everything that sessions need.
 */
export interface LateServices {
  readonly application: Application
  readonly sessions: LiveSessions
  readonly performer: Performer
  /** Ends the sessions, and then what they shared. */
  readonly close: Effect.Effect<void>
}

export interface LateServicesOptions extends Omit<PerformOptions, "application" | "sessions"> {
  readonly grow: LiveSessionsOptions["grow"]
}

export const openLateServices = ({ grow, ...options }: LateServicesOptions): LateServices => {
  const application = new Application()
  const sessions = new LiveSessions({
    application,
    tell: options.tell,
    grow,
    draftOf: (id) => performer.draftOf(id),
    adoptDraft: (id, cwd) => performer.adoptDraft(id, cwd)
  })
  const performer: Performer = makePerformer({ ...options, application, sessions })
  return { application, sessions, performer, close: Effect.andThen(sessions.closeAll, application.close) }
}
