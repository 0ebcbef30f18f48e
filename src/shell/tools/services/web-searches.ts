import { Context, Effect, Layer, Ref } from "effect"

/** How many searches the agents of a session have made together. */
export class WebSearches extends Context.Service<
  WebSearches,
  {
    /** Takes one of so many; false when all are used up. */
    readonly take: (most: number) => Effect.Effect<boolean>
  }
>()("nacre/shell/WebSearches") {}

export const layer: Layer.Layer<WebSearches> = Layer.effect(
  WebSearches,
  Effect.map(Ref.make(0), (made) => ({
    take: (most) => Ref.modify(made, (count) => (count < most ? [true, count + 1] : [false, count]))
  }))
)
