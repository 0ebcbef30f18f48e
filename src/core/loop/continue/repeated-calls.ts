import type { CallAt, RepeatedCall } from "../machine/state.ts"

/** Calls that come back the same again and again. */

/** Asking again is what it is for: somebody else's work goes on meanwhile. */
const POLLS: ReadonlySet<string> = new Set(["TaskOutput"])

const FAILED = "failed"

/** Whatever an error says, the call did not do what was asked. */
const outcomeOf = ({ result }: CallAt<"completed">): string =>
  result.isError ? FAILED : `ok:${JSON.stringify(result.content)}`

const next = (known: RepeatedCall | undefined, call: CallAt<"completed">): RepeatedCall => {
  const tool = call.tool ?? call.name
  const input = JSON.stringify(call.reading?.input.value ?? null)
  const outcome = outcomeOf(call)
  const isSame = known?.tool === tool && known.input === input && known.outcome === outcome
  return { tool, input, outcome, count: isSame ? known.count + 1 : 1 }
}

/** After the calls of one more response, in their order. */
export const countRepeats = (
  known: RepeatedCall | undefined,
  calls: ReadonlyArray<CallAt<"completed">>
): RepeatedCall | undefined => calls.filter(({ tool }) => !POLLS.has(tool ?? "")).reduce(next, known)

/** How long before the end the model is told. */
const WARNS_BEFORE = 2

/** What to do about it; `most` ends the turn, 0 never. Told once, when the number is reached. */
export const judgeRepeats = (
  before: RepeatedCall | undefined,
  now: RepeatedCall | undefined,
  most: number
): "goOn" | "tell" | "stop" => {
  if (now === undefined || most === 0) return "goOn"
  if (now.count >= most) return "stop"
  const warnAt = Math.max(2, most - WARNS_BEFORE)
  const counted = before !== undefined && isSameSeries(before, now) ? before.count : 0
  return now.count >= warnAt && counted < warnAt ? "tell" : "goOn"
}

const isSameSeries = (before: RepeatedCall, now: RepeatedCall): boolean =>
  before.tool === now.tool && before.input === now.input && before.outcome === now.outcome && before.count <= now.count

const came = ({ outcome }: RepeatedCall): string => (outcome === FAILED ? "failed" : "gave the same result")

export const repeatAdvice = (repeat: RepeatedCall): string =>
  `The same ${repeat.tool} call ${came(repeat)} ${repeat.count} times in a row. Another try will do the same: ` +
  "find out why, take another way, or say what stands in the way."

export const repeatEnd = (repeat: RepeatedCall): string =>
  `The turn ended because the same ${repeat.tool} call ${came(repeat)} ${repeat.count} times in a row. ` +
  "Say how to go on, or set nacre.doomLoop to false to let such calls go on."
