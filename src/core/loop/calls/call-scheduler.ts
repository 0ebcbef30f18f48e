import type { CallId } from "../../domain/id.ts"
import type { CallResult, TrackedCall } from "../machine/state.ts"

/** Scheduling of the calls of one response. Pure: which queued calls may begin now, in arrival order. */

const occupies = (call: TrackedCall): boolean => call.stage !== "queued" && call.stage !== "completed"

/**
 * A call may begin when nothing runs, or when it and everything that runs is safe and there is room. An exclusive call
 * that cannot begin stops the scan, so that nothing overtakes it; a safe one that cannot begin does not.
 */
export const startable = (calls: ReadonlyArray<TrackedCall>, parallelCalls: number): ReadonlyArray<TrackedCall> => {
  const started: Array<TrackedCall> = []
  let running = calls.filter(occupies).length
  let allSafe = calls.every((call) => !occupies(call) || call.safe)
  for (const call of calls) {
    if (call.stage !== "queued") continue
    const free = running === 0 || (call.safe && allSafe && running < parallelCalls)
    if (free) {
      started.push(call)
      running += 1
      allSafe = allSafe && call.safe
    } else if (!call.safe) {
      break
    }
  }
  return started
}

export const findCall = (calls: ReadonlyArray<TrackedCall>, id: CallId): TrackedCall | undefined =>
  calls.find((call) => call.id === id)

export const updateCall = (
  calls: ReadonlyArray<TrackedCall>,
  id: CallId,
  patch: Partial<TrackedCall>
): ReadonlyArray<TrackedCall> => calls.map((call) => (call.id === id ? { ...call, ...patch } : call))

export const complete = (calls: ReadonlyArray<TrackedCall>, id: CallId, result: CallResult): ReadonlyArray<TrackedCall> =>
  updateCall(calls, id, { stage: "completed", result, check: undefined })

export const allCompleted = (calls: ReadonlyArray<TrackedCall>): boolean => calls.every((call) => call.stage === "completed")

/** Finished calls whose results are due: every earlier call has its result out already. */
export const resultsDue = (calls: ReadonlyArray<TrackedCall>): ReadonlyArray<TrackedCall> => {
  const due: Array<TrackedCall> = []
  for (const call of calls) {
    if (call.stage !== "completed") break
    if (!call.yielded) due.push(call)
  }
  return due
}

export const errorResult = (message: string, data: unknown = `Error: ${message}`): CallResult => ({
  content: message,
  isError: true,
  data
})
