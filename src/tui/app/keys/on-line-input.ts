import type { IdsOf } from "../../keymap/actions/action-tables.ts"
import type { Handler, Handlers } from "../../model/action.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { pasteInto, updateField } from "../../editor/field.ts"
import { searchAgain, searchProblem } from "../../panes/list/list-search.ts"
import { acceptSearch, repeatSearch } from "../../transcript/list/commands/search.ts"
import { withCommands, notify, withoutCommands, type Update } from "../../model/update-result.ts"
import { completeLine } from "../commands/ex-complete.ts"
import { runEx } from "../commands/ex.ts"
import { withList } from "../../panes/list/focused-list.ts"
import { focusedList } from "../../panes/panes.ts"
import { cancelLine, isOverTranscript, steppedLine, typedLine } from "../../panes/line-input.ts"
import { type AppModel, type LineInput, withCurrent } from "../../model/app-model.ts"
import { onOutcome } from "../../panes/transcript/transcript-handlers.ts"
import { transcriptContextOf } from "../../model/conversation/transcript-context.ts"

/** The one-line editor at the bottom of a pane: commands, searches, what to pipe through (UI-122, UI-133, UI-138). */

const MOST_LINES = 200

const remembered = (lines: ReadonlyArray<string>, text: string): ReadonlyArray<string> =>
  text === "" ? lines : [text, ...lines.filter((line) => line !== text)].slice(0, MOST_LINES)

/** Nothing typed repeats the last search. */
const acceptOverList = (model: AppModel, line: LineInput): Update => {
  const focused = focusedList(model)
  if (focused === undefined) return withoutCommands(model)
  if (line.text !== "") {
    const problem = searchProblem(line.text, focused.context.items)
    return withoutCommands(problem === undefined ? model : notify(model, problem))
  }
  const { list, notice } = searchAgain({ ...focused.list, backward: line.kind === "?" }, focused.context, {
    reverse: false,
    count: 1
  })
  const moved = withList(model, focused.pane, list)
  return withoutCommands(notice === undefined ? moved : notify(moved, notice))
}

const acceptOverTranscript = (model: AppModel, line: LineInput): Update =>
  onOutcome(
    withCurrent(model, (session) => {
      const context = transcriptContextOf(model, session)
      const accepted = acceptSearch({ ...session.list, outcome: undefined }, context)
      return {
        ...session,
        list: line.text === "" ? repeatSearch(accepted, { count: 1, same: true }, context) : accepted
      }
    })
  )

const accept = (model: AppModel, line: LineInput): Update => {
  const closed = { ...model, line: undefined }
  switch (line.kind) {
    case ":":
      return runEx({ ...closed, exHistory: remembered(model.exHistory, line.text) }, line.text)
    case "!":
      if (line.text.trim() === "") return withoutCommands(closed)
      return withCommands(
        { ...closed, exHistory: remembered(model.exHistory, `!${line.text}`) },
        { _tag: "PipeThrough", session: model.current, command: line.text, input: line.input ?? "" }
      )
    default: {
      const searched = { ...closed, searches: remembered(model.searches, line.text) }
      return isOverTranscript(line) ? acceptOverTranscript(searched, line) : acceptOverList(searched, line)
    }
  }
}

const recalled = (model: AppModel, line: LineInput, by: 1 | -1): LineInput => {
  const lines = line.kind === "/" || line.kind === "?" ? model.searches : model.exHistory
  const at = Math.max(0, Math.min(line.history + by, lines.length))
  const draft = line.history === 0 ? line.text : line.draft
  const text = at === 0 ? draft : (lines[at - 1] ?? "")
  return { ...line, history: at, draft, text, caret: text.length }
}

interface AtLine {
  readonly model: AppModel
  readonly line: LineInput
}

const recall =
  (by: 1 | -1): Handler<AtLine> =>
  ({ model, line }) =>
    withoutCommands(typedLine(model, recalled(model, line, by)))

const goToMatch =
  (isNext: boolean): Handler<AtLine> =>
  ({ model, line }) =>
    withoutCommands(steppedLine(model, line, isNext))

export const LINE_HANDLERS: Handlers<IdsOf<"CommandLine">, AtLine> = {
  "commandLine:accept": ({ model, line }) => accept(model, line),
  "commandLine:cancel": ({ model, line }) => withoutCommands(cancelLine(model, line)),
  "commandLine:previous": recall(1),
  "commandLine:next": recall(-1),
  "commandLine:complete": ({ model, line }) => completeLine(model, line, 1),
  "commandLine:completePrevious": ({ model, line }) => completeLine(model, line, -1),
  "commandLine:nextMatch": goToMatch(true),
  "commandLine:previousMatch": goToMatch(false)
}

/** A key that is none of the actions edits the line; going back from an empty one leaves it. */
export const onLineKey = (model: AppModel, line: LineInput, stroke: Stroke): Update => {
  if (stroke === "<BS>" && line.text === "") return withoutCommands(cancelLine(model, line))
  const field = updateField(line, stroke)
  return withoutCommands(field === undefined ? model : typedLine(model, { ...line, ...field }))
}

export const onLinePaste = (model: AppModel, line: LineInput, text: string): AppModel =>
  typedLine(model, { ...line, ...pasteInto({ text: line.text, caret: line.caret }, text) })
