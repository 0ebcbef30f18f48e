import { createReadStream, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Schema } from "effect"
import { initialState, type InitialState } from "../../core/loop/turn/start-turn.ts"
import { step } from "../../core/loop/step.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import {
  RECORDING_ENDING,
  type RecordedAgent,
  recordedEvent,
  type RecordedEvent,
  type RecordedStart,
  type RecordingHeader,
  seal
} from "./flight-recorder.ts"
import { type AgentId, MAIN_AGENT } from "../../core/domain/id.ts"
import { andThen, phaseOf, type Step, stay } from "../../core/loop/machine/transition.ts"
import { RECORDING_FORMAT, type RecordingFormat, RECORDING_FORMATS, whyOutdated, withLaterOptions } from "./older-formats.ts"
import { configFromFlat, eventsOf, toolsFromFlat } from "./flat-config.ts"

/** How a replay went: every event agreed, or the first line that did not and why. */
export type ReplayReport =
  | {
      readonly _tag: "Agreed"
      readonly events: number
      readonly messages: number
      readonly phase: string
      /** The states of an older recording are of another shape: only its commands are compared. */
      readonly withStates: boolean
    }
  | { readonly _tag: "Differed"; readonly line: number; readonly seq: number; readonly event: string; readonly why: string }
  /** From here on the version of today rightly does something else. */
  | {
      readonly _tag: "Outdated"
      readonly line: number
      readonly event: string
      readonly before: number
      readonly version: string
      readonly why: string
    }
  | { readonly _tag: "Unreadable"; readonly line: number; readonly why: string }

const Header = Schema.Struct({
  nacre_recording: Schema.Literals(RECORDING_FORMATS),
  version: Schema.String,
  initial: Schema.Record(Schema.String, Schema.Unknown)
})
const hasHeaderShape = Schema.is(Header)
const isWhole = ({ initial }: { readonly initial: object }): boolean =>
  ["config", "permission", "cwd", "seed"].every((field) => field in initial)
const isHeader = (value: unknown): value is RecordingHeader => hasHeaderShape(value) && isWhole(value)

const AgentLine = Schema.Struct({
  agent: Schema.String,
  initial: Schema.Record(Schema.String, Schema.Unknown),
  chain: Schema.String
})
const hasAgentShape = Schema.is(AgentLine)
const isAgentLine = (value: unknown): value is RecordedAgent => hasAgentShape(value) && isWhole(value)

const EventLine = Schema.Struct({
  seq: Schema.Number,
  event: Schema.Struct({ _tag: Schema.String, at: Schema.Number }),
  commands: Schema.Array(Schema.String),
  commandsDigest: Schema.String,
  state: Schema.String,
  chain: Schema.String
})
const hasEventShape = Schema.is(EventLine)
const isEventLine = (value: unknown): value is RecordedEvent => hasEventShape(value)

const startOf = (recorded: RecordedStart): AgentState => {
  const { restored, config, tools, ...rest } = recorded.initial
  const initial: InitialState = {
    ...rest,
    ...("place" in config
      ? { config: withLaterOptions(config), tools: tools ?? [] }
      : { config: configFromFlat(config), tools: toolsFromFlat(config) }),
    ...(restored === undefined ? {} : { restored: { ...restored, replacements: new Map(restored.replacements) } })
  }
  return initialState(initial)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const CHAIN_FIELD = /,"chain":"([0-9a-f]+)"\}$/

interface Position {
  readonly line: number
  readonly states: ReadonlyMap<AgentId, AgentState>
  readonly chain: string
  readonly events: number
  readonly format: RecordingFormat
  readonly version: string
}

const FIRST_EVENT_LINE = 2

/** The first event's seal covers the header too, which has none of its own. */
const brokenSeal = (line: number): string =>
  `${line === FIRST_EVENT_LINE ? "this line or the header above it" : "the line"} was changed after it was recorded (its seal does not fit)`

const checkLine = (text: string, position: Position): Position | ReplayReport => {
  const { line } = position
  const recorded = parse(text)
  const chain = seal(position.chain, text.replace(CHAIN_FIELD, "}"))
  if (!isAgentLine(recorded)) return checkEvent(recorded, position, chain)
  if (chain !== recorded.chain) return { _tag: "Unreadable", line, why: brokenSeal(line) }
  return { ...position, line: line + 1, chain, states: new Map(position.states).set(recorded.agent, startOf(recorded)) }
}

const checkEvent = (recorded: unknown, position: Position, chain: string): Position | ReplayReport => {
  const { line } = position
  if (!isEventLine(recorded)) return { _tag: "Unreadable", line, why: "this line is not a recorded event" }
  const where = { _tag: "Differed" as const, line, seq: recorded.seq, event: recorded.event._tag }
  const { agent = MAIN_AGENT } = recorded.event
  const before = position.states.get(agent)
  if (before === undefined) return { _tag: "Unreadable", line, why: `nothing says how the agent ${agent} began` }
  const sealed = chain === recorded.chain
  let state: AgentState
  let actual: ReturnType<typeof recordedEvent>
  try {
    const [next, commands] = eventsOf(recorded.event, before).reduce<Step>(
      (so, event) => andThen(so, (known) => step(known, event)),
      stay(before)
    )
    state = next
    actual = recordedEvent(recorded.seq, { event: recorded.event, state, commands })
  } catch (defect) {
    return { ...where, why: `the core threw on this event: ${String(defect)}` }
  }
  if (actual.commandsDigest !== recorded.commandsDigest) {
    const replayed = { event: recorded.event._tag, recorded: recorded.commands, replayed: actual.commands }
    const why = sealed ? whyOutdated(position.format, replayed) : undefined
    const { events, version } = position
    if (why !== undefined) return { _tag: "Outdated", line, event: recorded.event._tag, before: events, version, why }
    const expected = recorded.commands.join(", ") || "none"
    return { ...where, why: `commands differ: recorded [${expected}], replayed [${actual.commands.join(", ") || "none"}]` }
  }
  if (position.format === RECORDING_FORMAT && actual.state !== recorded.state)
    return { ...where, why: "the state after this event differs from the recorded one" }
  if (!sealed) return { ...where, why: brokenSeal(line) }
  const states = new Map(position.states).set(agent, state)
  return { ...position, line: line + 1, states, chain, events: position.events + 1 }
}

/** The recording that a path means: the file itself, or the only one in a directory. */
export const recordingAt = (path: string): string => {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return path
  const names = readdirSync(path).filter((name) => name.endsWith(RECORDING_ENDING))
  const [only, ...others] = names
  if (only !== undefined && others.length === 0) return join(path, only)
  throw new Error(names.length === 0 ? "it holds no recording" : `it holds ${names.length} recordings; name one of them`)
}

/**
 * Feeds a recording to the core, without any adapter, and compares what comes out event by event, up to the event with
 * the number `until` if there is one.
 */
export const replayFile = async (path: string, until = Infinity): Promise<ReplayReport> => {
  const lines = createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Infinity })
  let position: Position | undefined
  for await (const text of lines) {
    if (text === "") continue
    if (position !== undefined && position.events >= until) break
    if (position === undefined) {
      const header = parse(text)
      if (!isHeader(header)) return { _tag: "Unreadable", line: 1, why: "the first line is not a recording header" }
      const { nacre_recording: format, version } = header
      const states = new Map([[MAIN_AGENT, startOf(header)]])
      position = { line: 2, states, chain: seal("", text), events: 0, format, version }
      continue
    }
    const checked = checkLine(text, position)
    if ("_tag" in checked) return checked
    position = checked
  }
  const main = position?.states.get(MAIN_AGENT)
  if (position === undefined || main === undefined) return { _tag: "Unreadable", line: 1, why: "the file is empty" }
  return {
    _tag: "Agreed",
    events: position.events,
    messages: main.conversation.messages.length,
    phase: phaseOf(main)._tag,
    withStates: position.format === RECORDING_FORMAT
  }
}
