import { openPickerAt } from "../../overlays/pickers/picker-overlay.ts"
import { PERMISSION_MODES, type PermissionMode } from "../../../core/permission/verdict.ts"
import { THEME_NAMES, type ThemeName } from "../../screen/style/palette.ts"
import { countText } from "../../../core/domain/text/count-text.ts"
import { secondsText } from "../../transcript/number-format.ts"
import * as Vector from "../../transcript/vector.ts"
import { withCommands, notify, withoutCommands, type Update } from "../../model/update-result.ts"
import { cacheBreakLines } from "../../model/conversation/cache-break-lines.ts"
import { withWhole } from "../../model/conversation/history-paging.ts"
import { requestExit } from "../../overlays/dialogs/request-exit.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import type { UiOptions } from "../../model/ui-options.ts"
import { openBrowser } from "../../overlays/pickers/on-browser.ts"
import { openQueue } from "../../overlays/pickers/on-queue.ts"
import { runMemory } from "../../overlays/pickers/on-memory.ts"
import { runPermissions } from "../../overlays/pickers/on-permissions.ts"
import { runSandbox } from "../../overlays/pickers/on-sandbox.ts"
import { openOverlay, openPicker } from "../../model/open-overlay.ts"
import { openSelector } from "../../overlays/pickers/picker-overlay.ts"
import { nameOf, type SessionModel } from "../../model/session-model.ts"
import { SLASH_COMMANDS, type SlashLine } from "../../prompt/slash-commands.ts"
import { switchEditor } from "../../model/prompt/switch-editor.ts"
import { exportedMarkdown } from "../../panes/transcript/transcript-text.ts"
import { runCompact, runSnip } from "./run-compact.ts"
import { showPane, showPaneInFull } from "../../model/windows/window-actions.ts"
import { CONTEXT_LIST } from "../../panes/side/context-window.ts"
import { switchModel } from "../../model/switch-model.ts"

/** What the slash commands do. */

type Run = (model: AppModel, session: SessionModel, argument: string) => Update

const lastAnswer = ({ transcript }: SessionModel): string => {
  const place = Vector.findLastIndex(transcript.entries, ({ blocks }) => blocks.some(({ kind }) => kind === "text"))
  const entry = Vector.get(transcript.entries, place)
  return (
    entry?.blocks
      .filter(({ kind }) => kind === "text")
      .map(({ source }) => source)
      .join("\n\n") ?? ""
  )
}

const isMode = (text: string): text is PermissionMode => PERMISSION_MODES.some((mode) => mode === text)
const isTheme = (text: string): text is ThemeName | "auto" => text === "auto" || THEME_NAMES.some((name) => name === text)

const setTheme: Run = (model, _session, argument) => {
  if (argument === "") return withoutCommands(openPickerAt(model, "theme", model.options.theme))
  if (!isTheme(argument)) {
    return withoutCommands(
      notify(model, `there is no theme ${argument}; there are auto, ${THEME_NAMES.join(", ")}`, { style: "error" })
    )
  }
  return withCommands(
    { ...model, options: { ...model.options, theme: argument } },
    { _tag: "SaveOption", name: "theme", value: argument }
  )
}

/** What the session cost, in all and by model. */
const costLines = ({ state, run }: SessionModel, now: number): ReadonlyArray<string> => {
  const { costUsd, apiMs, models } = state.totals
  const money = (usd: number | undefined): string => (usd === undefined ? "price unknown" : `$${usd.toFixed(4)}`)
  const perModel = Object.entries(models).map(([name, { usage, costUsd: cost }]) => {
    const read = usage.cache_read_input_tokens
    const input = usage.input_tokens + usage.cache_creation_input_tokens + read
    const cached = input === 0 ? 0 : Math.round((100 * read) / input)
    const tokens = `${countText(input)} in (${cached}% cached), ${countText(usage.output_tokens)} out`
    return `  ${name}: ${money(cost)} · ${tokens}`
  })
  return [
    `in all        ${money(costUsd)}`,
    `model time    ${secondsText(apiMs)}`,
    ...(run.startedAt === undefined ? [] : [`this turn     ${secondsText(now - run.startedAt)}`]),
    ...(perModel.length === 0 ? [] : ["", "by model", ...perModel]),
    ...(state.conversation.cache.count === 0 ? [] : ["", ...cacheBreakLines(state.conversation.cache, now)])
  ]
}

/** `default` is what others call inline. */
const INTERFACES: Readonly<Record<string, UiOptions["interface"]>> = {
  fullscreen: "fullscreen",
  inline: "inline",
  default: "inline"
}

const setInterface: Run = (model, _session, argument) => {
  const { interface: current, interfaceBecause } = model.options
  if (argument === "") {
    return withoutCommands(notify(model, `the interface is ${current} because ${interfaceBecause}`, { timeoutMs: 15_000 }))
  }
  const chosen = INTERFACES[argument]
  if (chosen === undefined) return withoutCommands(notify(model, "say /tui fullscreen or /tui inline", { style: "error" }))
  const options: UiOptions = { ...model.options, interface: chosen, interfaceBecause: "/tui chose it" }
  return withCommands(
    { ...model, options },
    { _tag: "SaveOption", name: "tui", value: chosen === "inline" ? "default" : "fullscreen" }
  )
}

/** Over everything else; `all` opens every category. */
const showContext = (model: AppModel, argument: string): AppModel => {
  const shown = showPaneInFull(model, "context")
  const folded = argument === "all" ? new Set<string>() : CONTEXT_LIST.folded
  return withCurrent(shown, (session) => ({
    ...session,
    lists: { ...session.lists, context: { ...(session.lists.context ?? CONTEXT_LIST), folded } }
  }))
}

const RUNS: Readonly<Record<string, Run>> = {
  tui: setInterface,
  help: (model) => withoutCommands(openPicker(model, "help")),
  clear: (model, session) =>
    withCommands(
      session.state.conversation.messages.length === 0
        ? model
        : { ...model, cleared: { id: session.id, title: nameOf(session) } },
      {
        _tag: "OpenSession",
        which: { _tag: "New" },
        replaces: session.id
      }
    ),
  resume: (model) => openBrowser(model),
  tag: (model, session, argument) => withCommands(model, { _tag: "TagSession", session: session.id, tag: argument }),
  branch: (model, session) =>
    withCommands(model, {
      _tag: "OpenSession",
      which: { _tag: "Fork", sessionId: session.id, upTo: undefined },
      replaces: undefined
    }),
  rename: (model, session, argument) =>
    argument === ""
      ? withoutCommands(notify(model, "say the new name: /rename NAME"))
      : withCommands(renamed(model, session, argument), { _tag: "Rename", session: session.id, title: argument }),
  model: (model, session, argument) =>
    argument === ""
      ? withoutCommands(openPickerAt(model, "model"))
      : switchModel(model, {
          name: argument,
          effort: undefined,
          words: "",
          cmds: [{ _tag: "SetModel", session: session.id, model: argument }]
        }),
  mode: (model, session, argument) =>
    isMode(argument)
      ? withCommands(model, { _tag: "SetMode", session: session.id, mode: argument })
      : withoutCommands(notify(model, `modes: ${PERMISSION_MODES.join(", ")}`)),
  permissions: runPermissions,
  memory: runMemory,
  sandbox: runSandbox,
  theme: setTheme,
  vim: (model) => switchEditor(model),
  context: (model, _session, argument) => withoutCommands(showContext(model, argument)),
  compact: runCompact,
  snip: runSnip,
  recap: (model, session) =>
    session.state.config.side.kinds.includes("away_summary")
      ? withCommands(model, { _tag: "SideTask", session: session.id, wish: { _tag: "SideAsked", kind: "away_summary" } })
      : withoutCommands(notify(model, "recaps are off (awaySummaryEnabled)", { style: "error" })),
  cost: (model, session) =>
    withoutCommands(openOverlay(model, { _tag: "Listing", title: "Cost", lines: costLines(session, model.now), top: 0 })),
  diff: (model, session) => withCommands(showPane(model, "changes"), { _tag: "LoadDiff", session: session.id }),
  tasks: (model) => withoutCommands(showPane(model, "tasks")),
  copy: (model, session) => {
    const text = lastAnswer(session)
    return text === ""
      ? withoutCommands(notify(model, "there is no answer to copy yet"))
      : withCommands(model, { _tag: "Copy", text, what: "the last answer" })
  },
  export: (model, { id }, argument) =>
    withWhole(model, id, (whole, session) => {
      const text = exportedMarkdown(session)
      return argument === ""
        ? withCommands(whole, { _tag: "Copy", text, what: "the conversation" })
        : withCommands(whole, { _tag: "WriteFile", path: argument, text })
    }),
  queue: openQueue,
  rewind: (model) => withoutCommands(openSelector(model)),
  focus: (model) =>
    withoutCommands({ ...model, options: { ...model.options, view: model.options.view === "focus" ? "default" : "focus" } }),
  keybindings: (model) => withCommands(model, { _tag: "EditKeybindings" }),
  exit: requestExit
}

const renamed = (model: AppModel, session: SessionModel, title: string): AppModel => ({
  ...model,
  sessions: new Map(model.sessions).set(session.id, { ...session, title, isNamed: true })
})

const nearest = (name: string): string | undefined =>
  SLASH_COMMANDS.find((each) => each.name.startsWith(name.slice(0, 2)))?.name

/** Runs a command in the session that was named, which need not be the one on screen. */
export const runSlash = (
  model: AppModel,
  { command, name, argument }: SlashLine,
  session: SessionModel | undefined = currentSession(model)
): Update => {
  if (session === undefined) return withoutCommands(model)
  const run = command === undefined ? undefined : RUNS[command.name]
  if (run !== undefined) return run(model, session, argument)
  const hint = nearest(name)
  return withoutCommands(
    notify(model, `there is no command /${name}${hint === undefined ? "" : `; perhaps /${hint}`}`, { style: "error" })
  )
}
