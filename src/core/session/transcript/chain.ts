import { HashMap, Option } from "effect"
import { isToolResult, isToolUse } from "../../domain/block.ts"
import type { CallId, SessionId, Uuid } from "../../domain/id.ts"
import { blocksOf, type Message, type UserMessage } from "../../domain/message.ts"
import { isBoundaryLine, preservedOf } from "./boundary.ts"
import type { ChainLine } from "./record.ts"

/** Turns messages into lines: which line is whose parent, and what has been written before. */
export interface LineContext {
  readonly sessionId: SessionId
  readonly cwd: string
  readonly gitBranch?: string
  readonly version: string
  readonly entrypoint: string
  readonly isSidechain: boolean
  readonly agentId?: string
  readonly sessionKind?: string
}

export interface ChainState {
  /** The line that new messages continue from. */
  readonly tip: Uuid | null
  /** Lines written so far; the number of the next one. */
  readonly count: number
  /** Lines found in the file when it was opened, by their order; never changed, so it can be shared. */
  readonly found: ReadonlyMap<Uuid, number>
  /** Lines written since, the newest of them; those right before; nobody names lines that lie further back. */
  readonly added: Lines
  readonly older: Lines
}

interface Lines {
  readonly numbers: HashMap.HashMap<Uuid, number>
  /** Which line made a call, for results that do not name it. */
  readonly calls: HashMap.HashMap<CallId, Uuid>
}

const NO_LINES: Lines = { numbers: HashMap.empty(), calls: HashMap.empty() }

/** So many lines must be known before a boundary lets the ones before them be forgotten. */
export const LINES_BEFORE_FORGETTING = 1_024

export const emptyChain: ChainState = {
  tip: null,
  count: 0,
  found: new Map(),
  added: NO_LINES,
  older: NO_LINES
}

/** A chain that goes on in an existing file. `order` are the file's chain uuids in file order. */
export const continuedChain = (order: Iterable<Uuid>, tip: Uuid | null): ChainState => {
  const found = new Map<Uuid, number>()
  for (const uuid of order) if (!found.has(uuid)) found.set(uuid, found.size)
  return { ...emptyChain, tip, count: found.size, found }
}

const numberOf = (state: ChainState, uuid: Uuid): number | undefined =>
  state.found.get(uuid) ??
  Option.getOrUndefined(HashMap.get(state.added.numbers, uuid)) ??
  Option.getOrUndefined(HashMap.get(state.older.numbers, uuid))

const lineOfCall = ({ added, older }: ChainState, id: CallId): Option.Option<Uuid> => {
  const line = HashMap.get(added.calls, id)
  return Option.isSome(line) ? line : HashMap.get(older.calls, id)
}

export const isRecorded = (state: ChainState, uuid: Uuid): boolean => numberOf(state, uuid) !== undefined

const answeredCalls = (message: UserMessage): ReadonlyArray<CallId> =>
  blocksOf(message.message.content)
    .filter(isToolResult)
    .map((block) => block.tool_use_id)

/** The recorded assistant line that made the call which this message answers. */
const callerOf = (state: ChainState, message: Message): Uuid | null => {
  if (message.type !== "user") return null
  const named = message.sourceToolAssistantUUID
  if (named !== undefined && isRecorded(state, named)) return named
  const lines = answeredCalls(message).flatMap((id) => Option.toArray(lineOfCall(state, id)))
  return lines.at(-1) ?? null
}

interface Place {
  readonly context: LineContext
  readonly caller: Uuid | null
  /** The line before, and the newest line of the file. */
  readonly previous: Uuid | null
  readonly tip: Uuid | null
}

const linksFor = (message: Message, { caller, previous, tip }: Place) => {
  if (!isBoundaryLine(message)) return { parentUuid: caller ?? previous }
  const summarised = previous ?? tip
  return { parentUuid: null, ...(summarised === null ? {} : { logicalParentUuid: summarised }) }
}

const lineFor = (message: Message, place: Place): ChainLine => {
  const { context, caller } = place
  return {
    ...linksFor(message, place),
    isSidechain: context.isSidechain,
    ...(context.agentId === undefined ? {} : { agentId: context.agentId }),
    ...message,
    ...(caller === null ? {} : { sourceToolAssistantUUID: caller }),
    userType: "external",
    entrypoint: context.entrypoint,
    cwd: context.cwd,
    sessionId: context.sessionId,
    version: context.version,
    ...(context.gitBranch === undefined ? {} : { gitBranch: context.gitBranch }),
    ...(context.sessionKind === undefined ? {} : { sessionKind: context.sessionKind }),
    producer: "nacre"
  }
}

/** What lies before a boundary is not recorded again, so in a long session it need not be remembered either. */
const forgetting = (state: ChainState, message: Message): ChainState =>
  isBoundaryLine(message) && HashMap.size(state.added.numbers) >= LINES_BEFORE_FORGETTING
    ? { ...state, added: NO_LINES, older: state.added }
    : state

const withRecorded = (before: ChainState, message: Message): ChainState => {
  const state = forgetting(before, message)
  const { numbers, calls } = state.added
  const made = message.type === "assistant" ? message.message.content.filter(isToolUse) : []
  return {
    ...state,
    tip: message.uuid,
    count: state.count + 1,
    added: {
      numbers: HashMap.set(numbers, message.uuid, state.count),
      calls: made.reduce((known, block) => HashMap.set(known, block.id, message.uuid), calls)
    }
  }
}

/**
 * Messages that a boundary keeps must be in the file before it, because readers look for them there. They stand after
 * the boundary in memory, so a list that was never written before is put in file order first.
 */
const inFileOrder = (state: ChainState, messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const at = messages.findIndex((message) => isBoundaryLine(message) && !isRecorded(state, message.uuid))
  const boundary = messages[at]
  if (boundary?.type !== "system") return messages
  const kept = preservedOf(
    boundary,
    messages.slice(at + 1).map((message) => message.uuid)
  )
  const early = messages.slice(at + 1).filter((message) => kept.has(message.uuid) && !isRecorded(state, message.uuid))
  if (early.length === 0) return messages
  const moved = new Set(early)
  return [...messages.slice(0, at), ...early, ...messages.slice(at).filter((message) => !moved.has(message))]
}

export interface RecordOptions {
  readonly context: LineContext
  /** What the first message continues: a line of the file or nothing (null); the tip if absent or not in the file. */
  readonly parent?: Uuid | null | undefined
}

/**
 * Lines for the messages that are not in the file yet. The list is either the whole conversation (or its part since
 * the last boundary), or only what is new. The parent of a new message is the latest line among the messages before
 * it in the list; kept messages behind a boundary are older than the boundary's own lines and so never become parents.
 */
export const recordMessages = (
  state: ChainState,
  messages: ReadonlyArray<Message>,
  { context, parent }: RecordOptions
): { readonly state: ChainState; readonly lines: ReadonlyArray<ChainLine> } => {
  const lines: Array<ChainLine> = []
  let current = state
  let latest = -1
  let previous = parent === null || (parent !== undefined && isRecorded(state, parent)) ? parent : state.tip
  for (const message of inFileOrder(state, messages)) {
    if (!isRecorded(current, message.uuid)) {
      lines.push(lineFor(message, { context, caller: callerOf(current, message), previous, tip: current.tip }))
      current = withRecorded(current, message)
    }
    const number = numberOf(current, message.uuid) ?? -1
    if (number > latest) {
      latest = number
      previous = message.uuid
    }
  }
  return lines.length === 0 ? { state, lines } : { state: { ...current, tip: previous }, lines }
}
