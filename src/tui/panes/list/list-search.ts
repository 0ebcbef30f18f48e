import { matchesInText, type Parsed, parseQuery, type Range } from "../../transcript/list/find/query.ts"
import { cursorIndex, type Item, type ListContext, type ListState, movedTo } from "../../model/list-state.ts"

/** Searching a list pane: the patterns are those of the transcript, over the texts of its items. */

const NO_QUERY: Parsed = { problem: "There is no search to repeat. Begin one with / or ?." }

const queryOf = (pattern: string): Parsed => (pattern === "" ? NO_QUERY : parseQuery(pattern))

const matching = (pattern: string, items: ReadonlyArray<Item>): ReadonlyArray<number> => {
  const parsed = queryOf(pattern)
  if ("problem" in parsed) return []
  return items.flatMap((item, index) => (matchesInText(parsed.query, item.text ?? item.source).length > 0 ? [index] : []))
}

/** Why a search leads nowhere, if it does. */
export const searchProblem = (pattern: string, items: ReadonlyArray<Item>): string | undefined => {
  const parsed = queryOf(pattern)
  if ("problem" in parsed) return parsed.problem
  return matching(pattern, items).length === 0 ? `Pattern not found: ${pattern}` : undefined
}

export interface Found {
  readonly list: ListState
  readonly notice: string | undefined
}

/** Goes to a match in the direction of the search, or against it, so many matches away; it wraps and says so. */
export const searchAgain = (
  list: ListState,
  context: ListContext,
  by: { readonly reverse: boolean; readonly count: number }
): Found => {
  const problem = searchProblem(list.pattern, context.items)
  if (problem !== undefined) return { list, notice: problem }
  const places = matching(list.pattern, context.items)
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
export const searchWhileTyping = (
  before: ListState,
  pattern: string,
  at: { readonly backward: boolean; readonly context: ListContext }
): ListState => {
  const { backward, context } = at
  const typed = { ...before, pattern, backward, highlighted: pattern !== "" }
  const places = matching(pattern, context.items)
  const here = cursorIndex(before, context.items)
  const target = backward
    ? (places.findLast((place) => place <= here) ?? places.at(-1))
    : (places.find((place) => place >= here) ?? places[0])
  return target === undefined ? typed : movedTo(typed, target, context)
}

/** `3/47`: which of the matching items the cursor is on. */
export const matchPlace = (list: ListState, items: ReadonlyArray<Item>): string => {
  if (!list.highlighted) return ""
  const places = matching(list.pattern, items)
  return places.length === 0 ? "" : `${places.indexOf(cursorIndex(list, items)) + 1}/${places.length}`
}

/** Where the pattern stands in a text that is drawn. */
export const occurrences = ({ pattern, highlighted }: ListState, text: string): ReadonlyArray<Range> => {
  const parsed = highlighted ? queryOf(pattern) : NO_QUERY
  return "problem" in parsed ? [] : matchesInText(parsed.query, text)
}
