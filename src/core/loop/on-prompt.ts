import { addId, hasId } from "../domain/id-set.ts"
import type { Uuid } from "../domain/id.ts"
import { newTurn, takePrompt } from "./turn/start-turn.ts"
import { patchState } from "./machine/patch-state.ts"
import type { HookOutcome, LoopEvent } from "./machine/event.ts"
import { finish } from "./turn/finish.ts"
import { interruptTurn } from "./interrupt.ts"
import { iterate } from "./continue/iterate.ts"
import { insertPrompt, queueNote } from "./turn/queue.ts"
import type { AgentState, QueuedPrompt } from "./machine/state.ts"
import {
  andThen,
  commitAndPublish,
  emit,
  freshName,
  metaUser,
  notice,
  setPhase,
  setTurn,
  type Step,
  stay
} from "./machine/transition.ts"

type PromptSubmitted = Extract<LoopEvent, { _tag: "PromptSubmitted" }>

const isBusy = (state: AgentState): boolean => state.phase._tag !== "Idle" && state.phase._tag !== "Done"

const enqueue = (state: AgentState, prompt: QueuedPrompt): Step => {
  const queued: Step = [
    { ...state, queue: insertPrompt(state.queue, prompt) },
    [queueNote("enqueue", prompt), emit({ _tag: "PromptQueued", promptUuid: prompt.uuid })]
  ]
  const cutsIn = prompt.priority === "now" && prompt.appendOnly !== true
  return cutsIn ? andThen(queued, interruptTurn) : queued
}

const NOTHING_SAID = "The prompt holds nothing but blanks; nothing was sent to the model."

const saysNothing = ({ appendOnly, content, origin }: PromptSubmitted): boolean =>
  origin === "human" && !appendOnly && typeof content === "string" && content.trim() === ""

/** Blanks are no prompt: they get a word and, on their own, a result, and leave no trace in the conversation. */
const refuseBlank = (state: AgentState, promptUuid: Uuid): Step => {
  const told: Step = [state, [notice("warning", NOTHING_SAID)]]
  if (isBusy(state)) return told
  const turn = { ...newTurn(state, promptUuid), stopText: NOTHING_SAID }
  const started: Step = [patchState(state, { turn }), [emit({ _tag: "TurnStarted", promptUuid })]]
  return andThen(
    andThen(told, () => started),
    (next) => finish(next, "completed")
  )
}

/** A prompt arrived: it starts a turn, or waits its place while one runs. A repeated uuid is the same prompt. */
export const onPromptSubmitted = (state: AgentState, event: PromptSubmitted): Step => {
  if (hasId(state.promptIds, event.uuid)) return stay(state)
  if (saysNothing(event)) return refuseBlank(state, event.uuid)
  const known = patchState(state, { promptIds: addId(state.promptIds, event.uuid) })
  const prompt: QueuedPrompt = {
    uuid: event.uuid,
    content: event.content,
    priority: event.priority,
    origin: event.origin,
    ...(event.appendOnly ? { appendOnly: true } : {})
  }
  return isBusy(known) ? enqueue(known, prompt) : takePrompt(known, prompt)
}

const awaits = (state: AgentState, ack: string): boolean => state.phase._tag === "Preparing" && state.phase.ack === ack

/** The prompt is on disk: now, and not before, the rest of the turn may begin. */
export const onPersisted = (state: AgentState, ack: string): Step => {
  const turn = state.turn
  if (!awaits(state, ack) || turn === undefined) return stay(state)
  const started: Step = [state, [emit({ _tag: "TurnStarted", promptUuid: turn.promptUuid })]]
  return andThen(started, (next) => {
    if (!next.config.hookEvents.includes("UserPromptSubmit")) return iterate(next, undefined)
    const [hookId, named] = freshName(next, "prompt-hooks")
    return [
      setPhase(named, { _tag: "PromptHooks", hookId }),
      [{ _tag: "RunHooks", hookId, event: "UserPromptSubmit", input: { prompt_uuid: turn.promptUuid } }]
    ]
  })
}

/** A prompt that could not be written is still answered; the warning stays until writing works again. */
export const onPersistFailed = (state: AgentState, ack: string, cause: string): Step =>
  awaits(state, ack)
    ? andThen([state, [notice("warning", `The prompt could not be saved: ${cause}`)]], (next) => onPersisted(next, ack))
    : stay(state)

export const onPromptHooks = (state: AgentState, hookId: string, outcome: HookOutcome): Step => {
  if (state.phase._tag !== "PromptHooks" || state.phase.hookId !== hookId) return stay(state)
  const refusal = outcome.block ?? outcome.stop
  if (refusal !== undefined) return finish(setTurn(state, { stopText: refusal }), "hook_stopped")
  if (outcome.context === undefined) return iterate(state, undefined)
  const [message, drawn] = metaUser(state, `<user-prompt-submit-hook>\n${outcome.context}\n</user-prompt-submit-hook>`)
  return andThen(commitAndPublish(drawn, message), (next) => iterate(next, undefined))
}
