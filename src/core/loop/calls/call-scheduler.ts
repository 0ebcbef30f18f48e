import { SHELL_TOOL } from "../../tools/toolbox.ts"
import type { Call, CallAt, CallResult } from "../machine/state.ts"

/** Scheduling of the calls of one response. Pure: which queued calls may begin now, in arrival order. */

type Waiting = CallAt<"queued" | "held">

const waits = (call: Call): call is Waiting => call.stage === "queued" || call.stage === "held"

export const occupies = (call: Call): boolean => !waits(call) && call.stage !== "completed"

export const isSafe = (call: Call): boolean =>
  call.reading?.traits.concurrencySafe === true || ("onlyReads" in call && call.onlyReads)

/** Nobody knows yet what a shell text does; it is looked at beside safe calls, and held if it is not one. */
const isUnproven = ({ stage, tool }: Waiting): boolean => stage === "queued" && tool === SHELL_TOOL

/**
 * A call may begin when nothing runs, or when it and everything that runs is safe and there is room. An exclusive call
 * that cannot begin stops the scan, so that nothing overtakes it; a safe one that cannot begin does not. Of shell texts
 * one is looked at after the other, and nothing begins behind one that is not proven to be safe.
 */
export const startable = (calls: ReadonlyArray<Call>, parallelCalls: number): ReadonlyArray<Waiting> => {
  const started: Array<Waiting> = []
  let running = calls.filter(occupies).length
  let allSafe = calls.every((call) => !occupies(call) || isSafe(call))
  for (const call of calls) {
    if (!waits(call)) continue
    const mayJoin = isSafe(call) || isUnproven(call)
    const free = running === 0 || (mayJoin && allSafe && running < parallelCalls)
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
