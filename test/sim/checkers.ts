import { isToolResult, isToolUse } from "../../src/core/domain/block.ts"
import type { ModelRequest } from "../../src/core/model/request/model-request.ts"
import * as Log from "../../src/core/domain/append-list.ts"
import type { Command } from "../../src/core/loop/machine/command.ts"
import type { LoopEvent } from "../../src/core/loop/machine/event.ts"
import type { AgentState } from "../../src/core/loop/machine/state.ts"
import { normalizeForApi } from "../../src/core/model/request/api-history.ts"
import type { World } from "./world.ts"
import { phaseOf } from "../../src/core/loop/machine/transition.ts"
import { checkPending } from "../core/loop/pending-law.ts"

/** The laws that hold after every event, whatever happened. A broken one throws with its name. */
export interface Checker {
  readonly check: (world: World, event: LoopEvent, commands: ReadonlyArray<Command>) => void
  readonly atEnd: (world: World) => void
}

const fail = (law: string, detail: string): never => {
  throw new Error(`law broken: ${law}: ${detail}`)
}

/** What the real endpoint would refuse: roles, pairing, empty content. */
const checkRequest = (request: ModelRequest): void => {
  const { messages } = request
  if (messages[0]?.role !== "user") fail("first role is user", JSON.stringify(messages[0]))
  if (messages.at(-1)?.role !== "user") fail("last role is user", JSON.stringify(messages.at(-1)))
  const seen = new Set<string>()
  messages.forEach((message, index) => {
    if (index > 0 && messages[index - 1]?.role === message.role) fail("roles alternate", `message ${index}`)
    if (message.content.length === 0) fail("no empty content", `message ${index}`)
    const uses = message.content.filter(isToolUse).map((block) => block.id)
    const answered = new Set((messages[index + 1]?.content ?? []).filter(isToolResult).map((block) => block.tool_use_id))
    for (const id of uses) {
      if (seen.has(id)) fail("call ids are unique", id)
      seen.add(id)
      if (!answered.has(id)) fail("every call is answered in the next message", id)
    }
    const results = message.content.filter(isToolResult).map((block) => block.tool_use_id)
    const asked = new Set((messages[index - 1]?.content ?? []).filter(isToolUse).map((block) => block.id))
    for (const id of results) if (!asked.has(id)) fail("no result without its call", id)
    if (new Set(results).size !== results.length) fail("one result per call", results.join())
  })
}

const checkPairing = (state: AgentState): void => {
  const uses = new Map<string, number>()
  const results = new Map<string, number>()
  for (const message of Log.toArray(state.conversation.messages)) {
    const content = message.type === "assistant" || message.type === "user" ? message.message.content : []
    if (typeof content === "string") continue
    for (const block of content) {
      if (isToolUse(block)) uses.set(block.id, (uses.get(block.id) ?? 0) + 1)
      if (isToolResult(block)) results.set(block.tool_use_id, (results.get(block.tool_use_id) ?? 0) + 1)
    }
  }
  for (const [id, count] of uses) {
    if (count === 1 && results.get(id) !== 1) fail("every tool_use has exactly one result", `${id}: ${results.get(id) ?? 0}`)
  }
}

/** One run of a kind that somebody wants, and one more that waits for it. */
const checkSideTasks = ({ side }: AgentState): void => {
  const wanted = side.runs.filter(({ isWanted }) => isWanted).map(({ kind }) => kind)
  if (new Set(wanted).size !== wanted.length) fail("one side task of a kind", wanted.join())
  const waiting = side.waiting.map(({ kind }) => kind)
  if (new Set(waiting).size !== waiting.length) fail("one more side task of a kind", waiting.join())
  const idle = waiting.filter((kind) => !wanted.includes(kind))
  if (idle.length > 0) fail("a side task waits for a run of its kind", idle.join())
}

export const makeChecker = (options: { readonly maxTurns: number | undefined }): Checker => {
  const inFlight = new Set<string>()
  const tombstoned = new Set<string>()
  const allowed = new Set<string>()
  /** Looks of the classifier that count, and calls that one of them found harmless. */
  const looks = new Map<string, string>()
  const cleared = new Set<string>()
  const started = new Set<string>()
  const persisted = new Set<string>()
  const opening = new Set<string>()
  let pendingAck: string | undefined
  let turnsStarted = 0
  let turnsFinished = 0
  let answers = new Map<string, string>()

  const onCommand = (world: World, command: Command): void => {
    switch (command._tag) {
      case "Persist":
        if (command.ack !== undefined) {
          pendingAck = command.ack
          for (const { uuid } of command.messages) opening.add(uuid)
          turnsStarted += 1
          answers = new Map()
        }
        for (const message of command.messages) {
          if (persisted.has(message.uuid)) fail("a message is written once", message.uuid)
          persisted.add(message.uuid)
        }
        return
      case "StartRequest":
        if (pendingAck !== undefined) fail("no request before the prompt is durable", command.requestId)
        if (inFlight.size > 0) fail("one request in flight", [...inFlight].join())
        inFlight.add(command.requestId)
        checkRequest(command.request)
        return
      case "AbortRequest":
        inFlight.delete(command.requestId)
        return
      case "CheckCall":
        looks.set(command.checkId, command.callId)
        return
      case "AbortCheck":
        looks.delete(command.checkId)
        return
      case "AskPermission":
        return
      case "StartCall": {
        if (started.has(command.callId)) fail("a call starts once", command.callId)
        started.add(command.callId)
        const { mode } = world.state.permission
        const isCleared = mode === "auto" && cleared.has(command.callId)
        const asks = mode === "default" || mode === "auto"
        if (!allowed.has(command.callId) && !isCleared && asks && command.tool !== "TodoWrite") {
          const { file_path: path, command: text } = command.input.value as { file_path?: string; command?: string }
          const outside = path !== undefined && !path.startsWith("/project/")
          const edits = mode === "default" ? ["Edit", "Write", "NotebookEdit"] : []
          const mutating = ["Bash", "WebFetch", ...edits].includes(command.tool)
          const onlyReads = text === "ls" || text === "ls -l"
          if ((mutating && !onlyReads) || outside)
            fail("nothing starts without allow", `${command.tool} ${JSON.stringify(command.input)}`)
        }
        return
      }
      case "Emit":
        // What somebody wants done to the conversation is a turn without a prompt.
        if (command.emission._tag === "TurnStarted" && !opening.has(command.emission.promptUuid)) {
          turnsStarted += 1
          answers = new Map()
        }
        if (command.emission._tag === "Tombstone") {
          tombstoned.add(command.emission.uuid)
          answers.delete(command.emission.uuid)
        }
        if (command.emission._tag === "MessageAdded" && command.emission.message.type === "assistant") {
          const { message } = command.emission
          if (message.isApiErrorMessage !== true) answers.set(message.uuid, message.message.id)
        }
        if (command.emission._tag === "TurnFinished") {
          turnsFinished += 1
          if (turnsFinished > turnsStarted) fail("one result per turn", `${turnsFinished} of ${turnsStarted}`)
        }
        return
      default:
        return
    }
  }

  const onEvent = (event: LoopEvent): void => {
    if (event._tag === "Persisted" || event._tag === "PersistFailed") {
      if (event.ack === pendingAck) pendingAck = undefined
    }
    if (event._tag === "StreamEnded" || event._tag === "RequestFailed") inFlight.delete(event.requestId)
    if (event._tag === "ModelSaid" && event.event.type === "message_stop" && inFlight.has(event.requestId)) {
      inFlight.delete(event.requestId)
    }
    if (event._tag === "CallChecked") {
      const callId = looks.get(event.checkId)
      looks.delete(event.checkId)
      if (callId !== undefined && event.outcome._tag === "Judged" && !event.outcome.block) cleared.add(callId)
    }
    if (event._tag === "PermissionAnswered" && event.answer.behavior === "allow") allowed.add(event.callId)
  }

  const checkTurns = (): void => {
    const responses = new Set(answers.values()).size
    if (options.maxTurns !== undefined && responses > options.maxTurns) fail("turn budget holds", String(responses))
  }

  return {
    check: (world, event, commands) => {
      onEvent(event)
      for (const command of commands) onCommand(world, command)
      checkTurns()
      checkPending(world.state)
      checkSideTasks(world.state)
      if (phaseOf(world.state)._tag !== "Requesting" && phaseOf(world.state)._tag !== "Streaming") inFlight.clear()
      for (const message of Log.toArray(world.state.conversation.messages)) {
        if (tombstoned.has(message.uuid)) fail("a tombstoned message is gone", message.uuid)
      }
    },
    atEnd: (world) => {
      const phase = phaseOf(world.state)
      if (phase._tag !== "Done" && phase._tag !== "Idle") fail("every turn ends", phase._tag)
      if (turnsFinished !== turnsStarted) fail("one result per turn", `${turnsFinished} results of ${turnsStarted} turns`)
      checkPairing(world.state)
      const messages = Log.toArray(world.state.conversation.messages)
      const once = normalizeForApi(messages, { model: "offline" })
      if (once.length > 0) checkRequest({ messages: once } as ModelRequest)
    }
  }
}
