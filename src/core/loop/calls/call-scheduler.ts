import type { Call, CallAt, CallResult } from "../machine/state.ts"

/** Scheduling of the calls of one response. Pure: which queued calls may begin now, in arrival order. */

const occupies = (call: Call): boolean => call.stage !== "queued" && call.stage !== "completed"

const isSafe = ({ reading }: Call): boolean => reading?.traits.concurrencySafe === true

/**
 * A call may begin when nothing runs, or when it and everything that runs is safe and there is room. An exclusive call
 * that cannot begin stops the scan, so that nothing overtakes it; a safe one that cannot begin does not.
 */
export const startable = (calls: ReadonlyArray<Call>, parallelCalls: number): ReadonlyArray<CallAt<"queued">> => {
  const started: Array<CallAt<"queued">> = []
  let running = calls.filter(occupies).length
  let allSafe = calls.every((call) => !occupies(call) || isSafe(call))
  for (const call of calls) {
    if (call.stage !== "queued") continue
    const free = running === 0 || (isSafe(call) && allSafe && running < parallelCalls)
    if (free) {
      started.push(call)
      running += 1
      allSafe = allSafe && isSafe(call)
    } else if (!isSafe(call)) {
      break
    }
  }
  return started
}

export const allCompleted = (calls: ReadonlyArray<Call>): boolean => calls.every((call) => call.stage === "completed")

/** Finished calls whose results are due: every earlier call has its result out already. */
export const resultsDue = (calls: ReadonlyArray<Call>): ReadonlyArray<CallAt<"completed">> => {
  const due: Array<CallAt<"completed">> = []
  for (const call of calls) {
    if (call.stage !== "completed") break
    if (!call.isYielded) due.push(call)
  }
  return due
}

export const errorResult = (message: string, data: unknown = `Error: ${message}`): CallResult => ({
  content: message,
  isError: true,
  data
})
