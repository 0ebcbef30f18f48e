import { Context, Effect, Layer } from "effect"
import type { Uuid } from "../../core/domain/id.ts"
import type { Message } from "../../core/domain/message.ts"
import { Records, type RecordsFailure, type RecordsWriter, type WriteStatus } from "../../core/ports/Records.ts"
import type { LineContext } from "../../core/session/transcript/chain.ts"
import type { MetaRecord } from "../../core/session/transcript/meta-record.ts"
import type { Redaction } from "../../core/domain/secrets/redact.ts"
import { Recorder, type Continued } from "./transcript-recorder.ts"

/** Longest time that leaving waits for the disk. */
const CLOSE_MS = 2_000

/** The session that is written: a new file, or one that is continued. */
export interface PersistedSession {
  readonly path: string
  readonly context: LineContext
  readonly continued?: Continued
}

/**
 * The conversation's way to disk. Recording is a plain function: when it returns, the lines are with the operating
 * system, in the order of the calls. It never fails a turn; `status` says when writing does not work, and `durable` is
 * for the moments that must not go on without the disk.
 */
export class Persist extends Context.Service<
  Persist,
  {
    /** False when this run leaves no transcript. */
    readonly enabled: boolean
    /** Path of the transcript; null when there is none. */
    readonly path: () => string | null
    /**
     * Records messages behind `parentUuid` (the newest line when absent); those in the file already are passed over.
     * Notes stand before the last of them.
     */
    readonly record: (messages: ReadonlyArray<Message>, parentUuid?: Uuid | null, notes?: ReadonlyArray<MetaRecord>) => void
    readonly note: (record: MetaRecord) => void
    /** Directory, branch and the like for the lines to come. */
    readonly setContext: (patch: Partial<LineContext>) => void
    /** Everything recorded so far is on the disk when this succeeds. */
    readonly durable: Effect.Effect<void, RecordsFailure>
    /** Ends the current transcript and goes on in another one. */
    readonly switchTo: (session: PersistedSession) => Effect.Effect<void, RecordsFailure>
    /** Last flush, bounded in time. */
    readonly close: Effect.Effect<void>
    readonly status: () => WriteStatus
    /** Calls back on each change of the status; the result ends it. */
    readonly watch: (listener: (status: WriteStatus) => void) => () => void
  }
>()("nacre/shell/Persist") {}

interface Current {
  readonly writer: RecordsWriter
  readonly recorder: Recorder
}

const opened = Effect.fnUntraced(function* (session: PersistedSession, redaction: Redaction | null) {
  const records = yield* Records
  const writer = yield* records.open(session.path)
  const continued = session.continued === undefined ? {} : { continued: session.continued }
  return { writer, recorder: new Recorder({ writer, redaction, context: session.context, ...continued }) }
})

const ended = ({ writer, recorder }: Current): Effect.Effect<void> =>
  Effect.sync(() => recorder.finish()).pipe(Effect.andThen(writer.close), Effect.timeoutOption(CLOSE_MS), Effect.asVoid)

const make = Effect.fnUntraced(function* (session: PersistedSession, redaction: Redaction | null) {
  const records = yield* Records
  const listeners = new Set<(status: WriteStatus) => void>()
  const tell = (status: WriteStatus): void => {
    for (const listener of listeners) listener(status)
  }
  let current: Current = yield* opened(session, redaction)
  let unwatch = current.writer.watch(tell)
  return Persist.of({
    enabled: true,
    path: () => current.writer.path,
    record: (messages, parentUuid, notes) => current.recorder.record(messages, parentUuid, notes),
    note: (record) => current.recorder.note(record),
    setContext: (patch) => current.recorder.setContext(patch),
    durable: Effect.suspend(() => current.writer.sync),
    switchTo: Effect.fnUntraced(function* (next: PersistedSession) {
      const following = yield* opened(next, redaction).pipe(Effect.provideService(Records, records))
      const previous = current
      unwatch()
      current = following
      unwatch = current.writer.watch(tell)
      tell(current.writer.status())
      yield* ended(previous)
    }),
    close: Effect.suspend(() => ended(current)),
    status: () => current.writer.status(),
    watch: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
  })
})

/** Writes the session until the scope ends; `redaction` null keeps secrets of tool results in the file. */
export const layer = (
  session: PersistedSession,
  redaction: Redaction | null
): Layer.Layer<Persist, RecordsFailure, Records> =>
  Layer.effect(
    Persist,
    Effect.acquireRelease(make(session, redaction), (persist) => persist.close)
  )

/** A run that leaves no transcript. */
export const disabled: Layer.Layer<Persist> = Layer.succeed(Persist, {
  enabled: false,
  path: () => null,
  record: () => {},
  note: () => {},
  setContext: () => {},
  durable: Effect.void,
  switchTo: () => Effect.void,
  close: Effect.void,
  status: () => ({ _tag: "Ok" }),
  watch: () => () => {}
})
