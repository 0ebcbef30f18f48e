import { Deferred, Effect } from "effect"
import type { Env } from "../../core/domain/env.ts"
import type { AgentId, CallId } from "../../core/domain/id.ts"
import type { CallbackHandler, Handler } from "../../core/hooks/handler.ts"
import type { HookEvent } from "../../core/hooks/hook-event.ts"
import type { HookOutcome } from "../../core/hooks/outcome.ts"
import type { RegisteredHooks } from "../../core/hooks/registered.ts"
import type { Emission } from "../../core/loop/machine/emission.ts"
import type { Occurrence } from "../../core/loop/machine/event.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import { treeAt } from "../../core/settings/tree.ts"
import type { Snapshot } from "../../core/settings/snapshot.ts"
import type { HookRuns } from "./run-hooks.ts"

/** The door to hooks: it knows who listens to what, and loads what runs them when somebody does. */

/** Who has hooks asked: what they are told of a session is what it knows at that moment. */
export interface Asker {
  readonly agent: AgentId
  readonly state: () => AgentState
  readonly emit: (emission: Emission) => void
  readonly offer: (occurrence: Occurrence) => void
}

export type HookFields = Readonly<Record<string, unknown>>

/** Something that hooks are asked about. */
export interface HookOccasion {
  readonly event: HookEvent
  /** The event's own fields. */
  readonly fields: HookFields
  /** The call that it is about, where the fields do not name it. */
  readonly callId?: CallId
}

/** How the host's own code is called; it answers, fails, or is called off by interruption. */
export type CallHost = (handler: CallbackHandler, input: HookFields) => Effect.Effect<unknown, string>

export interface Hooks {
  /** Events that somebody listens to; about others nobody is asked. */
  readonly events: () => ReadonlyArray<HookEvent>
  readonly ask: (asker: Asker, occasion: HookOccasion) => Effect.Effect<HookOutcome>
  /** The session is open: hooks of its beginning run already while the first prompt is typed, which waits for them. */
  readonly begin: (asker: Asker, source: "startup" | "resume") => Effect.Effect<void>
  /** What the host registered. */
  readonly setHost: (handlers: ReadonlyArray<CallbackHandler>) => void
  /** Settings changed. */
  readonly reload: Effect.Effect<void>
  /** What handlers left for later commands. */
  readonly variables: () => Env
}

const NOTHING: RegisteredHooks = { handlers: [], withheld: [], problems: [] }

export interface HooksOptions {
  readonly snapshot: () => Snapshot
  /** Makes what runs handlers; only called when one has to run. */
  readonly load: Effect.Effect<HookRuns>
  readonly complain: (text: string) => void
  readonly variables: () => Env
}

const readRegistered = (snapshot: Snapshot): Effect.Effect<RegisteredHooks> =>
  treeAt(snapshot.tree, ["hooks"]) === undefined
    ? Effect.succeed(NOTHING)
    : Effect.promise(async () => (await import("../../core/hooks/registered.ts")).registeredHooks(snapshot))

export const makeHooks = Effect.fnUntraced(function* ({
  snapshot,
  load,
  complain,
  variables
}: HooksOptions): Effect.fn.Return<Hooks> {
  let registered = NOTHING
  let host: ReadonlyArray<CallbackHandler> = []
  let reported = new Set<string>()
  let runs: HookRuns | undefined
  const handlers = (): ReadonlyArray<Handler> => [...registered.handlers, ...host]
  const reload = Effect.gen(function* () {
    registered = yield* readRegistered(snapshot())
    const texts = registered.problems.map(
      ({ from, text }) => `${text} (${from.file}${from.line === undefined ? "" : `:${from.line}`})`
    )
    for (const text of texts) if (!reported.has(text)) complain(text)
    reported = new Set(texts)
  })
  yield* reload
  let opening: Deferred.Deferred<HookOutcome> | undefined
  const askNow = (asker: Asker, occasion: HookOccasion): Effect.Effect<HookOutcome> =>
    Effect.gen(function* () {
      const listening = handlers().filter(({ event }) => event === occasion.event)
      if (listening.length === 0) return {}
      runs ??= yield* load
      return yield* runs.ask({ ...occasion, asker, handlers: listening })
    })
  return {
    events: () => [...new Set(handlers().map(({ event }) => event))],
    ask: (asker, occasion) => {
      const isBeginning = occasion.event === "SessionStart" && occasion.fields["source"] !== "compact"
      return isBeginning && opening !== undefined ? Deferred.await(opening) : askNow(asker, occasion)
    },
    begin: (asker, source) =>
      Effect.suspend(() => {
        if (!handlers().some(({ event }) => event === "SessionStart")) return Effect.void
        const begun = Deferred.makeUnsafe<HookOutcome>()
        opening = begun
        // Whoever opened the session hears of it only when it has it.
        const asked = Effect.andThen(Effect.sleep(0), askNow(asker, { event: "SessionStart", fields: { source } }))
        return Effect.asVoid(Effect.forkDetach(Effect.flatMap(asked, (outcome) => Deferred.succeed(begun, outcome))))
      }),
    setHost: (next) => {
      host = next
    },
    reload,
    variables
  }
})
