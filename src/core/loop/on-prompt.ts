import * as Log from "../domain/append-list.ts"
import type { HookOutcome } from "../hooks/outcome.ts"
import { refusedPromptText, stoppedText } from "../hooks/texts.ts"
import { tellFromHooks } from "./calls/hook-remark.ts"
import { withoutPrompt } from "./take-back.ts"
import { isBoundaryLine } from "../session/transcript/boundary.ts"
import { addId, hasId } from "../domain/id-set.ts"
import type { Uuid } from "../domain/id.ts"
import { openTurn } from "./turn/start-turn.ts"
import { patchConversation, patchState, setPhase, setTurn } from "./machine/patch-state.ts"
import { askHooks } from "./machine/pending.ts"
import { countText } from "../domain/text/count-text.ts"
import { tellAside } from "./context/aside.ts"
import { targetOf } from "./continue/token-target.ts"
import type { LoopEvent } from "./machine/event.ts"
import { finish, takeUp } from "./turn/finish.ts"
import { interruptTurn } from "./interrupt.ts"
import { iterate } from "./continue/iterate.ts"
import { insertPrompt, promptText, queueNote } from "./turn/queue.ts"
import type { AgentState, QueuedPrompt, Running, RunningState } from "./machine/state.ts"
import { andThen, emit, freshName, inTurn, isRunning, notice, type Step, stay } from "./machine/transition.ts"

type PromptSubmitted = Extract<LoopEvent, { _tag: "PromptSubmitted" }>

const enqueue = (state: AgentState, prompt: QueuedPrompt): Step => {
  const queued: Step = [
    patchState(state, { queue: insertPrompt(state.queue, prompt) }),
    [queueNote("enqueue", prompt), emit({ _tag: "PromptQueued", promptUuid: prompt.uuid })]
  ]
  const cutsIn = prompt.priority === "now" && prompt.appendOnly !== true
  return cutsIn ? andThen(queued, (next) => inTurn(next, interruptTurn)) : queued
}

const NOTHING_SAID = "The prompt holds nothing but blanks; nothing was sent to the model."

const saysNothing = ({ appendOnly, content, origin }: PromptSubmitted): boolean =>
  origin === "human" && !appendOnly && typeof content === "string" && content.trim() === ""

/** Blanks are not prompts: they get a word and, on their own, a result, and leave no trace in the conversation. */
const refuseBlank = (state: AgentState, promptUuid: Uuid): Step => {
  const noticed: Step = [state, [notice("warning", NOTHING_SAID)]]
  if (isRunning(state)) return noticed
  return andThen(noticed, (next) => {
    const opened = setTurn(openTurn(next, promptUuid), { stopText: NOTHING_SAID })
    return andThen([opened, [emit({ _tag: "TurnStarted", promptUuid })]], (begun) => finish(begun, "completed"))
  })
}

/** A prompt arrived: it starts a turn, or waits its place while one runs. A repeated uuid is the same prompt. */
export const onPromptSubmitted = (state: AgentState, event: PromptSubmitted): Step => {
  const { promptIds } = state.conversation
  if (hasId(promptIds, event.uuid)) return stay(state)
  if (saysNothing(event)) return refuseBlank(state, event.uuid)
  const known = patchConversation(state, { promptIds: addId(promptIds, event.uuid) })
  const prompt: QueuedPrompt = {
    uuid: event.uuid,
    content: event.content,
    origin: event.origin,
    ...(event.answer === undefined
      ? { priority: event.priority, ...(event.appendOnly ? { appendOnly: true } : {}) }
      : // It may not join a turn that runs: it is for nobody but the program.
        { priority: "later", answer: event.answer })
  }
  return isRunning(known) ? enqueue(known, prompt) : takeUp(known, prompt)
}

const awaits = ({ run: { phase } }: RunningState, ack: string): boolean => phase._tag === "Preparing" && phase.ack === ack

const THINK_HARD =
  "The user asks for your deepest thinking about this. Take the time to look at the problem from several sides, " +
  "and check your conclusion, before you act or answer."

const spendText = (tokens: number): string =>
  `The user wants about ${countText(tokens)} tokens of work spent on this. Go as deep as that allows; you are asked to go on until then.`

/** What the prompt wishes besides its task is told beside it, and the first request follows. */
const beginIterating = (state: RunningState): Step => {
  const { thinksHard, targetTokens } = state.run.turn.wishes
  const aimed = targetTokens === undefined ? state : setTurn(state, { target: targetOf(targetTokens) })
  const deep = thinksHard ? tellAside(aimed, "ultrathink_effort", THINK_HARD) : stay<Running>(aimed)
  const wished =
    targetTokens === undefined ? deep : andThen(deep, (next) => tellAside(next, "token_budget", spendText(targetTokens)))
  return andThen(wished, (next) => iterate(next, undefined))
}

/** The prompt is on disk: now, and not before, the rest of the turn may begin. */
export const onPersisted = (state: RunningState, ack: string): Step => {
  if (!awaits(state, ack)) return stay(state)
  const { promptUuid } = state.run.turn
  return andThen([state, [emit({ _tag: "TurnStarted", promptUuid })]], (next) => {
    const isBeginning = !next.conversation.context.isWindowSeen && next.config.prompt.sources.length > 0
    if (!isBeginning || !next.config.hookEvents.includes("SessionStart")) return hearPrompt(next)
    const [hookId, named] = freshName(next, "session-hooks")
    return askHooks(setPhase(named, { _tag: "Hooks", hookId }), {
      hookId,
      event: "SessionStart",
      input: { source: beginningOf(next) },
      then: { _tag: "BeginSession" }
    })
  })
}

/** What the window begins with. */
const beginningOf = (state: RunningState): "startup" | "resume" | "compact" => {
  const { messages } = state.conversation
  if (Log.findLastIndex(messages, isBoundaryLine) >= 0) return "compact"
  return (state.run.turn.before?.messages.length ?? 0) === 0 ? "startup" : "resume"
}

const hearPrompt = (state: RunningState): Step => {
  if (!state.config.hookEvents.includes("UserPromptSubmit")) return beginIterating(state)
  const [hookId, named] = freshName(state, "prompt-hooks")
  return askHooks(setPhase(named, { _tag: "Hooks", hookId }), {
    hookId,
    event: "UserPromptSubmit",
    input: { prompt: promptOf(state) },
    then: { _tag: "BeginTurn" }
  })
}

/** Hooks of the beginning only tell something. */
export const onSessionHooks = (state: RunningState, outcome: HookOutcome): Step =>
  andThen(tellFromHooks(state, outcome.context), hearPrompt)

/** A prompt that could not be written is still answered; the warning stays until writing works again. */
export const onPersistFailed = (state: RunningState, ack: string, cause: string): Step =>
  awaits(state, ack)
    ? andThen([state, [notice("warning", `The prompt could not be saved: ${cause}`)]], (next) => onPersisted(next, ack))
    : stay(state)

/** The words of the prompt that opened the turn. */
const promptOf = (state: RunningState): string => {
  const { promptUuid } = state.run.turn
  const { messages } = state.conversation
  const prompt = Log.get(
    messages,
    Log.findLastIndex(messages, ({ uuid }) => uuid === promptUuid)
  )
  return prompt?.type === "user" ? promptText(prompt.message.content) : ""
}

/** A refused prompt is answered with the reason alone, and the conversation goes on as if it had not been typed. */
const refusePrompt = (state: RunningState, text: string): Step => {
  const stopped = setTurn(state, { stopText: text })
  return andThen(andThen([stopped, [notice("warning", text)]], withoutPrompt), (next) => finish(next, "hook_stopped"))
}

export const onPromptHooks = (state: RunningState, outcome: HookOutcome): Step => {
  if (outcome.stop !== undefined) return refusePrompt(state, stoppedText(outcome.stop))
  if (outcome.block !== undefined) {
    return refusePrompt(state, refusedPromptText(outcome.block, outcome.hidesPrompt === true ? undefined : promptOf(state)))
  }
  return andThen(tellFromHooks(state, outcome.context), beginIterating)
}
