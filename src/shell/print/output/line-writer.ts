import { Effect } from "effect"
import { isReaderGone } from "../../process/output-guard.ts"

/** Lines waiting in the pipe beyond which the model's stream is no longer read. */
const PENDING_LINES = 256
const PENDING_BYTES = 1024 * 1024
const DRAIN_MS = 30_000

export interface LineWriter {
  /** Writes one whole line (or text chunk); never interleaves, never blocks. */
  readonly write: (text: string) => void
  /** Waits while the reader is behind. */
  readonly backpressure: Effect.Effect<void>
  /** Everything written has been handed to the reader, or 30 s have passed. */
  readonly drained: Effect.Effect<void>
  /** Why nothing more can be written, when the reader did not just go away. */
  readonly failure: () => NodeJS.ErrnoException | undefined
}

/**
 * The only way anything reaches stdout in print mode. When the reader goes away (EPIPE) or nothing more fits, `onClosed`
 * is reported once and later writes are dropped.
 */
export const makeLineWriter = (stream: NodeJS.WriteStream, onClosed: () => void): LineWriter => {
  let closed = false
  let failure: NodeJS.ErrnoException | undefined
  let pending = 0
  const waiting = new Set<() => void>()

  const wake = (): void => {
    for (const resume of waiting) resume()
    waiting.clear()
  }
  const close = (): void => {
    if (closed) return
    closed = true
    wake()
    onClosed()
  }
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (!isReaderGone(error)) failure ??= error
    close()
  })

  const isBehind = (): boolean => !closed && (pending > PENDING_LINES || stream.writableLength > PENDING_BYTES)

  const whenFlushed: Effect.Effect<void> = Effect.callback((resume) => {
    const done = (): void => resume(Effect.void)
    if (closed || pending === 0) {
      done()
      return Effect.void
    }
    waiting.add(done)
    return Effect.sync(() => waiting.delete(done))
  })

  return {
    write: (text) => {
      if (closed) return
      pending += 1
      stream.write(text, () => {
        pending -= 1
        if (pending === 0) wake()
      })
    },
    backpressure: Effect.suspend(() => (isBehind() ? whenFlushed : Effect.void)),
    drained: whenFlushed.pipe(Effect.timeoutOption(DRAIN_MS), Effect.asVoid),
    failure: () => failure
  }
}
