/** The projection of a session for the screen: emissions while it runs, records when it is opened again. */
import { isText, isToolResult } from "../../../core/domain/block.ts"
import { blocksOf, type Message, type UserMessage } from "../../../core/domain/message.ts"
import type { Emission, TurnResult } from "../../../core/loop/machine/emission.ts"
import { addAnswer } from "./answer-entries.ts"
import type { Block, Entry, ToolBlock, TurnFacts } from "../block.ts"
import { changedPath } from "../changes.ts"
import { discardArriving } from "./arriving.ts"
import { attachmentEntry, noticeBlock, outcomeOf, systemEntry, turnBlock, userEntry } from "./message-entries.ts"
import { append, emptyTranscript, placeOfCall, remove, replace, type Transcript } from "../state.ts"
import { changeCall, joinCalls, newCall, settledState } from "../blocks/tool-block.ts"
import { mcpName } from "../tools/mcp.ts"
import * as Vector from "../vector.ts"

const onCall = (transcript: Transcript, callId: string, change: (block: ToolBlock) => ToolBlock): Transcript => {
  const place = placeOfCall(transcript, callId)
  const entry = Vector.get(transcript.entries, place)
  const block = entry?.blocks[0]
  if (entry === undefined || block?.kind !== "tool" || block.members !== undefined) return transcript
  return replace(transcript, place, { ...entry, blocks: [change(block)] })
}

const closeCall = (transcript: Transcript, callId: string): Transcript => {
  if (!transcript.openCalls.has(callId)) return transcript
  const openCalls = new Map(transcript.openCalls)
  openCalls.delete(callId)
  return { ...transcript, openCalls }
}

/** Calls that nobody will answer any more. */
const abandonCalls = (transcript: Transcript): Transcript => {
  if (transcript.openCalls.size === 0) return transcript
  const ids = [...transcript.openCalls.keys()]
  const cancelled = ids.reduce(
    (next, id) =>
      onCall(next, id, (block) =>
        block.state === "denied" ? block : changeCall(block, { state: "cancelled", partial: false })
      ),
    transcript
  )
  return { ...cancelled, openCalls: new Map() }
}

const settledServer = (entry: Entry | undefined): string | undefined => {
  const block = entry?.blocks[0]
  return block?.kind === "tool" && block.state === "ok" ? mcpName(block.tool)?.server : undefined
}

/** The entry at a place and the one behind it as one, if both are settled calls of the same server. */
const joinAt = (transcript: Transcript, place: number): Transcript => {
  const first = Vector.get(transcript.entries, place)
  const second = Vector.get(transcript.entries, place + 1)
  const [block, other] = [first?.blocks[0], second?.blocks[0]]
  const server = settledServer(first)
  if (server === undefined || server !== settledServer(second)) return transcript
  if (first === undefined || block?.kind !== "tool" || other?.kind !== "tool") return transcript
  return replace(remove(transcript, new Set([place + 1])), place, { ...first, blocks: [joinCalls(block, other)] })
}

/** Several calls of one server in a row become one block, in whatever order they settle. */
const joinRun = (transcript: Transcript, place: number): Transcript =>
  settledServer(Vector.get(transcript.entries, place)) === undefined
    ? transcript
    : joinAt(joinAt(transcript, place), place - 1)

/** How long a call ran is only known of those that ran before our eyes: records also count how long it waited. */
const addResults = (transcript: Transcript, message: UserMessage, now: number | undefined): Transcript =>
  blocksOf(message.message.content)
    .filter(isToolResult)
    .reduce((next, result) => {
      const outcome = outcomeOf(result, message.toolUseResult)
      const state = settledState(outcome, message.toolDenialKind)
      const settled = onCall(next, result.tool_use_id, (block) =>
        changeCall(block, { outcome, partial: false, state, ...(now === undefined ? {} : { endedAt: now }) })
      )
      return joinRun(closeCall(settled, result.tool_use_id), placeOfCall(next, result.tool_use_id))
    }, transcript)

/** The summary belongs to the boundary before it: it is what the boundary shows when it is opened. */
const addSummary = (transcript: Transcript, message: UserMessage): Transcript | undefined => {
  const place = transcript.entries.length - 1
  const entry = Vector.last(transcript.entries)
  const boundary = entry?.blocks[0]
  const summary = blocksOf(message.message.content).find(isText)
  if (entry === undefined || boundary?.kind !== "boundary" || summary === undefined) return undefined
  const block: Block = { ...boundary, source: summary.text, hasSummary: true, revision: boundary.revision + 1 }
  return replace(transcript, place, { ...entry, blocks: [block] })
}

const addUser = (transcript: Transcript, message: UserMessage, now: number | undefined): Transcript => {
  if (message.isCompactSummary === true) {
    const summarised = addSummary(transcript, message)
    if (summarised !== undefined) return summarised
  }
  const answered = addResults(transcript, message, now)
  const entry = userEntry(message)
  if (entry === undefined) return answered
  if (entry.kind !== "user") return append(answered, entry)
  const settled = abandonCalls(answered)
  return append({ ...settled, turnStart: settled.entries.length }, entry)
}

const addMessage = (transcript: Transcript, message: Message, now: number | undefined): Transcript => {
  switch (message.type) {
    case "user":
      return addUser(transcript, message, now)
    case "assistant": {
      const next = addAnswer(transcript, message, now)
      return next.retry === undefined ? next : { ...next, retry: undefined }
    }
    case "system": {
      const entry = systemEntry(message)
      return entry === undefined ? transcript : append(transcript, entry)
    }
    case "attachment":
      return append(transcript, attachmentEntry(message))
  }
}

export interface Stored {
  readonly costUsd?: number
  /** What was read of the session before: a long one is taken in slices. */
  readonly onto?: Transcript
}

/** A stored session. Calls without a result count as given up, until a later slice or turn brings it. */
export const fromMessages = (messages: Iterable<Message>, known: Stored = {}): Transcript => {
  const { costUsd, onto = emptyTranscript } = known
  let transcript: Transcript = costUsd === undefined ? onto : { ...onto, costUsd }
  for (const message of messages) transcript = addMessage(transcript, message, undefined)
  return abandonCalls(transcript)
}

const addNotice = (transcript: Transcript, level: "info" | "warning" | "error", text: string): Transcript => {
  const id = `notice:${transcript.serial}`
  const error: Block = { id, kind: "error", revision: 1, source: text }
  const block = level === "error" ? error : noticeBlock(id, level, text)
  return append({ ...transcript, serial: transcript.serial + 1 }, { id, kind: "system", blocks: [block] })
}

const SECOND_MS = 1_000

type Retry = Extract<Emission, { _tag: "RetryScheduled" }>

const retryText = ({ text, delayMs, attempt, maxRetries }: Retry): string =>
  `${text}; retrying in ${Math.ceil(delayMs / SECOND_MS)}s (attempt ${attempt}/${maxRetries})`

/** One notice for a series of retries: it counts, it does not pile up. */
const addRetry = (transcript: Transcript, emission: Retry, now: number): Transcript => {
  const { attempt, maxRetries, delayMs } = emission
  const text = retryText(emission)
  const place = transcript.retry?.place ?? transcript.entries.length
  const retry = { place, until: now + delayMs, attempt, maxRetries }
  const entry = transcript.retry === undefined ? undefined : Vector.get(transcript.entries, place)
  const block = entry?.blocks[0]
  if (entry === undefined || block?.kind !== "notice") return { ...addNotice(transcript, "warning", text), retry }
  const next = { ...block, source: text, revision: block.revision + 1 }
  return { ...replace(transcript, place, { ...entry, blocks: [next] }), retry }
}

const startCall = (
  transcript: Transcript,
  call: { readonly callId: string; readonly tool: string; readonly why: string },
  now: number
): Transcript => {
  const shown = transcript.openCalls.has(call.callId)
    ? transcript
    : append(transcript, {
        id: call.callId,
        kind: "tool",
        blocks: [newCall({ callId: call.callId, tool: call.tool, input: {}, partial: false })]
      })
  return onCall(shown, call.callId, (block) =>
    changeCall(block, { state: "running", tool: call.tool, allowed: call.why, startedAt: now })
  )
}

/** A permission question about the call is open, or is no longer. */
export const markAsking = (transcript: Transcript, callId: string, asking: boolean): Transcript =>
  transcript.openCalls.has(callId)
    ? onCall(transcript, callId, (block) => changeCall(block, { state: asking ? "asking" : "queued" }))
    : transcript

const changedFiles = (transcript: Transcript): number => {
  const paths = new Set<string>()
  for (const entry of Vector.iterate(transcript.entries, transcript.turnStart)) {
    for (const block of entry.blocks) {
      const path = changedPath(block)
      if (path !== undefined) paths.add(path)
    }
  }
  return paths.size
}

const factsOf = (transcript: Transcript, result: TurnResult): TurnFacts => {
  const { usage } = result
  const input = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens
  const cost = result.totalCostUsd - transcript.costUsd
  const files = changedFiles(transcript)
  return {
    durationMs: result.durationMs,
    ...(input === 0 ? {} : { inputTokens: input, cachedTokens: usage.cache_read_input_tokens }),
    ...(usage.output_tokens === 0 ? {} : { outputTokens: usage.output_tokens }),
    ...(cost > 0 ? { costUsd: cost } : {}),
    ...(files === 0 ? {} : { files })
  }
}

const isInterrupted = ({ terminalReason }: TurnResult): boolean =>
  terminalReason === "aborted_streaming" || terminalReason === "aborted_tools"

const finishTurn = (transcript: Transcript, result: TurnResult): Transcript => {
  const settled = abandonCalls(discardArriving(transcript))
  const facts = factsOf(settled, result)
  const errors = isInterrupted(result) ? [] : result.errors
  const noted = errors.reduce((next, error) => addNotice(next, "error", error), settled)
  const entry: Entry = { id: result.uuid, kind: "system", blocks: [turnBlock(result.uuid, facts)] }
  const shown = transcript.isTakenBack ? noted : append(noted, entry)
  const closed: Transcript = { ...shown, isTakenBack: false, retry: undefined, costUsd: result.totalCostUsd }
  return { ...closed, turnStart: closed.entries.length }
}

const removeRecord = (transcript: Transcript, uuid: string): Transcript => {
  const places = new Set<number>()
  for (let place = transcript.entries.length - 1; place >= transcript.turnStart; place--) {
    if (Vector.get(transcript.entries, place)?.uuid === uuid) places.add(place)
  }
  return remove(transcript, places)
}

/** A prompt that went back to where it was typed, with everything that joined the conversation because of it. */
const takeBack = (transcript: Transcript, uuids: ReadonlyArray<string>): Transcript => {
  const settled = discardArriving(transcript)
  const places = new Set<number>(settled.retry === undefined ? [] : [settled.retry.place])
  for (let place = settled.entries.length - 1; place >= settled.turnStart; place--) {
    const uuid = Vector.get(settled.entries, place)?.uuid
    if (uuid !== undefined && uuids.includes(uuid)) places.add(place)
  }
  return { ...remove(settled, places), isTakenBack: true }
}

export const applyEmission = (transcript: Transcript, emission: Emission, now: number): Transcript => {
  switch (emission._tag) {
    case "MessageAdded":
      return addMessage(transcript, emission.message, now)
    case "Tombstone":
      return removeRecord(transcript, emission.uuid)
    case "PartialDiscarded":
      return discardArriving(transcript)
    case "CallStarted":
      return startCall(transcript, emission, now)
    case "CallChecking":
      return onCall(transcript, emission.callId, (block) => changeCall(block, { state: "checking" }))
    case "CallProgress":
      return onCall(transcript, emission.callId, (block) =>
        block.state === "running" ? changeCall(block, { progress: emission.progress }) : block
      )
    case "PermissionDenied":
      return onCall(transcript, emission.callId, (block) =>
        changeCall(block, { state: "denied", denial: emission.reason, endedAt: now })
      )
    case "RetryScheduled":
      return addRetry(transcript, emission, now)
    case "Notice":
      return addNotice(transcript, emission.level, emission.text)
    case "TurnFinished":
      return finishTurn(transcript, emission.result)
    case "TurnStarted":
    case "StatusChanged":
    case "ModeReported":
    case "PromptQueued":
    case "PromptTaken":
    case "PinsChanged":
    case "HookStarted":
    case "SessionTitled":
    case "HookEnded":
      return transcript
    case "SideReported":
      return emission.result._tag === "Recapped"
        ? addNotice(transcript, "info", `where things stand: ${emission.result.text}`)
        : transcript
    case "PromptTakenBack":
      return takeBack(transcript, emission.uuids)
  }
}
