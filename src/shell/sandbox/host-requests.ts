/** Connections of sandboxed commands that wait for the core's word about their host. */
import type { CallId } from "../../core/domain/id.ts"
import type { Occurrence } from "../../core/loop/machine/event.ts"
import type { NetworkDoor } from "../../core/ports/Sandbox.ts"

export interface HostRequests {
  /** Asks for one command. */
  readonly askFor: (callId: CallId) => NetworkDoor["ask"]
  /** What the core decided; a request that has gone meanwhile is left alone. */
  readonly settle: (requestIds: ReadonlyArray<string>, refused: string | undefined) => void
  /** How long connections of a command have waited so far: time that does not count against the command. */
  readonly waitedMs: (callId: CallId) => number
}

interface Waiting {
  readonly settle: (refused: string | undefined) => void
}

/** Time in which at least one connection of a command waits. */
interface Clock {
  readonly open: number
  readonly since: number
  readonly totalMs: number
}

const UNUSED: Clock = { open: 0, since: 0, totalMs: 0 }

const GONE = "nobody waits for it any more"

export const makeHostRequests = (offer: (occurrence: Occurrence) => void, now: () => number): HostRequests => {
  const waiting = new Map<string, Waiting>()
  const clocks = new Map<CallId, Clock>()

  const count = (callId: CallId, by: 1 | -1): void => {
    const { open, since, totalMs } = clocks.get(callId) ?? UNUSED
    const at = now()
    clocks.set(callId, {
      open: open + by,
      since: open === 0 ? at : since,
      totalMs: open + by === 0 ? totalMs + at - since : totalMs
    })
  }

  return {
    askFor:
      (callId) =>
      ({ host, port, gone }) =>
        new Promise((resolve) => {
          if (gone.aborted) return resolve(GONE)
          const requestId = crypto.randomUUID()
          const leave = (): void => {
            settle(GONE)
            offer({ _tag: "HostRequestEnded", requestId })
          }
          const settle = (refused: string | undefined): void => {
            waiting.delete(requestId)
            gone.removeEventListener("abort", leave)
            count(callId, -1)
            resolve(refused)
          }
          waiting.set(requestId, { settle })
          gone.addEventListener("abort", leave, { once: true })
          count(callId, 1)
          offer({ _tag: "HostRequested", requestId, callId, host, port })
        }),
    settle: (requestIds, refused) => {
      for (const id of requestIds) waiting.get(id)?.settle(refused)
    },
    waitedMs: (callId) => {
      const { open, since, totalMs } = clocks.get(callId) ?? UNUSED
      return open === 0 ? totalMs : totalMs + now() - since
    }
  }
}
