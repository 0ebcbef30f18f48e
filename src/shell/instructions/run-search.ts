import { Effect } from "effect"
import type { Done, Step, Wants } from "../../core/context/instructions/search.ts"
import type { Presence } from "../../core/domain/path/presence.ts"
import { Files } from "../../core/ports/Files.ts"
import { MOST_BYTES } from "../../core/context/instructions/collect.ts"

/** Gives a search for instruction files what it wants to know, until it is done. */

const AT_ONCE = 16

/** One answer for each real path; nothing for what cannot be had. */
const gather = <A, E, R>(
  all: ReadonlyArray<Presence>,
  get: (path: string, options: { readonly approvedRealPath: string }) => Effect.Effect<A, E, R>
) =>
  Effect.map(
    Effect.forEach(
      all,
      ({ path, realPath }) =>
        Effect.map(Effect.option(get(path, { approvedRealPath: realPath })), (found) =>
          found._tag === "None" ? ([realPath, undefined] as const) : ([realPath, found.value] as const)
        ),
      { concurrency: AT_ONCE }
    ),
    (pairs) => new Map(pairs)
  )

const answer = Effect.fnUntraced(function* ({ present, entries, bytes }: Wants) {
  const files = yield* Files
  const seen = yield* files.present(present)
  return {
    present: new Map(present.map((path, at) => [path, seen[at]] as const)),
    entries: yield* gather(entries, files.list),
    bytes: yield* gather(bytes, (path, options) =>
      Effect.map(files.read(path, { ...options, maxBytes: MOST_BYTES }), (content) => content.bytes)
    )
  }
})

export const runSearch = Effect.fnUntraced(function* (start: Step): Effect.fn.Return<Done, never, Files> {
  let step = start
  while (step._tag === "Wants") step = step.next(yield* answer(step))
  return step
})
