import { Effect, Fiber } from "effect"
import type { PermissionQuestion } from "../../../core/loop/machine/command.ts"
import type { HookOutcome, PermissionAnswer } from "../../../core/loop/machine/event.ts"
import type { HookEvent } from "../../../core/loop/machine/state.ts"
import { headlessDenial, wireReasonType } from "../../../core/permission/decide/explain.ts"
import type { Decision } from "../../../core/permission/verdict.ts"
import { readPermissionAnswer } from "./permission-answer.ts"
import { firstAnswer, readHookDecision, type Decider } from "./permission-race.ts"
import { mergeHookOutputs } from "./merge-hook-outputs.ts"
import type { HostMessage } from "./host-message.ts"
import type { SdkMessage } from "../output/sdk-message.ts"

/** A hook the host registered with `initialize`. */
export interface HostHook {
  readonly matcher: string | undefined
  readonly callbackIds: ReadonlyArray<string>
  readonly timeoutMs: number
  /** What a failed or silent callback counts as; absent: block where going on would be unsafe. */
  readonly onFailure: "continue" | "block" | undefined
}

/** The loop's own events, and the questions that it asks. */
export type HostHookEvent = HookEvent | "PermissionRequest"

export type HostHooks = Readonly<Partial<Record<HostHookEvent, ReadonlyArray<HostHook>>>>

type HostAnswer = { readonly ok: true; readonly response: unknown } | { readonly ok: false; readonly error: string }

/** How a hook callback came back. */
type HookAnswer = HostAnswer & { readonly onFailure: HostHook["onFailure"] }

export interface ControlChannel {
  /** Takes a control line from the host; true when it was one. */
  readonly receive: (message: HostMessage) => boolean
  readonly ask: (question: PermissionQuestion, reply: (answer: PermissionAnswer) => void) => () => void
  readonly runHooks: (event: HookEvent, input: Readonly<Record<string, unknown>>) => Effect.Effect<HookOutcome>
  /** The turn is over: hooks that still think about it are called off. */
  readonly turnEnded: () => void
  /** The host has gone: everything that waits for it is answered with a refusal. */
  readonly hostLeft: () => void
}

export interface ControlOptions {
  readonly write: (message: SdkMessage) => void
  readonly newId: () => string
  readonly hooks: () => HostHooks
  /** The host has a callback for permission questions. */
  readonly asksHost: boolean
  /** Adds to an event's own fields what every hook is told. */
  readonly hookInput: (event: HostHookEvent, input: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  /** Answers a request of the host; a text is an error. */
  readonly onRequest: (request: Readonly<Record<string, unknown>>) => Effect.Effect<ControlReply>
}

export type ControlReply =
  | { readonly _tag: "Success"; readonly response: Readonly<Record<string, unknown>> }
  | { readonly _tag: "Error"; readonly error: string; readonly code?: string }

const matches = (hook: HostHook, toolName: unknown): boolean => {
  if (hook.matcher === undefined || hook.matcher === "" || hook.matcher === "*") return true
  if (typeof toolName !== "string") return true
  try {
    return new RegExp(`^(?:${hook.matcher})$`).test(toolName)
  } catch {
    return hook.matcher === toolName
  }
}

/** The question as the host's canUseTool callback receives it. */
const canUseTool = (question: PermissionQuestion): Record<string, unknown> => ({
  subtype: "can_use_tool",
  tool_name: question.tool,
  input: question.input,
  tool_use_id: question.callId,
  permission_suggestions: question.suggestions,
  decision_reason: question.decision.reason.sentence,
  decision_reason_type: wireReasonType(question.decision.reason),
  description: question.summary,
  ...(question.decision.blockedPath === undefined ? {} : { blocked_path: question.decision.blockedPath }),
  ...(question.decision.reason.type === "requiresInteraction" ? { requires_user_interaction: true } : {})
})

/** A hook that failed has nothing to say, unless the host wants that to be a refusal. */
const wordOf = (answer: HookAnswer, decision: Decision): PermissionAnswer | undefined => {
  if (answer.ok) return readHookDecision(answer.response, decision)
  return answer.onFailure === "block" ? { behavior: "deny", message: `hook failed: ${answer.error}` } : undefined
}

/**
 * Both directions of the control protocol over the same two pipes as the messages. Every request from the host gets
 * exactly one response; every request of ours is answered once or cancelled.
 */
export const makeControlChannel = (options: ControlOptions): ControlChannel => {
  const waiting = new Map<string, (answer: HostAnswer) => void>()

  const send = (request: Record<string, unknown>, receive: (answer: HostAnswer) => void): (() => void) => {
    const id = options.newId()
    waiting.set(id, receive)
    options.write({ type: "control_request", request_id: id, request })
    return () => {
      if (waiting.delete(id)) options.write({ type: "control_cancel_request", request_id: id })
    }
  }

  const respond = (id: string, reply: ControlReply): void =>
    options.write({
      type: "control_response",
      response:
        reply._tag === "Success"
          ? { subtype: "success", request_id: id, response: reply.response }
          : {
              subtype: "error",
              request_id: id,
              error: reply.error,
              ...(reply.code === undefined ? {} : { error_code: reply.code })
            }
    })

  const openHooks = new Set<() => void>()

  const callHook = (hook: HostHook, callbackId: string, input: Readonly<Record<string, unknown>>) =>
    Effect.callback<HostAnswer>((resume) => {
      const settle = (answer: HostAnswer): void => {
        openHooks.delete(callOff)
        resume(Effect.succeed(answer))
      }
      const callOff = (): void => {
        cancel()
        settle({ ok: false, error: "the turn has ended" })
      }
      const request = { subtype: "hook_callback", callback_id: callbackId, input, tool_use_id: input["tool_use_id"] }
      const cancel = send(request, settle)
      openHooks.add(callOff)
      return Effect.sync(callOff)
    }).pipe(
      Effect.timeoutOrElse({
        duration: hook.timeoutMs,
        orElse: () => Effect.succeed<HostAnswer>({ ok: false, error: `no answer within ${hook.timeoutMs} ms` })
      }),
      Effect.map((answer): HookAnswer => ({ ...answer, onFailure: hook.onFailure }))
    )

  const callsFor = (event: HostHookEvent, input: Readonly<Record<string, unknown>>) => {
    const hooks = (options.hooks()[event] ?? []).filter((hook) => matches(hook, input["tool_name"]))
    const whole = options.hookInput(event, input)
    return hooks.flatMap((hook) => hook.callbackIds.map((id) => callHook(hook, id, whole)))
  }

  const hookDeciders = (question: PermissionQuestion): ReadonlyArray<Decider> => {
    const { callId, decision, input, suggestions, tool } = question
    const about = { tool_name: tool, tool_input: input, permission_suggestions: suggestions, tool_use_id: callId }
    return callsFor("PermissionRequest", about).map((call): Decider => (settle) => {
      const fiber = Effect.runFork(Effect.map(call, (answer) => settle(wordOf(answer, decision))))
      return () => void Effect.runFork(Fiber.interrupt(fiber))
    })
  }

  const hostDecider =
    (question: PermissionQuestion): Decider =>
    (settle) =>
      send(canUseTool(question), (answer) =>
        settle(answer.ok ? readPermissionAnswer(answer.response) : { behavior: "deny", message: answer.error })
      )

  return {
    receive: (message) => {
      if (message._tag === "Answer") {
        const receive = waiting.get(message.id)
        if (waiting.delete(message.id)) {
          receive?.(message.ok ? { ok: true, response: message.response } : { ok: false, error: message.error })
        }
        return true
      }
      if (message._tag === "BadRequest") {
        respond(message.id, { _tag: "Error", error: `control_request: ${message.why}`, code: "invalid_request" })
        return true
      }
      if (message._tag !== "Request") return message._tag === "CancelRequest"
      Effect.runFork(
        options.onRequest(message.request).pipe(
          Effect.catchDefect((defect) => Effect.succeed<ControlReply>({ _tag: "Error", error: String(defect) })),
          Effect.map((reply) => respond(message.id, reply))
        )
      )
      return true
    },
    ask: (question, reply) =>
      firstAnswer({
        deciders: [...(options.asksHost ? [hostDecider(question)] : []), ...hookDeciders(question)],
        reply,
        otherwise: { behavior: "deny", message: headlessDenial(question.tool, question.decision) }
      }),
    runHooks: (event, input) =>
      Effect.all(callsFor(event, input), { concurrency: "unbounded" }).pipe(
        Effect.map((answers) => mergeHookOutputs(event, answers))
      ),
    turnEnded: () => {
      for (const callOff of openHooks) callOff()
    },
    hostLeft: () => {
      const pending = [...waiting.values()]
      waiting.clear()
      for (const receive of pending) receive({ ok: false, error: "the host closed its input" })
    }
  }
}
