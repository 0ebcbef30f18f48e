import type { Happening } from "../../model/msg.ts"

/**
 * Pieces of one streamed text that come between two frames are taken in together: the screen is the same, and a long
 * answer is laid out once per frame instead of once per piece.
 */
type Streamed = Extract<Happening, { readonly _tag: "Session" }> & {
  readonly news: Extract<Extract<Happening, { readonly _tag: "Session" }>["news"], { readonly _tag: "Streamed" }>
}

const isStreamed = (happening: Happening): happening is Streamed =>
  happening._tag === "Session" && happening.news._tag === "Streamed"

/** Only texts can wait: everything else is told at once. */
export const canWait = (happening: Happening): boolean => {
  if (!isStreamed(happening) || happening.news.event.type !== "content_block_delta") return false
  const { type } = happening.news.event.delta
  return type === "text_delta" || type === "thinking_delta"
}

/** One happening for two that follow each other; undefined when they are about different texts. */
export const joined = (first: Happening, second: Happening): Happening | undefined => {
  if (!isStreamed(first) || !isStreamed(second) || first.session !== second.session) return undefined
  const [a, b] = [first.news.event, second.news.event]
  if (a.type !== "content_block_delta" || b.type !== "content_block_delta" || a.index !== b.index) return undefined
  if (a.delta.type === "text_delta" && b.delta.type === "text_delta") {
    return {
      ...second,
      news: { ...second.news, event: { ...b, delta: { ...b.delta, text: a.delta.text + b.delta.text } } }
    }
  }
  if (a.delta.type === "thinking_delta" && b.delta.type === "thinking_delta") {
    return {
      ...second,
      news: { ...second.news, event: { ...b, delta: { ...b.delta, thinking: a.delta.thinking + b.delta.thinking } } }
    }
  }
  return undefined
}

/** The text that a happening brings, if it is one that can wait. */
export const textOf = (happening: Happening): string => {
  const delta =
    isStreamed(happening) && happening.news.event.type === "content_block_delta" ? happening.news.event.delta : undefined
  if (delta?.type === "text_delta") return delta.text
  return delta?.type === "thinking_delta" ? delta.thinking : ""
}

const withText = (happening: Streamed, text: string): Happening => {
  const { event } = happening.news
  if (event.type !== "content_block_delta") return happening
  const { delta } = event
  if (delta.type === "text_delta") {
    return { ...happening, news: { ...happening.news, event: { ...event, delta: { ...delta, text } } } }
  }
  if (delta.type !== "thinking_delta") return happening
  return { ...happening, news: { ...happening.news, event: { ...event, delta: { ...delta, thinking: text } } } }
}

/** What is told now and what later, cut behind so many characters of the text. */
export const split = (happening: Happening, at: number): readonly [now: Happening, later: Happening | undefined] => {
  const text = textOf(happening)
  if (!isStreamed(happening) || at >= text.length) return [happening, undefined]
  return [withText(happening, text.slice(0, at)), withText(happening, text.slice(at))]
}
