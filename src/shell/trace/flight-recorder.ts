import { createHash } from "node:crypto"
import { closeSync, fdatasyncSync, mkdirSync, openSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { AgentId } from "../../core/domain/id.ts"
import type { InitialState } from "../../core/loop/turn/start-turn.ts"
import type { Command } from "../../core/loop/machine/command.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import type { Witness } from "../runtime/driver.ts"
import type { FlatConfig, RecordedOccurrence } from "./flat-config.ts"
import { RECORDING_FORMAT, type RecordingFormat } from "./older-formats.ts"
import { digestOf, stateSummary } from "./state-digest.ts"
import { phaseOf } from "../../core/loop/machine/transition.ts"

/** What is needed to build an agent's initial state again. */
export interface RecordedStart {
  readonly initial: Omit<InitialState, "restored" | "config" | "tools"> & {
    readonly tools?: InitialState["tools"]
    readonly config: InitialState["config"] | FlatConfig
    readonly restored?: Omit<NonNullable<InitialState["restored"]>, "replacements"> & {
      readonly replacements: ReadonlyArray<readonly [string, string]>
    }
  }
}

/** First line of a recording, with the start of the session's first agent. */
export interface RecordingHeader extends RecordedStart {
  readonly nacre_recording: RecordingFormat
  readonly version: string
}

/** Another agent joins: from here on there are events of it. Sealed as events are. */
export interface RecordedAgent extends RecordedStart {
  readonly agent: AgentId
  readonly chain: string
}

/** One recorded event. `chain` seals everything up to this line, so that a changed byte is found where it is. */
export interface RecordedEvent {
  readonly seq: number
  readonly event: RecordedOccurrence
  readonly commands: ReadonlyArray<string>
  readonly commandsDigest: string
  readonly state: string
  readonly chain: string
}

export const seal = (previous: string, body: string): string =>
  createHash("sha256").update(previous).update(body).digest("hex").slice(0, 32)

export const recordedEvent = (
  seq: number,
  happened: { event: RecordedOccurrence; state: AgentState; commands: ReadonlyArray<Command> }
) => ({
  seq,
  event: happened.event,
  commands: happened.commands.map((command) => command._tag),
  commandsDigest: digestOf(happened.commands),
  state: digestOf(stateSummary(happened.state))
})

const startOf = ({ restored, ...rest }: InitialState): RecordedStart["initial"] => ({
  ...rest,
  ...(restored === undefined ? {} : { restored: { ...restored, replacements: [...restored.replacements] } })
})

export const headerOf = (initial: InitialState, version: string): RecordingHeader => ({
  nacre_recording: RECORDING_FORMAT,
  version,
  initial: startOf(initial)
})

export interface Recorder {
  readonly witness: Witness
  /** Another agent's events come from now on. */
  readonly join: (agent: AgentId, initial: InitialState) => void
  readonly close: () => void
}

const FLUSH_BYTES = 64 * 1024

export const RECORDING_ENDING = ".jsonl"

/** A name that says so is a file; any other is a directory, which is made if it is not there. */
const targetOf = (path: string, sessionId: string): string => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined && !path.endsWith(RECORDING_ENDING)) mkdirSync(path, { mode: 0o700 })
  else if (found?.isDirectory() !== true) return path
  return join(path, `${sessionId}${RECORDING_ENDING}`)
}

export interface RecorderOptions {
  /** A directory for a file that is named after the session, or a new file that ends in .jsonl. */
  readonly path: string
  readonly initial: InitialState
  readonly version: string
  /** Told once when the recording cannot go on; the session does. */
  readonly onFailure: (cause: string) => void
}

/** Writes every event that enters the core, with what it led to, one JSON line each; private to the user. */
export const openRecorder = ({ path, initial, version, onFailure }: RecorderOptions): Recorder => {
  const fd = openSync(targetOf(path, initial.config.place.sessionId), "wx", 0o600)
  let buffered: Array<string> = []
  let bytes = 0
  let seq = 0
  let chain = ""
  let broken = false

  const attempt = (act: () => void): void => {
    if (broken) return
    try {
      act()
    } catch (error) {
      broken = true
      onFailure(error instanceof Error ? error.message : String(error))
    }
  }
  const flush = (): void => {
    if (buffered.length > 0) attempt(() => writeFileSync(fd, buffered.join("")))
    buffered = []
    bytes = 0
  }
  const add = (line: string): void => {
    buffered.push(line)
    bytes += line.length
    if (bytes >= FLUSH_BYTES) flush()
  }

  const header = JSON.stringify(headerOf(initial, version))
  chain = seal(chain, header)
  add(`${header}\n`)

  const addSealed = (line: object): void => {
    const body = JSON.stringify(line)
    chain = seal(chain, body)
    add(`${body.slice(0, -1)},"chain":"${chain}"}\n`)
  }

  return {
    join: (agent, started) => {
      if (!broken) addSealed({ agent, initial: startOf(started) })
    },
    witness: (event, state, commands) => {
      if (broken) return
      seq += 1
      addSealed(recordedEvent(seq, { event, state, commands }))
      if (phaseOf(state)._tag === "Done") flush()
    },
    close: () => {
      flush()
      attempt(() => fdatasyncSync(fd))
      closeSync(fd)
    }
  }
}
