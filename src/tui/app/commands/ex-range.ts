import { resolvePlace } from "../../transcript/list/commands/go-to-place.ts"
import { cursorPlace } from "../../transcript/list/state/cursor.ts"
import {
  type BlockAt,
  blockAt,
  type Entries,
  firstBlockFrom,
  lastBlockUntil,
  locate,
  type Place,
  placeIn
} from "../../transcript/list/index/entries.ts"
import { orderPlaces, rangeBetween, textOf } from "../../transcript/list/state/ranges.ts"
import { selectedText } from "../../transcript/list/commands/selection.ts"
import type { AppModel } from "../../model/app-model.ts"
import type { SessionModel } from "../../model/session-model.ts"
import { transcriptContextOf } from "../../model/conversation/transcript-context.ts"
import { transcriptMarkdown } from "../../panes/transcript/transcript-text.ts"

/** Ranges of the command line over the transcript. A number counts messages, else it is a place. */
export interface ExRange {
  readonly from: string
  readonly to: string
}

const PATTERN = String.raw`/(?:\\.|[^/\\])+/|\?(?:\\.|[^?\\])+\?`
const PLACE = String.raw`(?:[.$]|'[<>a-zA-Z]|\d+|${PATTERN})`
const RANGE = new RegExp(String.raw`^(?:(%)|(${PLACE})(?:\s*,\s*(${PLACE}))?)\s*`)

/** The range before a command, and the command. */
export const splitRange = (line: string): { readonly range: ExRange | undefined; readonly rest: string } => {
  const match = RANGE.exec(line)
  if (match === null) return { range: undefined, rest: line }
  const [whole, all, from = "", to] = match
  const range = all === undefined ? { from, to: to ?? from } : { from: "%", to: "%" }
  return { range, rest: line.slice(whole.length) }
}

const endOf = (entries: Entries, index: number): Place | undefined => {
  const last = lastBlockUntil(entries, index)
  return last === undefined ? undefined : placeIn(last, Math.max(0, last.block.source.length - 1))
}

const startOf = (entries: Entries, index: number): Place | undefined => {
  const first = blockAt(entries, index, 0) ?? firstBlockFrom(entries, index)
  return first === undefined ? undefined : placeIn(first, 0)
}

/** The next text that holds a pattern, seen from the cursor and round the end; upwards for `?`. Case as in a search. */
const placeOfPattern = (entries: Entries, word: string, from: Place | undefined): Place | undefined => {
  const direction = word.startsWith("/") ? 1 : -1
  const pattern = word.slice(1, -1).replace(/\\(.)/g, "$1")
  const hasCapital = pattern !== pattern.toLowerCase()
  const offsetIn = ({ block }: BlockAt): number =>
    hasCapital ? block.source.indexOf(pattern) : block.source.toLowerCase().indexOf(pattern)
  const { count } = entries.tree
  const start = from === undefined ? 0 : (locate(entries, from)?.index ?? 0)
  for (let step = 1; step <= count; step++) {
    const index = (((start + direction * step) % count) + count) % count
    for (let ordinal = 0; ; ordinal++) {
      const at = blockAt(entries, index, ordinal)
      if (at === undefined) break
      const offset = offsetIn(at)
      if (offset >= 0) return placeIn(at, offset)
    }
  }
  return undefined
}

const placeOf = (
  model: AppModel,
  session: SessionModel,
  at: { readonly word: string; readonly isEnd: boolean }
): Place | undefined => {
  const { list } = session
  const { word, isEnd } = at
  if (/^\d+$/.test(word)) return (isEnd ? endOf : startOf)(list.entries, Number(word) - 1)
  if (/^[/?]/.test(word)) {
    return placeOfPattern(list.entries, word, cursorPlace(list, transcriptContextOf(model, session)))
  }
  if (word === ".") return cursorPlace(list, transcriptContextOf(model, session))
  if (word === "$") return endOf(list.entries, list.entries.tree.count - 1)
  const selection = list.selection ?? list.lastSelection
  if (word === "'<" || word === "'>") {
    const [first, last] = selection === undefined ? [] : orderPlaces(list.entries, selection.anchor, selection.head)
    return word === "'<" ? first : last
  }
  const letter = word.slice(1)
  const global = model.globalMarks.get(letter)
  const mark = list.marks.get(letter) ?? (global?.session === session.id ? global.place : undefined)
  return mark === undefined ? undefined : resolvePlace(list, mark)
}

/** Where a range ends, which is where it leads when no command follows; a number leads to the first line of its message. */
export const rangePlace = (model: AppModel, session: SessionModel, { to }: ExRange): Place | undefined =>
  to === "%" ? undefined : placeOf(model, session, { word: to, isEnd: to === "$" })

/** The text of a range; undefined when one of its ends is not there. */
export const rangeText = (model: AppModel, session: SessionModel, range: ExRange): string | undefined => {
  const { list } = session
  if (range.from === "%") return transcriptMarkdown(session)
  const selection = list.selection ?? list.lastSelection
  if (range.from === "'<" && range.to === "'>" && selection !== undefined) {
    return selectedText(list, selection, transcriptContextOf(model, session))
  }
  const from = placeOf(model, session, { word: range.from, isEnd: false })
  const to = placeOf(model, session, { word: range.to, isEnd: true })
  const between = from === undefined || to === undefined ? undefined : rangeBetween(list.entries, [from, to], "line")
  return between === undefined ? undefined : textOf(list.entries, between)
}
