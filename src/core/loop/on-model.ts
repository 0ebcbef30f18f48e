import { isText, isToolUse, type ContentBlock, type ToolUseBlock } from "../domain/block.ts"
import { addId, hasId } from "../domain/id-set.ts"
import type { AssistantMessage } from "../domain/message.ts"
import { assemble, type Assembly, type CompletedBlock, emptyAssembly, growAssembly } from "../model/stream/assemble.ts"
import type { ModelEvent } from "../model/stream/model-event.ts"
import { admitCall } from "./calls/call-lifecycle.ts"
import { patchConversation, setPhase, setRun, setTurn } from "./machine/patch-state.ts"
import { hitOutputLimit } from "./continue/output-limit.ts"
import type { LoopEvent } from "./machine/event.ts"
import { finishResponse } from "./continue/finish-response.ts"
import { currentModel } from "./turn/send-request.ts"
import { cancelTimer, startTimer } from "./machine/pending.ts"
import type { AgentState, Running, RunningState, StreamingState } from "./machine/state.ts"
import { andThen, freshUuid, isIn, isRunning, publish, type Step, stay, timestamp } from "./machine/transition.ts"

type MessageStart = Extract<ModelEvent, { type: "message_start" }>

/** How long a finished block may wait for the final counts of its response. */
const HOLD_MS = 100

export const holdTimer = (requestId: string): string => `hold-${requestId}`

export const onStreamOpened = (state: RunningState, requestId: string, apiRequestId: string | undefined): Step =>
  isIn(state, "Requesting") && state.run.phase.requestId === requestId
    ? stay(setPhase(state, { _tag: "Streaming", requestId, apiRequestId, assembly: emptyAssembly, held: undefined }))
    : stay(state)

/** A call under an id of its own: a missing or repeated one from the endpoint is replaced. */
const withUniqueId = (state: StreamingState, block: ToolUseBlock): readonly [ToolUseBlock, StreamingState] => {
  const isTaken =
    hasId(state.conversation.history.calls, block.id) || state.run.turn.calls.some((call) => call.id === block.id)
  if (block.id !== "" && !isTaken) return [block, state]
  const [uuid, drawn] = freshUuid(state)
  return [{ ...block, id: `toolu_${uuid.replaceAll("-", "")}` }, drawn]
}

/** A response under an id of its own: one that is empty or that an earlier response had is replaced. */
const withOwnId = (state: RunningState, assembly: Assembly): readonly [Assembly, RunningState] => {
  const { messageId } = assembly
  const { responseIds } = state.conversation
  if (messageId !== "" && !hasId(responseIds, messageId)) {
    return [assembly, patchConversation(state, { responseIds: addId(responseIds, messageId) })]
  }
  const [uuid, drawn] = freshUuid(state)
  return [{ ...assembly, messageId: `msg_${uuid.replaceAll("-", "")}` }, drawn]
}

/** The response begins; a second beginning only brings counts. */
const beginResponse = (state: StreamingState, event: MessageStart): Step => {
  const { phase } = state.run
  const { assembly } = assemble(phase.assembly, event)
  if (phase.assembly.messageId !== "") return stay(setPhase(state, { ...phase, assembly }))
  const [named, known] = withOwnId(state, assembly)
  return stay(setPhase(known, { ...phase, assembly: named }))
}

/** Blocks of one response share an id; when its first event got lost, that of its first block. */
const responseId = ({ run: { turn, phase } }: StreamingState, uuid: string): string =>
  phase.assembly.messageId === "" ? (turn.assistant[0]?.message.id ?? uuid) : phase.assembly.messageId

export const blockMessage = (
  state: StreamingState,
  { uuid, block }: { readonly uuid: string; readonly block: ContentBlock }
): AssistantMessage => {
  const { apiRequestId, assembly } = state.run.phase
  return {
    type: "assistant",
    uuid,
    timestamp: timestamp(state),
    ...(apiRequestId === undefined ? {} : { requestId: apiRequestId }),
    message: {
      id: responseId(state, uuid),
      type: "message",
      role: "assistant",
      model: assembly.model === "" ? currentModel(state) : assembly.model,
      content: [block],
      stop_reason: assembly.stopReason,
      stop_sequence: assembly.stopSequence,
      usage: assembly.usage
    }
  }
}

/** Publishes one finished block as a message of its own; a tool call is admitted right behind it. */
export const publishBlock = (state: StreamingState, uuid: string, completed: CompletedBlock): Step<Running> => {
  const { turn } = state.run
  if (isText(completed.block) && completed.block.text === "") return stay(state)
  const [block, named] = isToolUse(completed.block) ? withUniqueId(state, completed.block) : [completed.block, state]
  const message = blockMessage(named, { uuid, block })
  const collected = setTurn(named, {
    assistant: [...turn.assistant, message],
    lastText: isText(block) ? block.text : turn.lastText
  })
  const published = publish(collected, message)
  return isToolUse(block)
    ? andThen(published, (next) => admitCall(next, { block, message, malformed: completed.malformed }))
    : published
}

/** Lets the held block go with the counts known by now. */
export const releaseHeld = (state: RunningState): Step<Running> => {
  if (!isIn(state, "Streaming") || state.run.phase.held === undefined) return stay<Running>(state)
  const { phase } = state.run
  const { completed, uuid } = state.run.phase.held
  const cut = hitOutputLimit(phase.assembly.stopReason) && completed.malformed !== undefined
  const freed = setPhase(state, { ...phase, held: undefined })
  const cancelled = cancelTimer(freed, holdTimer(phase.requestId))
  return cut ? cancelled : andThen(cancelled, (next) => publishBlock(next, uuid, completed))
}

const hold = (state: StreamingState, next: { assembly: Assembly; completed: CompletedBlock }): Step => {
  const { phase } = state.run
  const [uuid, drawn] = freshUuid(state)
  const { requestId } = phase
  return startTimer(setPhase(drawn, { ...phase, assembly: next.assembly, held: { completed: next.completed, uuid } }), {
    timerId: holdTimer(requestId),
    ms: HOLD_MS,
    then: { _tag: "ReleaseHeldBlock", requestId }
  })
}

const noteFirstToken = (state: StreamingState, event: ModelEvent): StreamingState =>
  event.type === "content_block_delta" && state.run.turn.firstTokenMs === undefined
    ? setTurn(state, { firstTokenMs: Math.max(0, state.now - state.run.turn.startedAt) })
    : state

const releasesHeld = (event: ModelEvent): boolean => event.type !== "ping" && event.type !== "message_delta"

/** By far the most frequent event: a delta that only grows the open block. Undefined when more is to be done. */
export const growOpenBlock = (state: AgentState, event: LoopEvent): AgentState | undefined => {
  if (event._tag !== "ModelSaid" || event.event.type !== "content_block_delta") return undefined
  if (!isRunning(state)) return undefined
  const { phase, turn } = state.run
  if (phase._tag !== "Streaming" || phase.requestId !== event.requestId || phase.held !== undefined) return undefined
  if (turn.firstTokenMs === undefined) return undefined
  const assembly = growAssembly(phase.assembly, event.event)
  if (assembly === phase.assembly) return state
  const { requestId, apiRequestId, held } = phase
  const grown = { _tag: "Streaming", requestId, apiRequestId, assembly, held } as const
  return setRun(state, { _tag: "Running", turn, phase: grown }, event.at)
}

/** One more event of the response. */
export const onModelSaid = (state: RunningState, requestId: string, event: ModelEvent): Step => {
  if (!isIn(state, "Streaming") || state.run.phase.requestId !== requestId) return stay(state)
  const { phase } = state.run
  if (phase.held !== undefined && releasesHeld(event)) {
    return andThen(releaseHeld(state), (next) => onModelSaid(next, requestId, event))
  }
  if (event.type === "message_start") return beginResponse(state, event)
  const { assembly, completed } = assemble(phase.assembly, event)
  const timed = noteFirstToken(state, event)
  if (completed !== undefined) return hold(timed, { assembly, completed })
  const grown = assembly === phase.assembly ? timed : setPhase(timed, { ...phase, assembly })
  if (event.type === "message_delta") return releaseHeld(grown)
  return event.type === "message_stop" ? finishResponse(grown) : stay(grown)
}
