import type { MessageChoice } from "../../model/action.ts"
import { slashLine } from "../../model/waiting-line.ts"
import { bufferOf, endOf } from "../../editor/buffer.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { isPaneId } from "../../screen/layout/tree.ts"
import { type PickerOverlay, pickerWith } from "../../model/overlay.ts"
import { chosenEffort, steppedEffort } from "./models.ts"
import { type PickerItem, selectedItem, updatePicker } from "./picker.ts"
import { BEFORE_CLEAR, MESSAGE_ACTIONS, pickerItems, REWIND_ACTIONS } from "./picker-catalog.ts"
import { isBlank, showDraft } from "../../prompt/model.ts"
import { THEME_NAMES, type ThemeName } from "../../screen/style/palette.ts"
import { doing, notify, only, type Update, raise } from "../../model/update-result.ts"
import type { Cmd, MemoryPlace } from "../../model/cmd.ts"
import { goToEntry } from "../../model/conversation/go-to-entry.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import { acceptSession, emptySession, leaveBrowser, onBrowserKey, onBrowserLine } from "./on-browser.ts"
import { onSandboxKey } from "./on-sandbox.ts"
import { onPermissionKey } from "./on-permissions.ts"
import { onQueueKey } from "./on-queue.ts"
import { closeOverlay, openOverlay, openPicker } from "../../model/open-overlay.ts"
import { absolutePath } from "../../text/absolute-path.ts"
import { setOption } from "../../model/set-option.ts"
import { showSession } from "../../model/windows/show-session.ts"
import { showPane } from "../../model/windows/window-actions.ts"

/** Choosing from a list: what Enter and the other keys of each picker do. */

const isTheme = (text: string): text is ThemeName | "auto" => text === "auto" || THEME_NAMES.some((name) => name === text)

const isMemoryPlace = (text: string): text is MemoryPlace => text === "project" || text === "local" || text === "user"

const withTheme = (model: AppModel, name: string): AppModel =>
  isTheme(name) ? { ...model, options: { ...model.options, theme: name } } : model

const fromPalette = (model: AppModel, id: string): Update => {
  const [kind = "", ...rest] = id.split(":")
  const name = rest.join(":")
  switch (kind) {
    case "slash":
      return raise(model, { id: "command:run", ...slashLine(`/${name}`) })
    case "action":
      return raise(model, { id: "action:run", action: name })
    case "pane":
      return isPaneId(name) ? only(showPane(model, name)) : only(model)
    case "session":
      return only(showSession(model, name))
    case "file":
      return doing(model, {
        _tag: "ShowFile",
        session: model.current,
        path: absolutePath(name, currentSession(model)?.cwd ?? "")
      })
    case "option":
      return setOption(model, name, false)
    default:
      return only(model)
  }
}

const MESSAGE_LETTERS = new Map(MESSAGE_ACTIONS.map(([id, , key]) => [key, id]))
const REWIND_LETTERS = new Map(REWIND_ACTIONS.map(([id, , key]) => [key, id]))

const messageChoice = (model: AppModel, entry: string, choice: MessageChoice | undefined): Update =>
  choice === undefined ? only(model) : raise(model, { id: "message:act", entry, choice })

/** What was chosen for an earlier prompt. */
const rewind = (model: AppModel, entry: string, choice: string): Update => {
  switch (choice) {
    case "restore":
      return messageChoice(model, entry, "edit")
    case "fork":
      return messageChoice(model, entry, "fork")
    case "jump":
      return only(goToEntry(model, entry))
    default:
      return only(model)
  }
}

/** The session that was left with /clear, in place of the empty one. */
const backToCleared = (model: AppModel): Update => {
  const { cleared } = model
  if (cleared === undefined) return only(model)
  const which = { _tag: "Resume" as const, sessionId: cleared.id }
  return doing({ ...model, cleared: undefined }, { _tag: "OpenSession", which, replaces: emptySession(model) })
}

const setModel = (
  model: AppModel,
  overlay: PickerOverlay,
  at: { readonly name: string; readonly isDefault: boolean }
): Update => {
  const effort = chosenEffort(model, overlay)
  const cmds: ReadonlyArray<Cmd> = [
    { _tag: "SetModel", session: model.current, model: at.name, ...(effort === undefined ? {} : { effort }) },
    ...(at.isDefault ? [{ _tag: "SaveOption" as const, name: "model", value: at.name }] : []),
    ...(at.isDefault && effort !== undefined ? [{ _tag: "SaveOption" as const, name: "effort", value: effort }] : [])
  ]
  const words = at.isDefault ? `${at.name} is the model now, and the default` : `${at.name} is the model of this session`
  return doing(notify(model, words), ...cmds)
}

const onModelKey = (
  model: AppModel,
  overlay: PickerOverlay,
  at: { readonly stroke: Stroke; readonly item: PickerItem | undefined }
): Update => {
  const { stroke, item } = at
  if (stroke === "<Left>" || stroke === "<Right>") {
    const subject = steppedEffort(model, overlay, stroke === "<Right>" ? 1 : -1)
    return only(openOverlay(model, { ...overlay, subject }))
  }
  if (stroke !== "s" || item === undefined || item.disabled !== undefined) return only(openOverlay(model, overlay))
  return setModel(closeOverlay(model), overlay, { name: item.id, isDefault: false })
}

const onThemeKey = (model: AppModel, overlay: PickerOverlay, stroke: Stroke): Update => {
  const { options } = model
  const toggled = stroke === "<C-t>" ? { ...model, options: { ...options, highlight: !options.highlight } } : model
  return only(openOverlay(toggled, overlay))
}

/** Keys to the ends of the selector, as its table names them. */
const SELECTOR_ENDS: Readonly<Record<string, number>> = {
  "<C-Up>": 0,
  "<S-Up>": 0,
  "<A-Up>": 0,
  K: 0,
  "<C-Down>": Number.MAX_SAFE_INTEGER,
  "<S-Down>": Number.MAX_SAFE_INTEGER,
  "<A-Down>": Number.MAX_SAFE_INTEGER,
  J: Number.MAX_SAFE_INTEGER
}

const onSelectorKey = (model: AppModel, overlay: PickerOverlay, stroke: Stroke): Update => {
  const selected = SELECTOR_ENDS[stroke] ?? overlay.picker.selected
  return only(openOverlay(model, { ...overlay, picker: { ...overlay.picker, selected } }))
}

/** Letters that choose at once, for menus that teach them. */
const onMenuLetter = (model: AppModel, overlay: PickerOverlay, stroke: Stroke): Update | undefined => {
  const closed = closeOverlay(model)
  if (overlay.purpose === "message") {
    const choice = MESSAGE_LETTERS.get(stroke)
    return choice === undefined ? undefined : messageChoice(closed, overlay.subject, choice)
  }
  const choice = overlay.purpose === "rewind" ? REWIND_LETTERS.get(stroke) : undefined
  return choice === undefined ? undefined : rewind(closed, overlay.subject, choice)
}

const onOtherKey = (
  model: AppModel,
  overlay: PickerOverlay,
  at: { readonly stroke: Stroke; readonly item: PickerItem | undefined }
): Update => {
  const session = currentSession(model)
  switch (overlay.purpose) {
    case "permissions":
      return session === undefined ? only(model) : onPermissionKey(openOverlay(model, overlay), session, at)
    case "sandbox":
      return session === undefined ? only(model) : onSandboxKey(openOverlay(model, overlay), session, at)
    case "queue":
      return session === undefined ? only(model) : onQueueKey(openOverlay(model, overlay), session, at)
    case "sessions":
      return onBrowserKey(model, overlay, at.stroke)
    case "model":
      return onModelKey(model, overlay, at)
    case "theme":
      return onThemeKey(model, overlay, at.stroke)
    case "selector":
      return onSelectorKey(model, overlay, at.stroke)
    default:
      return onMenuLetter(model, overlay, at.stroke) ?? only(openOverlay(model, overlay))
  }
}

const accept = (model: AppModel, overlay: PickerOverlay, item: PickerItem): Update => {
  const { id } = item
  const closed = closeOverlay(model)
  switch (overlay.purpose) {
    case "palette":
      return fromPalette(closed, id)
    case "model":
      return setModel(closed, overlay, { name: id, isDefault: true })
    case "theme":
      return doing(withTheme(closed, id), { _tag: "SaveOption", name: "theme", value: id })
    case "sessions":
      return acceptSession(model, overlay, id)
    case "selector":
      return id === BEFORE_CLEAR ? backToCleared(closed) : only(openPicker(closed, "rewind", pickerWith(false), id))
    case "rewind":
      return rewind(closed, overlay.subject, id)
    case "memory":
      return isMemoryPlace(id)
        ? doing(closed, { _tag: "AppendMemory", session: model.current, place: id, text: overlay.subject })
        : only(closed)
    case "message":
      return messageChoice(closed, overlay.subject, MESSAGE_ACTIONS.find(([choice]) => choice === id)?.[0])
    case "permissions": {
      const session = currentSession(model)
      return session === undefined ? only(closed) : onPermissionKey(model, session, { stroke: "<CR>", item })
    }
    case "sandbox": {
      const session = currentSession(model)
      return session === undefined
        ? only(closed)
        : onSandboxKey(openOverlay(model, overlay), session, { stroke: "<CR>", item })
    }
    case "queue": {
      const session = currentSession(model)
      return session === undefined ? only(closed) : onQueueKey(model, session, { stroke: "<CR>", item })
    }
    case "help":
      return only(closed)
  }
}

/** A note that was kept nowhere is still what the person wrote. */
const backInPrompt = (model: AppModel, text: string): AppModel =>
  withCurrent(model, (session) => ({
    ...session,
    prompt: isBlank(session.prompt)
      ? showDraft(session.prompt, { text, caret: endOf(bufferOf(text)), mode: "memory", chips: [] }, model.now)
      : session.prompt
  }))

const cancel = (model: AppModel, overlay: PickerOverlay): Update => {
  if (overlay.purpose === "sessions") return leaveBrowser(model, overlay)
  // What was chosen in the transcript is still there; only what was typed goes back.
  if (overlay.purpose === "memory" && model.focus === "prompt")
    return only(backInPrompt(closeOverlay(model), overlay.subject))
  return only(overlay.purpose === "theme" ? withTheme(closeOverlay(model), overlay.subject) : closeOverlay(model))
}

/** Another item is another session to look into. */
const moved = (overlay: PickerOverlay, picker: PickerOverlay["picker"]): PickerOverlay =>
  picker.selected === overlay.picker.selected
    ? { ...overlay, picker }
    : { ...overlay, picker, browser: { ...overlay.browser, preview: undefined } }

export const onPickerKey = (model: AppModel, overlay: PickerOverlay, stroke: Stroke): Update => {
  const { typing, colon } = overlay.browser
  if (typing !== undefined) return onBrowserLine(model, overlay, { line: typing, stroke })
  if (colon) return stroke === "<Esc>" ? leaveBrowser(model, overlay) : onBrowserKey(model, overlay, stroke)
  const items = pickerItems(model, overlay)
  const { picker, event } = updatePicker(overlay.picker, stroke, items)
  const next = moved(overlay, picker)
  switch (event._tag) {
    case "Moved": {
      const opened = openOverlay(model, next)
      const chosen = selectedItem(items, picker)
      return only(overlay.purpose === "theme" && chosen !== undefined ? withTheme(opened, chosen.id) : opened)
    }
    case "Accept":
      return accept(model, next, event.item)
    case "Cancel":
      return cancel(model, overlay)
    case "Key":
      return onOtherKey(model, next, event)
  }
}
