import { Effect } from "effect"
import type { HookEvent } from "../../../core/loop/machine/state.ts"
import type { HostAnswer, HostLink } from "./host-link.ts"

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

/** How a hook callback came back. */
export type HookAnswer = HostAnswer & { readonly onFailure: HostHook["onFailure"] }

export interface HookCallOptions {
  readonly hooks: () => HostHooks
  /** Adds to an event's own fields what every hook is told. */
  readonly hookInput: (event: HostHookEvent, input: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
}

/** What a matcher is compared with: the tool of a call, or what brought a compaction about. */
const subjectOf = (input: Readonly<Record<string, unknown>>): unknown => input["tool_name"] ?? input["trigger"]

const matches = (hook: HostHook, subject: unknown): boolean => {
  if (hook.matcher === undefined || hook.matcher === "" || hook.matcher === "*") return true
  if (typeof subject !== "string") return true
  try {
    return new RegExp(`^(?:${hook.matcher})$`).test(subject)
  } catch {
    return hook.matcher === subject
  }
}

/** Calls of the host's hooks, each of which is answered in time, fails, or is called off. */
export class HookCalls {
  readonly #link: HostLink
  readonly #options: HookCallOptions
  readonly #open = new Set<() => void>()

  constructor(link: HostLink, options: HookCallOptions) {
    this.#link = link
    this.#options = options
  }

  callsFor(event: HostHookEvent, input: Readonly<Record<string, unknown>>): ReadonlyArray<Effect.Effect<HookAnswer>> {
    const hooks = (this.#options.hooks()[event] ?? []).filter((hook) => matches(hook, subjectOf(input)))
    const whole = this.#options.hookInput(event, input)
    return hooks.flatMap((hook) => hook.callbackIds.map((id) => this.#call(hook, id, whole)))
  }

  callOff(): void {
    for (const callOff of this.#open) callOff()
  }

  #call(hook: HostHook, callbackId: string, input: Readonly<Record<string, unknown>>): Effect.Effect<HookAnswer> {
    return Effect.callback<HostAnswer>((resume) => {
      const settle = (answer: HostAnswer): void => {
        this.#open.delete(callOff)
        resume(Effect.succeed(answer))
      }
      const callOff = (): void => {
        cancel()
        settle({ ok: false, error: "the turn has ended" })
      }
      const request = { subtype: "hook_callback", callback_id: callbackId, input, tool_use_id: input["tool_use_id"] }
      const cancel = this.#link.send(request, settle)
      this.#open.add(callOff)
      return Effect.sync(callOff)
    }).pipe(
      Effect.timeoutOrElse({
        duration: hook.timeoutMs,
        orElse: () => Effect.succeed<HostAnswer>({ ok: false, error: `no answer within ${hook.timeoutMs} ms` })
      }),
      Effect.map((answer): HookAnswer => ({ ...answer, onFailure: hook.onFailure }))
    )
  }
}
