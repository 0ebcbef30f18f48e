import { searchAgain, searchWhileTyping } from "./list/list-search.ts"
import { cancelSearch, openSearch, repeatSearch, typeSearch } from "../transcript/list/commands/search.ts"
import { paneOfId } from "../screen/layout/tree.ts"
import { withList } from "./list/focused-list.ts"
import { focusedList } from "./panes.ts"
import { type AppModel, type LineInput, withCurrent } from "../model/app-model.ts"
import { transcriptContextOf } from "../model/conversation/transcript-context.ts"

/** The line at the bottom of a pane: it opens, a search follows what is typed, and goes back to where it began. */

const isSearch = ({ kind }: LineInput): boolean => kind === "/" || kind === "?"

export const isOverTranscript = ({ pane }: LineInput): boolean => paneOfId(pane) === "transcript"

/** Changes the pane under a search line, whichever it is. */
const onPane = (
  model: AppModel,
  line: LineInput,
  by: { readonly transcript: (model: AppModel) => AppModel; readonly list: (model: AppModel) => AppModel }
): AppModel => {
  if (!isSearch(line)) return model
  return isOverTranscript(line) ? by.transcript(model) : by.list(model)
}

export const openLine = (
  model: AppModel,
  kind: LineInput["kind"],
  more: { readonly text?: string; readonly input?: string } = {}
): AppModel => {
  const text = more.text ?? ""
  const before = focusedList(model)?.list
  const line: LineInput = {
    kind,
    text,
    caret: text.length,
    history: 0,
    draft: "",
    pane: model.focus,
    ...(before === undefined ? {} : { before }),
    ...(more.input === undefined ? {} : { input: more.input })
  }
  return onPane({ ...model, line }, line, {
    transcript: (next) =>
      withCurrent(next, (session) => ({
        ...session,
        list: openSearch(session.list, kind === "?" ? -1 : 1, transcriptContextOf(next, session))
      })),
    list: (next) => next
  })
}

export const cancelLine = (model: AppModel, line: LineInput): AppModel =>
  onPane({ ...model, line: undefined }, line, {
    transcript: (next) => withCurrent(next, (session) => ({ ...session, list: cancelSearch(session.list) })),
    list: (next) => {
      const focused = focusedList(next)
      return focused === undefined || line.before === undefined ? next : withList(next, focused.pane, line.before)
    }
  })

export const typedLine = (model: AppModel, line: LineInput): AppModel =>
  onPane({ ...model, line }, line, {
    transcript: (next) =>
      withCurrent(next, (session) => ({
        ...session,
        list: typeSearch(session.list, line.text, transcriptContextOf(next, session))
      })),
    list: (next) => {
      const focused = focusedList(next)
      if (focused === undefined || line.before === undefined) return next
      return withList(
        next,
        focused.pane,
        searchWhileTyping(line.before, line.text, { backward: line.kind === "?", context: focused.context })
      )
    }
  })

/** The next or previous match while the line is open; accepting stays there. */
export const steppedLine = (model: AppModel, line: LineInput, same: boolean): AppModel =>
  onPane(model, line, {
    transcript: (next) =>
      withCurrent(next, (session) => ({
        ...session,
        list: repeatSearch(session.list, { count: 1, same }, transcriptContextOf(next, session))
      })),
    list: (next) => {
      const focused = focusedList(next)
      if (focused === undefined) return next
      const { list } = searchAgain(focused.list, focused.context, { reverse: !same, count: 1 })
      return withList(next, focused.pane, list)
    }
  })
