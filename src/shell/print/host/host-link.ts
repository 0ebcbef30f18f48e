import { Effect } from "effect"
import type { HostMessage } from "./host-message.ts"
import type { SdkMessage } from "../output/sdk-message.ts"

export type HostAnswer = { readonly ok: true; readonly response: unknown } | { readonly ok: false; readonly error: string }

export type ControlReply =
  | { readonly _tag: "Success"; readonly response: Readonly<Record<string, unknown>> }
  | { readonly _tag: "Error"; readonly error: string; readonly code?: string }

export interface HostLinkOptions {
  readonly write: (message: SdkMessage) => void
  readonly newId: () => string
}

/** Requests between us and the host: every one of its gets exactly one response; ours are answered once or cancelled. */
export class HostLink {
  readonly #options: HostLinkOptions
  readonly #waiting = new Map<string, (answer: HostAnswer) => void>()

  constructor(options: HostLinkOptions) {
    this.#options = options
  }

  /** The returned function cancels the request. */
  send(request: Readonly<Record<string, unknown>>, receive: (answer: HostAnswer) => void): () => void {
    const id = this.#options.newId()
    this.#waiting.set(id, receive)
    this.#options.write({ type: "control_request", request_id: id, request })
    return () => {
      if (this.#waiting.delete(id)) this.#options.write({ type: "control_cancel_request", request_id: id })
    }
  }

  /** What the host answers. Interrupted, the request is cancelled. */
  ask(request: Readonly<Record<string, unknown>>): Effect.Effect<unknown, string> {
    return Effect.callback((resume) => {
      const cancel = this.send(request, (answer) =>
        resume(answer.ok ? Effect.succeed(answer.response) : Effect.fail(answer.error))
      )
      return Effect.sync(cancel)
    })
  }

  respond(id: string, reply: ControlReply): void {
    const response =
      reply._tag === "Success"
        ? { subtype: "success", request_id: id, response: reply.response }
        : {
            subtype: "error",
            request_id: id,
            error: reply.error,
            ...(reply.code === undefined ? {} : { error_code: reply.code })
          }
    this.#options.write({ type: "control_response", response })
  }

  /** Hands an answer to whoever waits for it. */
  settle(message: Extract<HostMessage, { readonly _tag: "Answer" }>): void {
    const receive = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    receive?.(message.ok ? { ok: true, response: message.response } : { ok: false, error: message.error })
  }

  /** The host has gone: everything that waits for it is answered with a refusal. */
  close(): void {
    const pending = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const receive of pending) receive({ ok: false, error: "the host closed its input" })
  }
}
