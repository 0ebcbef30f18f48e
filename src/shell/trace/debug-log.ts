import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs"
import { dirname } from "node:path"
import type { Command } from "../../core/loop/machine/command.ts"
import { describeFailure } from "../../core/model/failure/describe-failure.ts"
import type { AgentId } from "../../core/domain/id.ts"
import type { LoopEvent } from "../../core/loop/machine/event.ts"
import { redactText } from "../../core/domain/secrets/redact.ts"
import type { Witness } from "../runtime/driver.ts"
import { phaseOf } from "../../core/loop/machine/transition.ts"

/** One line per thing that happened, for people who look for a fault. Never holds credentials or what was said. */
type Category = "api" | "permissions" | "sandbox" | "session" | "tools" | "loop"

interface Entry {
  readonly category: Category
  readonly text: string
}

const ROTATE_BYTES = 20 * 1024 * 1024

/** `api,tools` shows only these, `!loop` everything but this; no filter shows everything. */
export const isShown = (filter: string | undefined, category: string): boolean => {
  const words = (filter ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")
  const hidden = words.filter((word) => word.startsWith("!")).map((word) => word.slice(1))
  const shown = words.filter((word) => !word.startsWith("!"))
  return !hidden.includes(category) && (shown.length === 0 || shown.includes(category))
}

const eventEntry = (event: LoopEvent): Entry | undefined => {
  switch (event._tag) {
    case "StreamOpened":
      return { category: "api", text: `${event.requestId} opened ${event.apiRequestId ?? ""}`.trim() }
    case "RequestFailed":
      return { category: "api", text: `${event.requestId} failed: ${describeFailure(event.failure)}` }
    case "ModelSaid":
      return event.event.type === "message_stop" ? { category: "api", text: `${event.requestId} complete` } : undefined
    case "CallRefused":
      return { category: "tools", text: `${event.callId} refused before it ran` }
    case "CallStopped":
      return { category: "tools", text: `${event.callId} is to be stopped` }
    case "CallSettled":
      return { category: "tools", text: `${event.callId} ${event.outcome._tag.toLowerCase()}` }
    case "PermissionAnswered":
      return { category: "permissions", text: `${event.callId} answered ${event.answer.behavior}` }
    case "HostRequested":
      return { category: "sandbox", text: `${event.callId} asks for ${event.host}:${event.port}` }
    case "ContextRead": {
      const failed = event.failed.map(({ kind, cause }) => `${kind}: ${cause}`).join("; ")
      return failed === "" ? undefined : { category: "session", text: `${event.collectId} was not seen: ${failed}` }
    }
    case "PersistFailed":
      return { category: "session", text: `${event.ack} could not be written: ${event.cause}` }
    case "CompactionFailed":
      return { category: "api", text: `${event.compactionId} failed: ${event.cause}` }
    case "Interrupted":
    case "ShutDown":
      return { category: "loop", text: event._tag }
    default:
      return undefined
  }
}

const commandEntry = (command: Command): Entry | undefined => {
  switch (command._tag) {
    case "StartRequest": {
      const { request } = command
      return {
        category: "api",
        text: `${command.requestId} -> ${request.model}, ${request.messages.length} messages, ${request.tools.length} tools, max_tokens ${request.max_tokens}`
      }
    }
    case "AbortRequest":
      return { category: "api", text: `${command.requestId} aborted` }
    case "Compact":
      return { category: "api", text: `${command.compactionId} -> ${command.request.model}` }
    case "StartCall":
      return { category: "tools", text: `${command.callId} ${command.tool} started` }
    case "CancelCall":
      return { category: "tools", text: `${command.callId} cancelled` }
    case "CheckCall":
      return { category: "permissions", text: `${command.callId} ${command.inquiry.action.tool} goes to the classifier` }
    case "AskPermission":
      return {
        category: "permissions",
        text: `${command.question.callId} ${command.question.tool} asks: ${command.question.decision.reason.sentence}`
      }
    case "AnswerHostRequests":
      return { category: "sandbox", text: `host requests ${command.refused === undefined ? "go on" : "are refused"}` }
    case "Emit":
      return command.emission._tag === "PermissionDenied"
        ? { category: "permissions", text: `${command.emission.callId} denied: ${command.emission.reason}` }
        : command.emission._tag === "TurnFinished"
          ? { category: "loop", text: `turn ended: ${command.emission.result.terminalReason}` }
          : undefined
    default:
      return undefined
  }
}

const rotate = (path: string): void => {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > ROTATE_BYTES) renameSync(path, `${path}.1`)
}

export interface DebugLogOptions {
  readonly path: string
  /** Whose events these are, where it is not the first agent. */
  readonly agent?: AgentId
  readonly filter: string | undefined
  readonly now: () => number
  /** Credentials of this program. */
  readonly secrets: ReadonlyArray<string>
}

/** Opens the log (private to the user) and gives the witness that writes it. */
export const openDebugLog = (options: DebugLogOptions): Witness => {
  mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 })
  rotate(options.path)
  const whose = options.agent === undefined ? "" : `agent ${options.agent}: `
  let phase = ""
  return (event, state, commands) => {
    const entries = [eventEntry(event), ...commands.map(commandEntry)].filter((entry) => entry !== undefined)
    if (phaseOf(state)._tag !== phase) {
      phase = phaseOf(state)._tag
      entries.push({ category: "loop", text: `phase ${phase}` })
    }
    const stamp = new Date(options.now()).toISOString()
    const lines = entries
      .filter((entry) => isShown(options.filter, entry.category))
      .map((entry) => `${stamp} [${entry.category}] ${whose}${redactText(entry.text, { secrets: options.secrets })}\n`)
    if (lines.length > 0) appendFileSync(options.path, lines.join(""), { mode: 0o600 })
  }
}
