import { setImmediate } from "node:timers/promises"
import type { ModelFailure } from "../../core/model/failure/model-failure.ts"
import type { ModelEvent } from "../../core/model/stream/model-event.ts"
import { bodyFailure, connectionClosed, malformedEvent } from "./errors.ts"
import { makeFramer, MAX_FRAME_CHARS } from "./sse.ts"
import type { Watchdog } from "./watchdog.ts"
import { decodeFrame } from "./wire.ts"

/**
 * Reads one streamed response. Bytes are taken from the body a little ahead of the consumer, because a body forgets
 * what nobody has read when its connection breaks; and only a little, so that a slow consumer slows the endpoint
 * instead of filling the memory.
 */
export type Batch =
  | { readonly _tag: "Events"; readonly events: ReadonlyArray<ModelEvent> }
  | { readonly _tag: "End" }
  | { readonly _tag: "Failed"; readonly failure: ModelFailure }

export interface ResponseReader {
  readonly next: () => Promise<Batch>
  /** Whether `message_stop` was seen. */
  readonly complete: () => boolean
  /** Reads what follows `message_stop`, so that the connection can serve the next request. */
  readonly drain: () => Promise<void>
  /** Kinds of events that were not understood, with their counts. */
  readonly unknown: ReadonlyMap<string, number>
}

type WatchedBy = Pick<Watchdog, "awaiting" | "heard" | "reason">

interface ReadAhead {
  /** The next bytes, or undefined when there will be none. */
  readonly take: () => Promise<Uint8Array | undefined>
  /** Why there are no more bytes. */
  readonly ending: () => ModelFailure
  readonly discard: () => Promise<void>
}

/** The most events decoded ahead of the consumer. */
const MAX_BATCH = 256

/** The most bytes taken from the body ahead of the consumer. */
export const READ_AHEAD_BYTES = 128 * 1024

const readAhead = (body: AsyncIterable<Uint8Array>, watchdog: WatchedBy): ReadAhead => {
  const chunks = body[Symbol.asyncIterator]()
  const held: Array<Uint8Array> = []
  let heldBytes = 0
  let ending: ModelFailure | undefined
  let discarding = false
  let pumping = false
  let arrived = (): void => {}

  const open = (): boolean => ending === undefined
  const hungry = (): boolean => open() && heldBytes < READ_AHEAD_BYTES

  const readOnce = async (): Promise<void> => {
    watchdog.awaiting()
    try {
      const { done, value } = await chunks.next()
      if (done === true) ending = connectionClosed()
      else if (!discarding) {
        held.push(value)
        heldBytes += value.length
      }
    } catch (error) {
      ending = watchdog.reason() ?? bodyFailure(error)
    }
    watchdog.heard()
    arrived()
  }

  const pump = async (): Promise<void> => {
    if (pumping) return
    pumping = true
    while (hungry()) await readOnce()
    pumping = false
  }

  const arrival = (): Promise<void> =>
    new Promise((resolve) => {
      arrived = resolve
      void pump()
    })

  const takeHeld = (): Uint8Array | undefined => {
    const bytes = held.shift()
    heldBytes -= bytes?.length ?? 0
    return bytes
  }

  void pump()
  return {
    take: async () => {
      while (open() && held.length === 0) await arrival()
      const bytes = takeHeld()
      void pump()
      return bytes
    },
    ending: () => ending ?? connectionClosed(),
    discard: async () => {
      discarding = true
      held.length = 0
      heldBytes = 0
      while (open()) await arrival()
      // The agent takes a socket back only one turn of the event loop after the last byte.
      await setImmediate()
    }
  }
}

export const makeResponseReader = (body: AsyncIterable<Uint8Array>, watchdog: WatchedBy): ResponseReader => {
  const source = readAhead(body, watchdog)
  const framer = makeFramer()
  const unknown = new Map<string, number>()
  let outcome: Exclude<Batch, { _tag: "Events" }> | undefined

  const fail = (failure: ModelFailure): void => {
    outcome = { _tag: "Failed", failure }
  }

  const decodeBuffered = (): Array<ModelEvent> => {
    const events: Array<ModelEvent> = []
    while (outcome === undefined && events.length < MAX_BATCH) {
      const frame = framer.take()
      if (frame === undefined) break
      const decoded = decodeFrame(frame)
      if (decoded._tag === "Failed") fail(decoded.failure)
      else if (decoded._tag === "Unknown") unknown.set(decoded.name, (unknown.get(decoded.name) ?? 0) + 1)
      else {
        events.push(decoded.event)
        if (decoded.event.type === "message_stop") outcome = { _tag: "End" }
      }
    }
    return events
  }

  const readMore = async (): Promise<void> => {
    if (framer.pendingChars() > MAX_FRAME_CHARS) return fail(malformedEvent("event", "it does not end"))
    const bytes = await source.take()
    if (bytes === undefined) fail(source.ending())
    else framer.push(bytes)
  }

  return {
    next: async () => {
      for (;;) {
        const events = decodeBuffered()
        if (events.length > 0) return { _tag: "Events", events }
        if (outcome !== undefined) return outcome
        await readMore()
      }
    },
    complete: () => outcome?._tag === "End",
    drain: source.discard,
    unknown
  }
}
