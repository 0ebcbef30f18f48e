import { currentModel, statusOf } from "../../core/loop/turn/send-request.ts"
import { modeName } from "../editor/vim/mode.ts"
import { ansiLines, ansiSpans, feedAnsi, startAnsi } from "../text/ansi/ansi.ts"
import type { Span } from "../screen/style/row.ts"
import { changedFiles } from "../transcript/entries/select.ts"
import { withCommands, withoutCommands, type Update } from "./update-result.ts"
import { type AppModel, currentSession, sizeClass } from "./app-model.ts"
import { AWAITED, type SessionModel } from "./session-model.ts"

/** Rows that a command of the user prints under the prompt: when it is asked again, and what it said last. */
export interface StatusLineModel {
  readonly rows: ReadonlyArray<ReadonlyArray<Span>>
  /** What it was asked about last. */
  readonly asked: StatusFacts | undefined
}

export const NO_STATUS_LINE: StatusLineModel = { rows: [], asked: undefined }

/** What a change of is worth asking again. */
interface StatusFacts {
  readonly command: string
  readonly session: string
  readonly messages: number
  readonly mode: string
  readonly model: string
  readonly effort: string
  readonly vim: string
  readonly usedTokens: number
  readonly title: string
  readonly cwd: string
  readonly columns: number
}

const MOST_ROWS = 3

/** How many rows the command has; while it has said nothing yet there is one, so that nothing jumps. */
export const statusLineRows = (model: AppModel): number => {
  if (model.options.statusLine === undefined) return 0
  const most = sizeClass(model) === "tiny" || sizeClass(model) === "below" ? 1 : MOST_ROWS
  return Math.max(1, Math.min(most, model.statusLine.rows.length))
}

/** Colours and safe links of what was printed; every other sequence goes. */
export const onStatusLine = (model: AppModel, text: string): AppModel => {
  const lines = ansiLines(feedAnsi(startAnsi({ links: true }), text.trimEnd())).slice(0, MOST_ROWS)
  return { ...model, statusLine: { ...model.statusLine, rows: lines.map(ansiSpans) } }
}

const vimOf = ({ prompt: { editor } }: SessionModel): string => (editor._tag === "Vim" ? modeName(editor.vim) : "")

const factsOf = (model: AppModel, session: SessionModel, command: string): StatusFacts => {
  const { state } = session
  return {
    command,
    session: session.id,
    messages: state.conversation.messages.length,
    mode: state.permission.mode,
    model: currentModel(state),
    effort: state.config.choice.effort ?? "",
    vim: vimOf(session),
    usedTokens: statusOf(state).usedTokens,
    title: session.title ?? "",
    cwd: state.cwd,
    columns: model.size.columns
  }
}

const isSame = (one: StatusFacts, other: StatusFacts | undefined): boolean =>
  other !== undefined && (Object.keys(one) as ReadonlyArray<keyof StatusFacts>).every((name) => one[name] === other[name])

/** Asks the command again where something changed that it gets to know. */
export const askStatusLine = (model: AppModel): Update => {
  const { statusLine } = model.options
  const session = currentSession(model)
  if (statusLine === undefined || session === undefined || session.id === AWAITED) return withoutCommands(model)
  const facts = factsOf(model, session, statusLine.command)
  if (isSame(facts, model.statusLine.asked)) return withoutCommands(model)
  const files = changedFiles(session.transcript)
  return withCommands(
    { ...model, statusLine: { ...model.statusLine, asked: facts } },
    {
      _tag: "RunStatusLine",
      session: session.id,
      title: session.title,
      vim: facts.vim === "" ? undefined : facts.vim,
      size: model.size,
      linesAdded: files.reduce((sum, { added }) => sum + added, 0),
      linesRemoved: files.reduce((sum, { removed }) => sum + removed, 0)
    }
  )
}
