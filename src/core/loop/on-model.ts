import { isText, isToolUse, type ContentBlock, type ToolUseBlock } from "../domain/block.ts"
import { addId, hasId } from "../domain/id-set.ts"
import type { AssistantMessage } from "../domain/message.ts"
import { assemble, type Assembly, type CompletedBlock, emptyAssembly, growAssembly } from "../model/stream/assemble.ts"
import type { ModelEvent } from "../model/stream/model-event.ts"
import { admitCall } from "./calls/call-lifecycle.ts"
import { patchState } from "./machine/patch-state.ts"
import { hitOutputLimit } from "./continue/output-limit.ts"
import type { LoopEvent } from "./machine/event.ts"
import { finishResponse } from "./continue/finish-response.ts"
import { currentModel } from "./turn/send-request.ts"
import type { AgentState, Phase } from "./machine/state.ts"
import { andThen, freshUuid, publish, setPhase, setTurn, type Step, stay, timestamp } from "./machine/transition.ts"

type Streaming = Extract<Phase, { _tag: "Streaming" }>
type MessageStart = Extract<ModelEvent, { type: "message_start" }>

/** How long a finished block may wait for the final counts of its response. */
const HOLD_MS = 100

export const holdTimer = (requestId: string): string => `hold-${requestId}`

export const onStreamOpened = (state: AgentState, requestId: string, apiRequestId: string | undefined): Step =>
  state.phase._tag === "Requesting" && state.phase.requestId === requestId
    ? stay(setPhase(state, { _tag: "Streaming", requestId, apiRequestId, assembly: emptyAssembly, held: undefined }))
    : stay(state)

/** A call under an id of its own: a missing or repeated one from the endpoint is replaced. */
const withUniqueId = (state: AgentState, block: ToolUseBlock): readonly [ToolUseBlock, AgentState] => {
  const taken = hasId(state.history.calls, block.id) || state.turn?.calls.some((call) => call.id === block.id)
  if (block.id !== "" && taken !== true) return [block, state]
  const [uuid, drawn] = freshUuid(state)
  return [{ ...block, id: `toolu_${uuid.replaceAll("-", "")}` }, drawn]
}

/** A response under an id of its own: one that is empty or that an earlier response had is replaced. */
const withOwnId = (state: AgentState, assembly: Assembly): readonly [Assembly, AgentState] => {
  const { messageId } = assembly
  if (messageId !== "" && !hasId(state.responseIds, messageId)) {
    return [assembly, patchState(state, { responseIds: addId(state.responseIds, messageId) })]
  }
  const [uuid, drawn] = freshUuid(state)
  return [{ ...assembly, messageId: `msg_${uuid.replaceAll("-", "")}` }, drawn]
}

/** The response begins; a second beginning only brings counts. */
const beginResponse = (state: AgentState, phase: Streaming, event: MessageStart): Step => {
  const { assembly } = assemble(phase.assembly, event)
  if (phase.assembly.messageId !== "") return stay(setPhase(state, { ...phase, assembly }))
  const [named, known] = withOwnId(state, assembly)
  return stay(setPhase(known, { ...phase, assembly: named }))
}

/** Blocks of one response share an id; when its first event got lost, that of its first block. */
const responseId = (state: AgentState, phase: Streaming, uuid: string): string =>
  phase.assembly.messageId === "" ? (state.turn?.assistant[0]?.message.id ?? uuid) : phase.assembly.messageId

export const blockMessage = (
  state: AgentState,
  phase: Streaming,
  { uuid, block }: { readonly uuid: string; readonly block: ContentBlock }
): AssistantMessage => ({
  type: "assistant",
  uuid,
  timestamp: timestamp(state),
  ...(phase.apiRequestId === undefined ? {} : { requestId: phase.apiRequestId }),
  message: {
    id: responseId(state, phase, uuid),
    type: "message",
    role: "assistant",
    model: phase.assembly.model === "" ? currentModel(state) : phase.assembly.model,
    content: [block],
    stop_reason: phase.assembly.stopReason,
    stop_sequence: phase.assembly.stopSequence,
    usage: phase.assembly.usage
  }
})

/** Publishes one finished block as a message of its own; a tool call is admitted right behind it. */
export const publishBlock = (state: AgentState, phase: Streaming, uuid: string, completed: CompletedBlock): Step => {
  const turn = state.turn
  if (turn === undefined) return stay(state)
  if (isText(completed.block) && completed.block.text === "") return stay(state)
  const [block, named] = isToolUse(completed.block) ? withUniqueId(state, completed.block) : [completed.block, state]
  const message = blockMessage(named, phase, { uuid, block })
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
export const releaseHeld = (state: AgentState): Step => {
  const phase = state.phase
  if (phase._tag !== "Streaming" || phase.held === undefined) return stay(state)
  const { completed, uuid } = phase.held
  const cut = hitOutputLimit(phase.assembly.stopReason) && completed.malformed !== undefined
  const freed = setPhase(state, { ...phase, held: undefined })
  const cancelled: Step = [freed, [{ _tag: "CancelTimer", timerId: holdTimer(phase.requestId) }]]
  return cut ? cancelled : andThen(cancelled, (next) => publishBlock(next, phase, uuid, completed))
}

const hold = (state: AgentState, phase: Streaming, next: { assembly: Assembly; completed: CompletedBlock }): Step => {
  const [uuid, drawn] = freshUuid(state)
  return [
    setPhase(drawn, { ...phase, assembly: next.assembly, held: { completed: next.completed, uuid } }),
    [{ _tag: "StartTimer", timerId: holdTimer(phase.requestId), ms: HOLD_MS }]
  ]
}

const noteFirstToken = (state: AgentState, event: ModelEvent): AgentState =>
  event.type === "content_block_delta" && state.turn !== undefined && state.turn.firstTokenMs === undefined
    ? setTurn(state, { firstTokenMs: Math.max(0, state.now - state.turn.startedAt) })
    : state

const releasesHeld = (event: ModelEvent): boolean => event.type !== "ping" && event.type !== "message_delta"

/** By far the most frequent event: a delta that only grows the open block. Undefined when more is to be done. */
export const growOpenBlock = (state: AgentState, event: LoopEvent): AgentState | undefined => {
  if (event._tag !== "ModelSaid" || event.event.type !== "content_block_delta") return undefined
  const { phase, turn } = state
  if (phase._tag !== "Streaming" || phase.requestId !== event.requestId || phase.held !== undefined) return undefined
  if (turn?.firstTokenMs === undefined) return undefined
  const assembly = growAssembly(phase.assembly, event.event)
  if (assembly === phase.assembly) return state
  const { requestId, apiRequestId, held } = phase
  return patchState(state, { now: event.at, phase: { _tag: "Streaming", requestId, apiRequestId, assembly, held } })
}

/** One more event of the response. */
export const onModelSaid = (state: AgentState, requestId: string, event: ModelEvent): Step => {
  const phase = state.phase
  if (phase._tag !== "Streaming" || phase.requestId !== requestId) return stay(state)
  if (phase.held !== undefined && releasesHeld(event)) {
    return andThen(releaseHeld(state), (next) => onModelSaid(next, requestId, event))
  }
  if (event.type === "message_start") return beginResponse(state, phase, event)
  const { assembly, completed } = assemble(phase.assembly, event)
  const timed = noteFirstToken(state, event)
  if (completed !== undefined) return hold(timed, phase, { assembly, completed })
  const grown = assembly === phase.assembly ? timed : setPhase(timed, { ...phase, assembly })
  if (event.type === "message_delta") return releaseHeld(grown)
  return event.type === "message_stop" ? finishResponse(grown) : stay(grown)
}
