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
import { type HookAnswer, type HookCallOptions, HookCalls } from "./hook-calls.ts"
import { type ControlReply, HostLink, type HostLinkOptions } from "./host-link.ts"
import { HostServers } from "./host-servers.ts"

export interface ControlChannel {
  /** The tools that the host runs itself. */
  readonly servers: HostServers
  /** Takes a control line from the host; true when it was one. */
  readonly receive: (message: HostMessage) => boolean
  readonly ask: (question: PermissionQuestion, reply: (answer: PermissionAnswer) => void) => () => void
  readonly runHooks: (event: HookEvent, input: Readonly<Record<string, unknown>>) => Effect.Effect<HookOutcome>
  /** The turn is over: hooks that still think about it are called off. */
  readonly turnEnded: () => void
  /** The host has gone: everything that waits for it is answered with a refusal. */
  readonly hostLeft: () => void
}

export interface ControlOptions extends HostLinkOptions, HookCallOptions {
  /** The host's tools are others now. */
  readonly onTools: () => void
  /** The host has a callback for permission questions. */
  readonly asksHost: boolean
  /** Answers a request of the host; a text is an error. */
  readonly onRequest: (request: Readonly<Record<string, unknown>>) => Effect.Effect<ControlReply>
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

/** Both directions of the control protocol over the same two pipes as the messages. */
export const makeControlChannel = (options: ControlOptions): ControlChannel => {
  const link = new HostLink(options)
  const hookCalls = new HookCalls(link, options)
  const servers = new HostServers(link, options.onTools)

  const hookDeciders = (question: PermissionQuestion): ReadonlyArray<Decider> => {
    const { callId, decision, input, suggestions, tool } = question
    const about = { tool_name: tool, tool_input: input, permission_suggestions: suggestions, tool_use_id: callId }
    return hookCalls.callsFor("PermissionRequest", about).map((call): Decider => (settle) => {
      const fiber = Effect.runFork(Effect.map(call, (answer) => settle(wordOf(answer, decision))))
      return () => void Effect.runFork(Fiber.interrupt(fiber))
    })
  }

  const hostDecider =
    (question: PermissionQuestion): Decider =>
    (settle) =>
      link.send(canUseTool(question), (answer) =>
        settle(answer.ok ? readPermissionAnswer(answer.response) : { behavior: "deny", message: answer.error })
      )

  return {
    servers,
    receive: (message) => {
      if (message._tag === "Answer") {
        link.settle(message)
        return true
      }
      if (message._tag === "BadRequest") {
        link.respond(message.id, { _tag: "Error", error: `control_request: ${message.why}`, code: "invalid_request" })
        return true
      }
      if (message._tag !== "Request") return message._tag === "CancelRequest"
      Effect.runFork(
        options.onRequest(message.request).pipe(
          Effect.catchDefect((defect) => Effect.succeed<ControlReply>({ _tag: "Error", error: String(defect) })),
          Effect.map((reply) => link.respond(message.id, reply))
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
      Effect.all(hookCalls.callsFor(event, input), { concurrency: "unbounded" }).pipe(
        Effect.map((answers) => mergeHookOutputs(event, answers))
      ),
    turnEnded: () => hookCalls.callOff(),
    hostLeft: () => link.close()
  }
}
