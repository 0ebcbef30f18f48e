import { Cause, Effect, Fiber, Option } from "effect"
import type { Items, SourceKind, Want } from "../../core/context/sources/source.ts"
import { LIMITS } from "../../core/domain/limits.ts"
import type { Occurrence } from "../../core/loop/machine/event.ts"
import type { Command } from "../../core/loop/machine/command.ts"
import { LOOKS, type LookPlace, type LookPorts } from "./looks.ts"

export type ContextPlace = Omit<LookPlace, "want" | "cwd">

type CollectContext = Extract<Command, { _tag: "CollectContext" }>

/** What a look brings, at once or in a second part. */
export type ContextSeen = Pick<Extract<Occurrence, { _tag: "ContextRead" }>, "failed" | "isLast" | "look">

type Seen =
  | { readonly kind: SourceKind; readonly items: Items<SourceKind> }
  | { readonly kind: SourceKind; readonly cause: string }

const lookAt = (place: LookPlace): Effect.Effect<Seen, never, LookPorts> => {
  const { kind } = place.want
  const items: Effect.Effect<Items<SourceKind>, unknown, LookPorts> = LOOKS[kind](place)
  return Effect.matchCause(items, {
    onSuccess: (seen): Seen => ({ kind, items: seen }),
    onFailure: (cause): Seen => ({ kind, cause: Cause.pretty(cause) })
  })
}

const seenIn = (seen: ReadonlyArray<Seen>, isLast: boolean): ContextSeen => ({
  look: Object.fromEntries(seen.flatMap((one) => ("items" in one ? [[one.kind, one.items]] : []))),
  isLast,
  failed: seen.flatMap((one) => ("cause" in one ? [one] : []))
})

/** Looks at everything that is wanted, side by side, however long it takes. */
export const lookAtAll = (place: ContextPlace, { wants, cwd }: Pick<CollectContext, "cwd" | "wants">) =>
  Effect.map(
    Effect.forEach(wants, (want: Want) => lookAt({ ...place, cwd, want }), { concurrency: "unbounded" }),
    (seen) => seenIn(seen, true).look
  )

/** The request waits a little longer than this; so what was quick is there when it goes out. */
const QUICK_MS = 0.8 * LIMITS.contextMs

/** Looks at everything that is wanted, side by side. What is slow comes in a second part, what fails is left out. */
export const collectContext = Effect.fnUntraced(function* (
  place: ContextPlace,
  { wants, cwd }: CollectContext,
  report: (seen: ContextSeen) => void
): Effect.fn.Return<void, never, LookPorts> {
  const seen: Array<Seen> = []
  const looks = Effect.forEach(wants, (want: Want) => Effect.map(lookAt({ ...place, cwd, want }), (one) => seen.push(one)), {
    concurrency: "unbounded",
    discard: true
  })
  const all = Fiber.join(yield* Effect.forkChild(looks))
  const isQuick = Option.isSome(yield* Effect.timeoutOption(all, QUICK_MS))
  report(seenIn(seen.splice(0), isQuick))
  if (isQuick) return
  yield* all
  report(seenIn(seen, true))
})
