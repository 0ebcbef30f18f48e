import { LIMITS } from "../../domain/limits.ts"
import type { WebPage } from "./web-page.ts"

/** Pages fetched lately, by final URL. Oldest use first; full when the texts together reach the bound. */
export interface CachedPage {
  readonly page: WebPage
  readonly storedMs: number
}

export type PageCache = ReadonlyMap<string, CachedPage>

export const emptyPageCache: PageCache = new Map()

/** Two bytes per character, the most a text takes in memory. */
const sizeOf = ({ page }: CachedPage): number => (page.content._tag === "Text" ? page.content.text.length * 2 : 0)

const withinBound = (cache: PageCache): PageCache => {
  const kept = new Map(cache)
  let total = [...kept.values()].reduce((sum, entry) => sum + sizeOf(entry), 0)
  for (const [url, entry] of cache) {
    if (total <= LIMITS.webCacheBytes) break
    kept.delete(url)
    total -= sizeOf(entry)
  }
  return kept
}

export const store = (cache: PageCache, page: WebPage, nowMs: number): PageCache => {
  const next = new Map(cache)
  next.delete(page.url)
  next.set(page.url, { page, storedMs: nowMs })
  return withinBound(next)
}

/** The page under a URL if it is fresh, and the cache after this use. */
export const lookup = (
  cache: PageCache,
  url: string,
  time: { readonly nowMs: number; readonly ttlMs: number }
): readonly [WebPage | undefined, PageCache] => {
  const entry = cache.get(url)
  if (entry === undefined) return [undefined, cache]
  const next = new Map(cache)
  next.delete(url)
  if (time.nowMs - entry.storedMs >= time.ttlMs) return [undefined, next]
  next.set(url, entry)
  return [entry.page, next]
}
