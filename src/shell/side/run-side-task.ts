import { Cause, Effect } from "effect"
import type { Command } from "../../core/loop/machine/command.ts"
import type { Occurrence, SideEnd } from "../../core/loop/machine/event.ts"
import { describeFailure } from "../../core/model/failure/describe-failure.ts"
import type { Model } from "../../core/ports/Model.ts"
import { askModel } from "../model/call-model.ts"

type StartSide = Extract<Command, { readonly _tag: "StartSide" }>

/** Asks once. Whatever happens, its end is reported with what it cost, also when it was told to stop. */
export const runSideTask = (
  offer: (occurrence: Occurrence) => void,
  { sideId, request, timeoutMs }: StartSide
): Effect.Effect<void, never, Model> => {
  let spent: SideEnd["spent"] = []
  const failed = (cause: string): void => offer({ _tag: "SideFailed", sideId, cause, spent })
  return askModel(request, ({ model, usage }) => (spent = [{ model, usage }])).pipe(
    Effect.timeoutOrElse({
      duration: timeoutMs,
      orElse: () => Effect.fail(`no answer within ${timeoutMs / 1_000} seconds`)
    }),
    Effect.match({
      onSuccess: ({ text }) => offer({ _tag: "SideSettled", sideId, answer: { text }, spent }),
      onFailure: (failure) => failed(typeof failure === "string" ? failure : describeFailure(failure))
    }),
    Effect.catchCause((cause) => Effect.sync(() => failed(Cause.pretty(cause)))),
    Effect.onInterrupt(() => Effect.sync(() => failed("stopped")))
  )
}
