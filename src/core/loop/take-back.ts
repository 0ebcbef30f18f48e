import { get, toArray } from "../domain/append-list.ts"
import { finish } from "./turn/finish.ts"
import { interruptTurn, stopWork } from "./interrupt.ts"
import { patchState } from "./machine/patch-state.ts"
import { recordStreamed } from "./turn/commit-response.ts"
import { recordApiTime } from "./turn/accounting.ts"
import { promptText } from "./turn/queue.ts"
import type { Command } from "./machine/command.ts"
import type { Conversation, Running, RunningState } from "./machine/state.ts"
import { andThen, emit, isIn, type Step, stay } from "./machine/transition.ts"

/** An interrupt before the model has said anything: the prompt goes back to whoever typed it, as if never sent. */

const hasBegunToAnswer = (state: RunningState): boolean => {
  const { turn } = state.run
  if (turn.responses > 0 || turn.assistant.length > 0) return true
  if (!isIn(state, "Streaming")) return false
  const { assembly, held } = state.run.phase
  return assembly.open !== undefined || held !== undefined
}

/** Nothing of the conversation was left out since; what was cannot be brought back this way. */
const isLongerThan = (now: Conversation, before: Conversation, promptUuid: string): boolean => {
  const first = get(now.messages, 0)
  return before.messages.length === 0 ? first?.uuid === promptUuid : first === get(before.messages, 0)
}

const WAITS_FOR_MODEL: ReadonlySet<string> = new Set([
  "Preparing",
  "Hooks",
  "Collecting",
  "Requesting",
  "Streaming",
  "Waiting"
])

/** The conversation to go back to; undefined when the turn stays as it is. */
const takenBackTo = (state: RunningState): Conversation | undefined => {
  const { turn, phase } = state.run
  const { before } = turn
  if (before === undefined || state.queue.length > 0 || !WAITS_FOR_MODEL.has(phase._tag)) return undefined
  if (hasBegunToAnswer(state) || !isLongerThan(state.conversation, before, turn.promptUuid)) return undefined
  return before
}

/** Readers of the file go on from here, not from the prompt; before the first prompt there is nothing to name. */
const pointBack = (tip: string | null): ReadonlyArray<Command> =>
  tip === null ? [] : [{ _tag: "Note", record: { type: "last-prompt", leafUuid: tip } }]

/** The conversation as it was before, which is also where readers of the file go on. */
const goBack = (state: RunningState, before: Conversation): Step<Running> => {
  const { promptIds, responseIds } = state.conversation
  return [patchState(state, { conversation: { ...before, promptIds, responseIds } }), pointBack(before.tip)]
}

/** The conversation without the prompt of this turn, which is not to be answered. */
export const withoutPrompt = (state: RunningState): Step<Running> => {
  const { before, promptUuid } = state.run.turn
  if (before === undefined || !isLongerThan(state.conversation, before, promptUuid)) return stay(state)
  return goBack(state, before)
}

const takeBack = (state: RunningState, before: Conversation): Step => {
  const { phase, turn } = state.run
  const added = toArray(state.conversation.messages, before.messages.length)
  const prompt = added.find(({ uuid }) => uuid === turn.promptUuid)
  const content = prompt?.type === "user" ? prompt.message.content : ""
  const asked = phase._tag === "Requesting" || phase._tag === "Streaming"
  const spent = asked ? recordStreamed(recordApiTime(state)) : state
  return andThen(stopWork(spent, phase), (stopped) => {
    const uuids = added.map(({ uuid }) => uuid)
    const notice = emit({ _tag: "PromptTakenBack", promptUuid: turn.promptUuid, text: promptText(content), uuids })
    const given = andThen(goBack(stopped, before), (restored): Step<Running> => [restored, [notice]])
    return andThen(given, (next) => finish(next, "aborted_streaming"))
  })
}

/** The turn ends now. Where its prompt can be typed again it is given back, as long as nothing was answered. */
export const onInterrupted = (state: RunningState, mayTakeBack: boolean): Step => {
  const before = mayTakeBack ? takenBackTo(state) : undefined
  return before === undefined ? interruptTurn(state) : takeBack(state, before)
}
