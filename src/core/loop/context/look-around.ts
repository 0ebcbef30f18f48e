import { isToolResult, isText } from "../../domain/block.ts"
import * as Log from "../../domain/append-list.ts"
import { type AttachmentMessage, blocksOf } from "../../domain/message.ts"
import { reconcile, standingIn, type Statement, wantsAt, withDerived } from "../../context/sources/reconcile.ts"
import type { Moment, Want } from "../../context/sources/source.ts"
import { LIMITS } from "../../domain/limits.ts"
import { patchConversation, setPhase } from "../machine/patch-state.ts"
import { startTimer } from "../machine/pending.ts"
import type { AfterLook, Conversation, Running, RunningState } from "../machine/state.ts"
import { andThen, commit, emit, freshName, freshUuid, type Step, stay, timestamp } from "../machine/transition.ts"
import { currentModel } from "../turn/send-request.ts"

/** Before a request somebody looks at what the model should know, and the model hears what it did not hear yet. */

const patchContext = (state: RunningState, patch: Partial<Conversation["context"]>): RunningState =>
  patchConversation(state, { context: { ...state.conversation.context, ...patch } })

/** The prompt of this turn, until somebody has looked since. */
const newPrompt = ({ conversation, run: { turn } }: RunningState): Moment["prompt"] => {
  const { messages, context } = conversation
  if (turn.isCommand || context.promptSeen === turn.promptUuid) return undefined
  const at = Log.findLastIndex(messages, ({ uuid }) => uuid === turn.promptUuid)
  const prompt = Log.get(messages, at)
  if (prompt?.type !== "user") return undefined
  const words = blocksOf(prompt.message.content).filter((block) => isText(block) && !isToolResult(block))
  return { uuid: prompt.uuid, text: words.map((block) => (isText(block) ? block.text : "")).join("\n") }
}

export const wantsOf = (state: RunningState): ReadonlyArray<Want> => {
  const { looked, isWindowSeen, touched } = state.conversation.context
  const { sources } = state.config.prompt
  if (sources.length === 0) return []
  return wantsAt(sources, looked, { isNewWindow: !isWindowSeen, prompt: newPrompt(state), touched })
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

/** Tells the model what it does not know yet: attachments of the conversation, written down in one go. */
export const tellNews = (state: RunningState): Step<Running> => {
  const { sources } = state.config.prompt
  if (sources.length === 0) return stay(state)
  const { readings, sent } = state.conversation.context
  const known = withDerived(readings, sources, { model: currentModel(state), system: state.config.prompt.system })
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

const ask = (state: RunningState, wants: ReadonlyArray<Want>, then: AfterLook): Step => {
  const [collectId, named] = freshName(state, "context")
  const { looked } = state.conversation.context
  const asked = patchContext(named, {
    looked: [...new Set([...looked, ...wants.map(({ kind }) => kind)])],
    isWindowSeen: true,
    promptSeen: state.run.turn.promptUuid,
    touched: [],
    awaited: collectId
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
