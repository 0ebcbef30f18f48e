import { Effect } from "effect"
import type { Items, Look, SourceKind, Want } from "../../core/context/sources/source.ts"
import type { Command } from "../../core/loop/machine/command.ts"
import { LOOKS, type LookPlace, type LookPorts } from "./looks.ts"

export type ContextPlace = Pick<LookPlace, "plan" | "memory" | "instructions">

type CollectContext = Extract<Command, { _tag: "CollectContext" }>

type Seen = readonly [SourceKind, Items<SourceKind>]

const seenAs =
  (kind: SourceKind) =>
  (items: Items<SourceKind>): Seen => [kind, items]

const lookAt = (place: LookPlace): Effect.Effect<Seen | undefined, never, LookPorts> => {
  const { kind } = place.want
  const items: Effect.Effect<Items<SourceKind>, unknown, LookPorts> = LOOKS[kind](place)
  return Effect.catchCause(Effect.map(items, seenAs(kind)), () => Effect.succeed(undefined))
}

/** Looks at everything that is wanted, side by side. What fails is absent. */
export const collectContext = (place: ContextPlace, { wants, cwd }: CollectContext): Effect.Effect<Look, never, LookPorts> =>
  Effect.map(
    Effect.forEach(wants, (want: Want) => lookAt({ ...place, cwd, want }), { concurrency: "unbounded" }),
    (seen) => Object.fromEntries(seen.filter((entry) => entry !== undefined))
  )
