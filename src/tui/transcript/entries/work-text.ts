/** What a running turn is doing, in the words of the row above the prompt. */
import type { AgentState, Call } from "../../../core/loop/machine/state.ts"
import { secondsText } from "../number-format.ts"
import type { Transcript } from "../state.ts"
import { phaseOf, turnOf } from "../../../core/loop/machine/transition.ts"

const STALLED_AFTER_MS = 20_000

export interface Listening {
  readonly now: number
  /** When the last byte of the response came, or the request was sent. */
  readonly heardAt: number
}

const runningText = (calls: ReadonlyArray<Call>): string | undefined => {
  const running = calls.find((call) => call.stage === "executing")
  return running === undefined ? undefined : `running ${running.tool ?? running.name}`
}

const checkingText = (calls: ReadonlyArray<Call>): string | undefined => {
  const checked = calls.find((call) => call.stage === "checking")
  return checked === undefined ? undefined : `checking ${checked.tool ?? checked.name}`
}

const WAITING = "waiting for the model"

const listeningText = (words: string, { now, heardAt }: Listening): string =>
  now - heardAt >= STALLED_AFTER_MS ? `stalled ${secondsText(now - heardAt)}` : words

const streamText = (state: AgentState, listening: Listening): string => {
  const phase = phaseOf(state)
  if (phase._tag !== "Streaming") return listeningText(WAITING, listening)
  const kind = phase.assembly.open?.kind
  const calls = turnOf(state)?.calls ?? []
  const running = checkingText(calls) ?? runningText(calls)
  if (kind === undefined) return running ?? listeningText(WAITING, listening)
  return listeningText(kind === "thinking" ? "thinking" : "writing", listening)
}

export const retryText = ({ retry }: Transcript, now: number): string =>
  retry === undefined
    ? WAITING
    : `retrying in ${secondsText(Math.max(0, retry.until - now))} (attempt ${retry.attempt}/${retry.maxRetries})`

/** Undefined when no turn runs. */
export const workText = (state: AgentState, transcript: Transcript, listening: Listening): string | undefined => {
  const calls = turnOf(state)?.calls ?? []
  if (calls.some((call) => call.stage === "asking")) return "waiting for you"
  switch (phaseOf(state)._tag) {
    case "Idle":
    case "Done":
      return undefined
    case "Compacting":
      return "compacting"
    case "Rereading":
      return "reading the earlier conversation"
    case "Waiting":
      return retryText(transcript, listening.now)
    case "Tools":
      return checkingText(calls) ?? runningText(calls) ?? WAITING
    case "Settling":
      return "stopping"
    case "Requesting":
    case "Streaming":
      return streamText(state, listening)
    case "Preparing":
    case "Collecting":
    case "Hooks":
      return WAITING
  }
}
