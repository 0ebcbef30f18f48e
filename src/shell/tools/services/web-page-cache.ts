import { Clock, Context, Effect, Layer, Ref } from "effect"
import type { WebPage } from "../../../core/tools/web/web-page.ts"
import { emptyPageCache, lookup, store } from "../../../core/tools/web/page-cache.ts"

/** Pages fetched lately, shared by all sessions of the process. */
export class Pages extends Context.Service<
  Pages,
  {
    /** The page under a final URL, unless it is older than `ttlMs`. */
    readonly recall: (url: string, ttlMs: number) => Effect.Effect<WebPage | undefined>
    readonly remember: (page: WebPage) => Effect.Effect<void>
  }
>()("nacre/shell/Pages") {}

const makePages: Effect.Effect<Pages["Service"]> = Effect.map(Ref.make(emptyPageCache), (cache) => ({
  recall: (url, ttlMs) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
      Ref.modify(cache, (current) => lookup(current, url, { nowMs, ttlMs }))
    ),
  remember: (page) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) => Ref.update(cache, (current) => store(current, page, nowMs)))
}))

export const layer: Layer.Layer<Pages> = Layer.effect(Pages, makePages)
