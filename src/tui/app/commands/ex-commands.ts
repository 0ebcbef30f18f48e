import { newPicker, openOverlay } from "../../model/open-overlay.ts"
import { MAP_COMMANDS } from "../../keymap/mappings.ts"
import { NEW_LIST } from "../../model/list-state.ts"
import { fieldOf } from "../../editor/field.ts"
import { cursorPlace } from "../../transcript/list/state/cursor.ts"
import { rangeBetween, textOf } from "../../transcript/list/state/ranges.ts"
import { absolutePath } from "../../text/absolute-path.ts"
import { focusedPane } from "../../model/windows/layout-and-focus.ts"
import { withCommands, notify, withoutCommands, type Update } from "../../model/update-result.ts"
import { withWhole } from "../../model/conversation/history-paging.ts"
import { type ExCommand, listing, type Run } from "../../model/ex-command.ts"
import { runMapCommand } from "./ex-map.ts"
import { WINDOW_COMMANDS } from "./ex-windows.ts"
import { withList } from "../../panes/list/focused-list.ts"
import { focusedList } from "../../panes/panes.ts"
import { requestExit } from "../../overlays/dialogs/request-exit.ts"
import { jumpLines, markLines } from "../../panes/transcript/global-marks.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import { openDeepSearch } from "../../overlays/pickers/on-browser.ts"
import { runComment, runComments } from "../../panes/changes/review-actions.ts"
import { setOption } from "../../model/set-option.ts"
import { TRANSCRIPT_ACTIONS } from "../../panes/transcript/transcript-actions.ts"
import { transcriptContextOf } from "../../model/conversation/transcript-context.ts"
import { exportedMarkdown } from "../../panes/transcript/transcript-text.ts"
import { defineCommand, deleteCommand } from "./user-commands.ts"
import { closePane, showPane } from "../../model/windows/window-actions.ts"
import { yank } from "../../model/prompt/shared-registers.ts"

/** What the commands of the command line do (UI-139). */

const fileCommand =
  (words: string, run: (model: AppModel, path: string) => Update): Run =>
  (model, { argument }) =>
    argument === ""
      ? withoutCommands(notify(model, words))
      : run(model, absolutePath(argument, currentSession(model)?.cwd ?? ""))

const write: Run = (model, { argument, text }) => {
  const session = currentSession(model)
  if (session === undefined) return withoutCommands(model)
  if (argument === "") return withoutCommands(notify(model, "say where to: :w FILE"))
  const path = absolutePath(argument, session.cwd)
  if (text !== undefined) return withCommands(model, { _tag: "WriteFile", path, text })
  return withWhole(model, session.id, (next, whole) =>
    withCommands(next, { _tag: "WriteFile", path, text: exportedMarkdown(whole) })
  )
}

/** `:q` closes a pane; where there is none to close it leaves. */
const quit: Run = (model, { bang }) => {
  if (bang) return withCommands(model, { _tag: "Quit", code: 0 })
  const isSplit = model.focus.startsWith("transcript:")
  return focusedPane(model) === "prompt" || (focusedPane(model) === "transcript" && !isSplit)
    ? requestExit(model)
    : withoutCommands(closePane(model))
}

const unmark: Run = (model, { argument, bang }) => {
  if (argument === "" && !bang) {
    return withoutCommands(notify(model, "say which: :delmarks ab, or :delmarks! for all", { style: "error" }))
  }
  const kept = <T>(marks: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    new Map([...marks].filter(([name]) => !bang && !argument.includes(name)))
  const global = bang ? model.globalMarks : kept(model.globalMarks)
  return withoutCommands(
    withCurrent({ ...model, globalMarks: global }, (each) => ({
      ...each,
      list: { ...each.list, marks: kept(each.list.marks) }
    }))
  )
}

const noHighlight: Run = (model) => {
  const focused = focusedList(model)
  if (focused !== undefined) return withoutCommands(withList(model, focused.pane, { ...focused.list, highlighted: false }))
  return withoutCommands(
    withCurrent(model, (each) => ({
      ...each,
      list: { ...each.list, search: { ...each.list.search, highlighted: false } }
    }))
  )
}

/** The line under the cursor, or the range. */
const yankText: Run = (model, { text }) => {
  const here = currentSession(model)
  if (here === undefined) return withoutCommands(model)
  const place = cursorPlace(here.list, transcriptContextOf(model, here))
  const line = place === undefined ? undefined : rangeBetween(here.list.entries, [place, place], "line")
  const taken = text ?? (line === undefined ? undefined : textOf(here.list.entries, line))
  return taken === undefined
    ? withoutCommands(notify(model, "there is nothing to yank"))
    : yank(model, taken, { what: "", type: text === undefined ? "line" : "char" })
}

/** `:g/pattern/` lists the messages that hold it. */
const global: Run = (model, { argument }) => {
  const delimiter = argument[0] ?? "/"
  const pattern = argument.slice(1).split(delimiter, 1)[0] ?? ""
  if (pattern === "") return withoutCommands(notify(model, "say what to look for: :g/text/", { style: "error" }))
  const listed = withCurrent(model, (each) => ({
    ...each,
    outputOf: { _tag: "Matches", pattern },
    lists: { ...each.lists, output: NEW_LIST }
  }))
  return withoutCommands(showPane(listed, "output"))
}

const help: Run = (model, { argument }) => {
  const picker = newPicker("help")
  return withoutCommands(openOverlay(model, { ...picker, picker: { ...picker.picker, filter: fieldOf(argument) } }))
}

const find: Run = (model, { argument }) => openDeepSearch(model, argument)

/** How it is known what the terminal can do. */
const sourceOf = ({ answered, options }: AppModel, name: string): string => {
  if (options.fixedCaps.includes(name)) return "set"
  return answered.includes(name) ? "answered" : "assumed"
}

const caps: Run = (model) =>
  listing(
    model,
    "terminal",
    Object.entries(model.caps).map(
      ([name, value]) =>
        `${name}: ${typeof value === "object" ? JSON.stringify(value) : String(value)} (${sourceOf(model, name)})`
    )
  )

const registers: Run = (model) => {
  const editor = currentSession(model)?.prompt.editor
  const texts = editor?._tag === "Vim" ? [...editor.vim.registers.texts] : []
  return listing(
    model,
    "registers",
    editor?._tag === "Vim" ? texts.map(([name, { lines }]) => `"${name}  ${lines.join("^J")}`) : [`""  ${model.yanked}`]
  )
}

const mapping = (name: string): ExCommand => ({ run: (model, request) => runMapCommand(model, name, request) })

const onMessage = (id: keyof typeof TRANSCRIPT_ACTIONS): ExCommand => ({
  run: (model) => TRANSCRIPT_ACTIONS[id]({ model })
})

/** Full names; a shorter form works where it names one command only, or stands in SHORT_NAMES. */
export const EX_COMMANDS: Readonly<Record<string, ExCommand>> = {
  write: { run: write, takesRange: true },
  quit: { run: quit },
  qall: { run: (model, { bang }) => (bang ? withCommands(model, { _tag: "Quit", code: 0 }) : requestExit(model)) },
  wq: { run: (model) => requestExit(model) },
  edit: {
    run: (model, request) =>
      request.argument === ""
        ? TRANSCRIPT_ACTIONS["transcript:edit"]({ model })
        : withCommands(model, {
            _tag: "OpenFile",
            path: absolutePath(request.argument, currentSession(model)?.cwd ?? ""),
            line: undefined
          })
  },
  read: {
    run: fileCommand("say which file: :r FILE", (model, path) =>
      withCommands(model, { _tag: "ReadIntoPrompt", session: model.current, path })
    )
  },
  global: { run: global },
  g: { run: global },
  nohlsearch: { run: noHighlight },
  set: { run: (model, { argument, bang }) => setOption(model, argument, bang) },
  marks: { run: (model) => listing(model, "marks", markLines(model)) },
  jumps: { run: (model) => listing(model, "jumps", jumpLines(model)) },
  delmarks: { run: unmark },
  registers: { run: registers },
  yank: { run: yankText, takesRange: true },
  copy: { run: yankText, takesRange: true },
  messages: {
    run: (model) =>
      listing(model, "messages", [
        ...model.banners.map((text) => `! ${text}`),
        ...model.notices.past.map(({ notice }) => notice.text).toReversed()
      ])
  },
  caps: { run: caps },
  stats: { run: (model) => withCommands(model, { _tag: "ShowStats" }) },
  command: { run: defineCommand },
  delcommand: { run: deleteCommand },
  comclear: { run: (model) => withoutCommands({ ...model, userCommands: new Map() }) },
  keys: {
    run: (model, words) =>
      words.argument === "conflicts" ? withCommands(model, { _tag: "CheckKeybindings" }) : help(model, words)
  },
  help: { run: help },
  find: { run: find },
  retry: onMessage("transcript:retry"),
  fork: onMessage("transcript:fork"),
  stop: onMessage("transcript:stop"),
  editor: onMessage("transcript:openInEditor"),
  scrollback: onMessage("transcript:toScrollback"),
  pin: onMessage("transcript:pin"),
  undo: onMessage("transcript:undo"),
  redo: onMessage("transcript:redo"),
  comment: { run: (model, request) => runComment(model, focusedList(model), request) },
  comments: { run: runComments },
  remember: onMessage("transcript:remember"),
  memory: onMessage("transcript:remember"),
  ...WINDOW_COMMANDS,
  ...Object.fromEntries(MAP_COMMANDS.map((name) => [name, mapping(name)]))
}
