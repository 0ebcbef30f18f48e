import { Context, Effect, Layer, type Scope, Stream, SubscriptionRef } from "effect"
import type { ToolEntry } from "../../core/tools/tool-entry.ts"
import type { ToolServices } from "./built-in-tools.ts"
import type { BoundExecutor } from "./contract/bound-executor.ts"

/** A tool and who runs its calls. */
export interface ProvidedTool<Services = ToolServices> {
  readonly entry: ToolEntry
  readonly executor: BoundExecutor<Services>
}

/** A source of tools, which may come and go. */
export type ToolProvider = SubscriptionRef.SubscriptionRef<ReadonlyArray<ProvidedTool>>

/** All tools of a session, whoever brings them. */
export class Toolbox extends Context.Service<
  Toolbox,
  {
    /** Its tools are there until the scope closes. A name that is taken stays with whoever had it first. */
    readonly add: (provider: ToolProvider) => Effect.Effect<void, never, Scope.Scope>
    /** The tools of this moment, by the names the model uses. */
    readonly current: () => ReadonlyMap<string, ProvidedTool>
    /** Now, and whenever a provider comes, changes or goes. */
    readonly changes: Stream.Stream<unknown>
  }
>()("nacre/shell/Toolbox") {}

const merged = (providers: ReadonlyArray<ToolProvider>): ReadonlyMap<string, ProvidedTool> =>
  new Map(
    providers
      .flatMap(SubscriptionRef.getUnsafe)
      .toReversed()
      .map((tool) => [tool.entry.definition.name, tool])
  )

export const layer: Layer.Layer<Toolbox> = Layer.effect(
  Toolbox,
  Effect.gen(function* () {
    const providers = yield* SubscriptionRef.make<ReadonlyArray<ToolProvider>>([])
    return {
      add: (provider) =>
        Effect.acquireRelease(
          SubscriptionRef.update(providers, (others) => [...others, provider]),
          () => SubscriptionRef.update(providers, (all) => all.filter((each) => each !== provider))
        ),
      current: () => merged(SubscriptionRef.getUnsafe(providers)),
      changes: SubscriptionRef.changes(providers).pipe(
        Stream.switchMap((all) => Stream.mergeAll(all.map(SubscriptionRef.changes), { concurrency: "unbounded" }))
      )
    }
  })
)
