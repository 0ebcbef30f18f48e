import { Effect } from "effect"
import type { PermissionQuestion } from "../../../core/loop/machine/command.ts"
import type { PermissionAnswer } from "../../../core/loop/machine/event.ts"
import { wireReasonType } from "../../../core/permission/decide/explain.ts"
import type { CallHost } from "../../hooks/hooks.ts"
import { readPermissionAnswer } from "../../hooks/permission-answer.ts"
import type { HostMessage } from "./host-message.ts"
import { type ControlReply, HostLink, type HostLinkOptions } from "./host-link.ts"
import { HostServers } from "./host-servers.ts"

export interface ControlChannel {
  /** The tools that the host runs itself. */
  readonly servers: HostServers
  /** Takes a control line from the host; true when it was one. */
  readonly receive: (message: HostMessage) => boolean
  readonly ask: (question: PermissionQuestion, reply: (answer: PermissionAnswer) => void) => () => void
  readonly callHook: CallHost
  /** The host has gone: everything that waits for it is answered with a refusal. */
  readonly hostLeft: () => void
}

export interface ControlOptions extends HostLinkOptions {
  /** The host's tools are others now. */
  readonly onTools: () => void
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

/** Both directions of the control protocol over the same two pipes as the messages. */
export const makeControlChannel = (options: ControlOptions): ControlChannel => {
  const link = new HostLink(options)
  const servers = new HostServers(link, options.onTools)

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
      link.send(canUseTool(question), (answer) =>
        reply(answer.ok ? readPermissionAnswer(answer.response) : { behavior: "deny", message: answer.error })
      ),
    callHook: ({ callbackId }, input) =>
      link.ask({ subtype: "hook_callback", callback_id: callbackId, input, tool_use_id: input["tool_use_id"] }),
    hostLeft: () => link.close()
  }
}
