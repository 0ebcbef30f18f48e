import type { AttachmentMessage } from "../../domain/message.ts"
import { reconcile, standingIn, type Statement, wantsAt, withDerived } from "../../context/sources/reconcile.ts"
import { joined } from "../../context/sources/new-prompts.ts"
import type { CoreFacts, Want } from "../../context/sources/source.ts"
import { LIMITS } from "../../domain/limits.ts"
import { patchConversation, setPhase } from "../machine/patch-state.ts"
import { startTimer } from "../machine/pending.ts"
import type { AfterLook, Conversation, Running, RunningState } from "../machine/state.ts"
import { andThen, commit, emit, freshName, freshUuid, type Step, stay, timestamp } from "../machine/transition.ts"
import { currentModel } from "../turn/send-request.ts"

/** Before a request somebody looks at what the model should know, and the model hears what it did not hear yet. */

const patchContext = (state: RunningState, patch: Partial<Conversation["context"]>): RunningState =>
  patchConversation(state, { context: { ...state.conversation.context, ...patch } })

export const wantsOf = (state: RunningState): ReadonlyArray<Want> => {
  const { looked, isWindowSeen, prompts, touched, lost } = state.conversation.context
  const { sources } = state.config.prompt
  if (sources.length === 0) return []
  return wantsAt(sources, looked, { isNewWindow: !isWindowSeen, prompt: joined(prompts), touched, lost })
}

const attachmentsOf = (
  state: RunningState,
  statements: ReadonlyArray<Statement>
): readonly [ReadonlyArray<AttachmentMessage>, RunningState] => {
  let drawn = state
  const messages = statements.map((statement): AttachmentMessage => {
    const [uuid, next] = freshUuid(drawn)
    drawn = next
    return { type: "attachment", uuid, timestamp: timestamp(state), ...statement }
  })
  return [messages, drawn]
}

const factsOf = ({ conversation, permission, toolbox, config }: RunningState, model: string): CoreFacts => ({
  model,
  system: config.prompt.system,
  mode: permission.mode,
  toolNames: toolbox.definitions.map(({ name }) => name),
  maxBudgetUsd: config.limits.maxBudgetUsd,
  pace: conversation.context.pace
})

/** Tells the model what it does not know yet: attachments of the conversation, written down in one go. */
export const tellNews = (state: RunningState): Step<Running> => {
  const { sources } = state.config.prompt
  if (sources.length === 0) return stay(state)
  const { readings, sent } = state.conversation.context
  const known = withDerived(readings, sources, factsOf(state, currentModel(state)))
  const statements = reconcile(known, sent)
  if (statements.length === 0) return stay(state)
  const [messages, drawn] = attachmentsOf(state, statements)
  const committed = messages.reduce<RunningState>((next, message) => commit(next, message), drawn)
  const quiet = patchContext(committed, { readings: standingIn(readings) })
  return [
    patchConversation(quiet, { tip: messages.at(-1)?.uuid ?? state.conversation.tip }),
    [
      { _tag: "Persist", messages, parentUuid: state.conversation.tip },
      ...messages.map((message) => emit({ _tag: "MessageAdded", message }))
    ]
  ]
}

/** Of looks that never come back the oldest are given up. */
const MOST_AWAITED = 4

const ask = (state: RunningState, wants: ReadonlyArray<Want>, then: AfterLook): Step => {
  const [collectId, named] = freshName(state, "context")
  const { looked, awaited } = state.conversation.context
  const asked = patchContext(named, {
    looked: [...new Set([...looked, ...wants.map(({ kind }) => kind)])],
    isWindowSeen: true,
    prompts: [],
    touched: [],
    lost: [],
    awaited: [...awaited, collectId].slice(-MOST_AWAITED)
  })
  const collecting = setPhase(asked, { _tag: "Collecting", collectId, then })
  return andThen([collecting, [{ _tag: "CollectContext", collectId, wants, cwd: state.cwd }]], (next) =>
    startTimer(next, { timerId: collectId, ms: LIMITS.contextMs, then: { _tag: "GoOnWithoutContext", collectId } })
  )
}

/** Has looked at what should be known now, tells it, and goes on. Where nothing has to be looked at nothing waits. */
export const lookAround = (state: RunningState, then: AfterLook, goOn: (next: RunningState) => Step): Step => {
  const wants = wantsOf(state)
  return wants.length === 0 ? andThen(tellNews(state), goOn) : ask(state, wants, then)
}
