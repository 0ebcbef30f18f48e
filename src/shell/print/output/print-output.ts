import { isOfflineModel } from "../../../core/model/catalog/model.ts"
import type { ModelEvent } from "../../../core/model/stream/model-event.ts"
import type { Emission, TurnResult } from "../../../core/loop/machine/emission.ts"
import type { SessionHandle } from "../../session/session-handle.ts"
import { initLine, type ServerStatus } from "./init-line.ts"
import { type MessageScope, replayLine, replayOf, resultLine, sdkMessage, type SdkMessage } from "./sdk-message.ts"
import { turnOf } from "../../../core/loop/machine/transition.ts"

export interface PrintFormat {
  readonly outputFormat: "text" | "json" | "stream-json"
  readonly verbose: boolean
  readonly replayUserMessages: boolean
  readonly includeHookEvents: boolean
}

export interface PrintOutput {
  readonly onEmission: (emission: Emission) => void
  readonly onModelEvent: (event: ModelEvent) => void
  /** Control lines and others that are not part of the conversation. */
  readonly send: (message: SdkMessage) => void
  /** A prompt that came a second time is not taken again, but the host hears that it is there. */
  readonly acknowledge: (prompt: RepeatedPrompt) => void
}

export interface RepeatedPrompt {
  readonly uuid: string
  readonly content: unknown
}

export interface PrintOutputOptions {
  readonly format: PrintFormat
  readonly write: (text: string) => void
  readonly diagnose: (text: string) => void
  readonly newUuid: () => string
  readonly session: () => SessionHandle
  readonly servers: () => ReadonlyArray<ServerStatus>
  readonly onResult: (result: TurnResult) => void
}

const asText = (result: TurnResult): string => {
  if (result.subtype === "success") return result.text
  // The commands that the error names are for a terminal; here nobody could type them.
  if (result.terminalReason === "blocking_limit") return "Prompt is too long"
  return result.errors.length === 0 ? "Execution error" : result.errors.join("\n")
}

/** Turns what happens in a conversation into the bytes of the chosen output format. */
export const makePrintOutput = (options: PrintOutputOptions): PrintOutput => {
  const { format, write } = options
  const collected: Array<SdkMessage> = []
  const scope = (): MessageScope => ({
    sessionId: options.session().facts.sessionId,
    newUuid: options.newUuid,
    offline: isOfflineModel(options.session().state().config.choice.model),
    hookEvents: format.includeHookEvents
  })

  const send = (message: SdkMessage): void => {
    if (format.outputFormat === "stream-json") write(`${JSON.stringify(message)}\n`)
    else if (format.outputFormat === "json" && format.verbose) collected.push(message)
  }

  const finish = (result: TurnResult): void => {
    if (format.outputFormat === "text") write(`${asText(result)}\n`)
    if (format.outputFormat === "json") {
      write(`${JSON.stringify(format.verbose ? collected : resultLine(result, scope()))}\n`)
    }
    options.onResult(result)
  }

  let held: SdkMessage | undefined

  /** A prompt goes back to the host that sent it; the one that opens a turn only behind the turn's init. */
  const replay = (emission: Emission): void => {
    if (!format.replayUserMessages || emission._tag !== "MessageAdded") return
    const line = replayLine(emission.message, scope())
    if (line === undefined) return
    if (turnOf(options.session().state())?.promptUuid === emission.message.uuid) held = line
    else send(line)
  }

  const releaseHeld = (): void => {
    if (held !== undefined) send(held)
    held = undefined
  }

  /** What the lines of stream-json say about the course of the turn reaches others on stderr. */
  const tellReader = (emission: Emission): void => {
    if (emission._tag === "RetryScheduled") {
      const seconds = Math.ceil(emission.delayMs / 1_000)
      options.diagnose(`${emission.text} · retrying in ${seconds}s · attempt ${emission.attempt}`)
    }
    if (emission._tag !== "MessageAdded" || emission.message.type !== "system") return
    const { content, level } = emission.message
    if (level === "warning" && content !== undefined) options.diagnose(content)
  }

  return {
    send,
    acknowledge: ({ uuid, content }) => {
      if (format.replayUserMessages) send(replayOf({ role: "user", content }, uuid, scope()))
    },
    onEmission: (emission) => {
      if (emission._tag === "TurnStarted") {
        send(initLine(options.session(), options.servers(), options.newUuid()))
      }
      if (emission._tag === "TurnStarted" || emission._tag === "TurnFinished") releaseHeld()
      if (emission._tag === "Notice" && (emission.isForHosts !== true || format.outputFormat !== "stream-json"))
        options.diagnose(emission.text)
      if (format.outputFormat !== "stream-json") tellReader(emission)
      replay(emission)
      const message = sdkMessage(emission, scope())
      if (message !== undefined) send(message)
      if (emission._tag === "TurnFinished") finish(emission.result)
    },
    onModelEvent: (event) =>
      send({
        type: "stream_event",
        event,
        session_id: options.session().facts.sessionId,
        parent_tool_use_id: null,
        uuid: options.newUuid()
      })
  }
}
