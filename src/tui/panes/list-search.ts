import { cursorIndex, type Item, type ListContext, type ListState, movedTo } from "./list-state.ts"

/** Searching a list pane: literal, over the sources of its items; lower case finds both cases. */

const matcher = (pattern: string): ((text: string) => number) => {
  const exact = pattern !== pattern.toLowerCase()
  const wanted = exact ? pattern : pattern.toLowerCase()
  return (text) => (exact ? text : text.toLowerCase()).indexOf(wanted)
}

const matching = (pattern: string, items: ReadonlyArray<Item>): ReadonlyArray<number> => {
  if (pattern === "") return []
  const find = matcher(pattern)
  return items.flatMap(({ source }, index) => (find(source) >= 0 ? [index] : []))
}

export interface Found {
  readonly list: ListState
  readonly notice: string | undefined
}

/** Goes to a match in the direction of the search, or against it, so many matches away; it wraps and says so. */
export const searchAgain = (list: ListState, context: ListContext, by: { readonly reverse: boolean; readonly count: number }): Found => {
  const places = matching(list.pattern, context.items)
  if (places.length === 0) {
    return { list, notice: list.pattern === "" ? "There is no search to repeat. Begin one with / or ?." : `Pattern not found: ${list.pattern}` }
  }
  const isForward = list.backward === by.reverse
  const at = cursorIndex(list, context.items)
  const passed = isForward ? places.filter((place) => place <= at).length : places.filter((place) => place < at).length
  const wish = isForward ? passed + by.count - 1 : passed - by.count
  const target = places[((wish % places.length) + places.length) % places.length] ?? at
  const hasWrapped = wish < 0 || wish >= places.length
  const words = isForward ? "search hit BOTTOM, continuing at TOP" : "search hit TOP, continuing at BOTTOM"
  return { list: { ...movedTo(list, target, context), highlighted: true }, notice: hasWrapped ? words : undefined }
}

/** The first match at or after where the search began, while it is typed. */
export const searchWhileTyping = (before: ListState, pattern: string, at: { readonly backward: boolean; readonly context: ListContext }): ListState => {
  const { backward, context } = at
  const typed = { ...before, pattern, backward, highlighted: pattern !== "" }
  const places = matching(pattern, context.items)
  const here = cursorIndex(before, context.items)
  const target = backward ? (places.findLast((place) => place <= here) ?? places.at(-1)) : (places.find((place) => place >= here) ?? places[0])
  return target === undefined ? typed : movedTo(typed, target, context)
}

/** `3/47`: which of the matching items the cursor is on. */
export const matchPlace = (list: ListState, items: ReadonlyArray<Item>): string => {
  if (!list.highlighted) return ""
  const places = matching(list.pattern, items)
  return places.length === 0 ? "" : `${places.indexOf(cursorIndex(list, items)) + 1}/${places.length}`
}

/** Where the pattern stands in a text that is drawn. */
export const occurrences = ({ pattern, highlighted }: ListState, text: string): ReadonlyArray<{ readonly start: number; readonly end: number }> => {
  if (!highlighted || pattern === "") return []
  const find = matcher(pattern)
  const found: Array<{ readonly start: number; readonly end: number }> = []
  for (let from = 0; from < text.length; ) {
    const at = find(text.slice(from))
    if (at < 0) break
    found.push({ start: from + at, end: from + at + pattern.length })
    from += at + pattern.length
  }
  return found
}
