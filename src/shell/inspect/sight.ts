import { Effect, Layer, Result, type Scope } from "effect"
import type { Message } from "../../core/domain/message.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import { type InitialState, initialState } from "../../core/loop/turn/start-turn.ts"
import type { Records } from "../../core/ports/Records.ts"
import type { Env } from "../../core/domain/env.ts"
import { parseArgv } from "../cli/parse.ts"
import { planSession, type SessionPlan, type StartPlaces } from "../plan/session-plan.ts"
import { Application } from "../session/application.ts"
import { type ChosenSession, lookAtSession } from "../session/choose-session.ts"
import { readEarlier } from "../session/load-session.ts"
import { beginWith } from "../session/open-session.ts"
import { type ApplicationServices, recalledFiles, sessionLayer } from "../session/session-services.ts"
import { sessionContext } from "../session/tool-run.ts"
import type { Start } from "../cli/options.ts"
import { decideAtStart } from "../trust/start-trust.ts"
import { lookAtAll } from "../context/collect-context.ts"
import type { FileState } from "../tools/services/file-state.ts"
import type { LookPorts } from "../context/looks.ts"
import { makeInstructionReader } from "../instructions/instruction-reader.ts"
import type { Collect } from "./rehearse.ts"

/** What is known of files is the session's own. */
export type SightPorts = Exclude<LookPorts, FileState>

/** A session as it stands, or as a new one would begin, seen from outside: nothing is written, sent or run. */
export interface Sight {
  readonly session: ChosenSession
  readonly initial: InitialState
  readonly state: AgentState
  readonly plan: SessionPlan
  /** What a session would look at before a request. */
  readonly collect: Collect<SightPorts>
}

export interface Place extends StartPlaces {
  readonly env: Env
  readonly complain: (text: string) => void
}

/** What a start would go by. The folder counts as far as it is trusted, and whoever looks is told where it is not. */
const planOf = async (start: Start, { env, complain, ...where }: Place): Promise<Result.Result<SessionPlan, string>> => {
  const planned = planSession(start, env, complain, { ...where, onlyLooks: true })
  if (Result.isFailure(planned)) return planned
  const decided = await Effect.runPromise(decideAtStart(planned.success, env))
  return Result.map(decided, ({ plan, trust }) => {
    if (trust.notice !== undefined) complain(trust.notice)
    return plan
  })
}

/** The start that a command line would make; the interface is what would be started. */
export const startFrom = (args: ReadonlyArray<string>, complain: Place["complain"]): Start | undefined => {
  const parsed = parseArgv(args, { stdoutIsTerminal: true })
  if (Result.isSuccess(parsed)) return parsed.success._tag === "Start" ? parsed.success : undefined
  complain(parsed.failure.message.replace(/^nacre: /, ""))
  return undefined
}

/** Somebody can be asked in the session that is looked at, though nobody is. */
const AUDIENCE = { onItem: () => {}, ask: () => () => {} }

/** They say nothing about what the model knows before anything happens. */
const NO_HOOKS = { events: () => [], setHost: () => {} }

const look = (plan: SessionPlan): Effect.Effect<Sight, string, ApplicationServices | Scope.Scope> =>
  Effect.gen(function* () {
    const services = yield* Layer.build(sessionLayer)
    const session = yield* lookAtSession(plan)
    const begun = beginWith({ plan, audience: AUDIENCE, hooks: NO_HOOKS }, session)
    const { initial, memory } = yield* Effect.provideContext(begun, services)
    const state = initialState(initial)
    const instructions = makeInstructionReader(plan, { say: () => {} })
    const place = sessionContext({ plan, ...initial.config.place, state: () => state })
    const seen = { plan, memory, instructions, session: place, state: () => state, tell: () => {} }
    const collect: Collect<SightPorts> = (command) => Effect.provide(lookAtAll(seen, command), recalledFiles(session))
    return { session, initial, state, plan, collect }
  })

/** What was said before the part of the conversation that is loaded. */
export const earlierMessages = ({ session: { loaded } }: Sight): Effect.Effect<ReadonlyArray<Message>, string, Records> =>
  loaded === undefined
    ? Effect.succeed([])
    : Effect.forEach(loaded.earlier, (page) => readEarlier(loaded.path, page)).pipe(
        Effect.map((pages) => pages.flat()),
        Effect.mapError(({ message }) => message)
      )

/** Looks, and gives the exit code; a text of a failure is what could not be looked at. */
export const withSight = async (
  start: Start | undefined,
  place: Place,
  use: (sight: Sight) => Effect.Effect<number, string, ApplicationServices>
): Promise<number> => {
  const plan = start === undefined ? undefined : await planOf(start, place)
  if (plan === undefined) return 1
  if (Result.isFailure(plan)) {
    place.complain(plan.failure)
    return 1
  }
  const application = new Application()
  application.follow(plan.success)
  const work = Effect.scoped(Effect.flatMap(look(plan.success), use)).pipe(
    Effect.catch((why) =>
      Effect.sync(() => {
        place.complain(why)
        return 1
      })
    )
  )
  try {
    return await application.run(work)
  } finally {
    await Effect.runPromise(application.close)
  }
}
