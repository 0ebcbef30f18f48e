import { stillAt } from "../../model/questions/attention.ts"
import { isRunning } from "../../model/session-model.ts"
import { caretIn, isEmptyEditor, textIn } from "../../prompt/editor.ts"
import { interruptSession } from "./interrupt.ts"
import { expandChips } from "../../prompt/chip.ts"
import { pickerWith } from "../../model/overlay.ts"
import { openLine } from "../../panes/line-input.ts"
import { copyFromPrompt } from "../../panes/prompt/copy-prompt.ts"
import { extendSelection } from "./extend-selection.ts"
import { freshFor } from "../../model/windows/pane-refresh.ts"
import { typeInPrompt } from "../../panes/prompt/type-in-prompt.ts"
import { updateList } from "../../transcript/list/update.ts"
import { doing, notify, only, type Update } from "../../model/update-result.ts"
import { canonicalStrokes } from "../../model/windows/key-contexts.ts"
import { followEnd } from "../../model/conversation/scroll-to-end.ts"
import { selectedText, withoutSelection } from "../../transcript/list/commands/selection.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import { nextMode } from "../../../core/permission/mode.ts"
import { openHistory, onPromptInput } from "../../panes/prompt/on-prompt-key.ts"
import { openDeepSearch } from "../../overlays/pickers/on-browser.ts"
import { openMarked } from "../../overlays/pickers/open-picker-at-current.ts"
import { openPicker } from "../../model/open-overlay.ts"
import { transcriptContextOf } from "../../model/conversation/transcript-context.ts"
import { showSession } from "../../model/windows/show-session.ts"
import { nextTab, previousTab } from "../../model/windows/tabs.ts"
import { beginVisit } from "../../panes/transcript/transcript-visit.ts"
import { focusOn, planOf } from "../../model/windows/layout-and-focus.ts"
import { onWindowKey, showPane, splitPane, type WindowAction } from "../../model/windows/window-actions.ts"

/** Actions of the application, by the id that keymaps, help and palette know. */

const WINDOW_KEYS: Readonly<Record<string, WindowAction>> = {
  "window:left": "left",
  "window:down": "down",
  "window:up": "up",
  "window:right": "right",
  "window:next": "next",
  "window:previous": "previous",
  "window:last": "last",
  "window:topLeft": "topLeft",
  "window:bottomRight": "bottomRight",
  "window:close": "close",
  "window:only": "only",
  "window:zoom": "zoom",
  "window:taller": "taller",
  "window:shorter": "shorter",
  "window:wider": "wider",
  "window:narrower": "narrower",
  "window:fullHeight": "fullHeight",
  "window:fullWidth": "fullWidth",
  "window:equalise": "equal",
  "window:moveLeft": "farLeft",
  "window:moveDown": "farBottom",
  "window:moveUp": "farTop",
  "window:moveRight": "farRight",
  "window:exchange": "exchange",
  "window:rotate": "rotate"
}

const PANE_KEYS = {
  "window:transcript": "transcript",
  "window:activity": "activity",
  "window:changes": "changes",
  "window:files": "files",
  "window:tasks": "tasks",
  "window:context": "context",
  "window:sessions": "sessions",
  "window:approvals": "approvals"
} as const

const isPaneKey = (action: string): action is keyof typeof PANE_KEYS => Object.hasOwn(PANE_KEYS, action)

/** Scrolls the transcript from wherever the keyboard is. */
const SCROLLS: Readonly<Record<string, string>> = {
  "scroll:pageUp": "<C-u>",
  "scroll:pageDown": "<C-d>",
  "scroll:halfPageUp": "<C-u>",
  "scroll:halfPageDown": "<C-d>",
  "scroll:fullPageUp": "<C-b>",
  "scroll:fullPageDown": "<C-f>",
  "scroll:lineUp": "<C-y>",
  "scroll:lineDown": "<C-e>",
  "scroll:top": "gg"
}

const scroll = (model: AppModel, name: string): AppModel =>
  withCurrent(model, (session) => ({
    ...session,
    list: updateList(session.list, { name }, transcriptContextOf(model, session))
  }))

/** The next session that asks, or has something new. */
const nextAttention = (model: AppModel): AppModel => {
  const ids = [...model.sessions.keys()]
  const at = ids.indexOf(model.current)
  const order = [...ids.slice(at + 1), ...ids.slice(0, at)]
  const found =
    order.find((id) => (model.sessions.get(id)?.asks.length ?? 0) > 0) ??
    order.find((id) => (model.sessions.get(id)?.unread ?? 0) > 0)
  if (found === undefined) return notify(model, "no other session needs you")
  return showSession(model, found)
}

const editDraft = (model: AppModel): Update => {
  const session = currentSession(model)
  if (session === undefined) return only(model)
  const { editor, chips } = session.prompt
  return doing(model, {
    _tag: "EditDraft",
    session: session.id,
    text: expandChips(textIn(editor), chips),
    line: caretIn(editor).line + 1
  })
}

const cycleMode = (model: AppModel): Update => {
  const session = currentSession(model)
  if (session === undefined) return only(model)
  return doing(model, { _tag: "SetMode", session: session.id, mode: nextMode(session.state.permission) })
}

const toggleThinking = (model: AppModel): Update => {
  const session = currentSession(model)
  if (session === undefined) return only(model)
  const on = session.state.config.choice.thinking?.type === "disabled"
  return doing(notify(model, on ? "the model thinks before it answers" : "the model answers without thinking first"), {
    _tag: "SetThinking",
    session: session.id,
    on
  })
}

const copySelection = (model: AppModel): Update => {
  const session = currentSession(model)
  const selection = session?.list.selection
  if (session === undefined || selection === undefined) {
    return copyFromPrompt(model) ?? only(notify(model, "nothing is selected"))
  }
  return doing(model, {
    _tag: "Copy",
    text: selectedText(session.list, selection, transcriptContextOf(model, session)),
    what: "the selection"
  })
}

/** What is typed goes before everything that runs or waits; with nothing typed, what waits goes. */
const sendNow = (model: AppModel): Update => {
  const session = currentSession(model)
  if (session === undefined) return only(model)
  if (isEmptyEditor(session.prompt.editor)) return isRunning(session) ? interruptSession(model, session.id) : only(model)
  const [next, cmds] = onPromptInput(model, "<CR>")
  return [next, cmds.map((cmd) => (cmd._tag === "Submit" ? { ...cmd, priority: "now" } : cmd))]
}

/** From the prompt it only shows and hides: whoever types goes on typing. */
const toggleTodos = (model: AppModel): AppModel => {
  if (model.focus === "tasks") return onWindowKey(model, "close", 1)
  if (model.focus !== "prompt") return showPane(model, "tasks")
  const isShown = planOf(model).panes.some(({ leaf }) => leaf.pane === "tasks")
  return isShown
    ? focusOn(onWindowKey({ ...model, focus: "tasks" }, "close", 1), "prompt")
    : { ...showPane(model, "tasks"), focus: "prompt" }
}

/** Keys that the prompt itself understands are given to it as it knows them. */
const FOR_PROMPT = [
  /^chat:(?:submit|newline|undo|stash|indent|dedent|insertRegister)$/,
  /^history:(?:previous|next)$/,
  /^(?:autocomplete|prompt):/
]

const runNamed = (model: AppModel, action: string, count: number | undefined): Update | undefined => {
  switch (action) {
    case "app:redraw":
    case "chat:clearInput":
      return doing(model, { _tag: "Redraw" })
    case "chat:sendNow":
      return sendNow(model)
    case "app:toggleTodos":
      return only(toggleTodos(model))
    case "app:toggleTranscript":
      return only(beginVisit(model))
    case "history:search":
      return openHistory(model)
    case "app:palette":
      return only(openPicker(model, "palette", pickerWith(true)))
    case "app:help":
      return only(openPicker(model, "help", pickerWith(true)))
    case "app:findAll":
      return openDeepSearch(model, "")
    case "app:suspend":
      return doing(model, { _tag: "Suspend" })
    case "chat:cycleMode":
      return cycleMode(model)
    case "chat:modelPicker":
      return only(openMarked(model, "model"))
    case "chat:externalEditor":
      return editDraft(model)
    case "chat:imagePaste":
      return doing(model, { _tag: "PasteImage", session: model.current })
    case "chat:thinkingToggle":
      return toggleThinking(model)
    case "chat:fastMode":
      return only(notify(model, "this model is offered at one speed only"))
    case "chat:killAgents":
      return only(notify(model, "no background agents are running"))
    case "chat:clearScreen":
    case "scroll:bottom":
      return only(followEnd(model))
    case "selection:copy":
      return copySelection(model)
    case "selection:clear":
      return only(withCurrent(model, (session) => ({ ...session, list: withoutSelection(session.list) })))
    case "pane:commandLine":
      return only(openLine(model, ":"))
    case "window:prompt":
      return typeInPrompt(model, "here")
    case "window:attention":
      return only(nextAttention(model))
    case "window:newSession":
      return doing(
        { ...model, layout: { ...model.layout, splitNext: "row" } },
        { _tag: "OpenSession", which: { _tag: "New" }, replaces: undefined }
      )
    case "window:split":
      return only(splitPane(model, "column", "chooser"))
    case "window:splitVertical":
      return only(splitPane(model, "row", "chooser"))
    case "window:nextTab":
      return only(nextTab(model, count))
    case "window:previousTab":
      return only(previousTab(model, count))
    case "window:toggleMouse":
      return only(
        notify(
          { ...model, options: { ...model.options, mouse: !model.options.mouse } },
          model.options.mouse ? "mouse off: the terminal selects" : "mouse on"
        )
      )
    case "task:background": {
      const session = currentSession(model)
      return session !== undefined && isRunning(session)
        ? only(notify(model, "this call cannot be moved to the background"))
        : onPromptInput(model, "<C-b>")
    }
    default:
      return undefined
  }
}

export const runAction = (model: AppModel, action: string, count: number | undefined): Update => {
  const windowKey = WINDOW_KEYS[action]
  if (windowKey !== undefined) return only(onWindowKey(model, windowKey, count))
  // What waits until the hands are still is called for by the key of its list.
  if (action === "window:approvals" && stillAt(model) !== undefined) {
    return only({ ...model, overlays: { ...model.overlays, summoned: true } })
  }
  if (isPaneKey(action)) {
    const shown = showPane(model, PANE_KEYS[action])
    return [shown, freshFor(model, PANE_KEYS[action])]
  }
  const scrolling = SCROLLS[action]
  if (scrolling !== undefined) return only(scroll(model, scrolling))
  if (FOR_PROMPT.some((pattern) => pattern.test(action))) {
    return canonicalStrokes(action).reduce<Update>(([next, cmds], stroke) => {
      const [after, more] = onPromptInput(next, stroke)
      return [after, [...cmds, ...more]]
    }, only(model))
  }
  return extendSelection(model, action) ?? runNamed(model, action, count) ?? only(model)
}
