import type { Stroke } from "../keymap/stroke.ts"
import { isPaneId } from "../layout/tree.ts"
import type { PickerOverlay } from "../overlays/overlay.ts"
import { type PickerItem, selectedItem, updatePicker } from "../overlays/picker.ts"
import { MESSAGE_ACTIONS, pickerItems } from "../overlays/purposes.ts"
import { THEME_NAMES, type ThemeName } from "../theme/palette.ts"
import { doing, only, type Update } from "./change.ts"
import type { MemoryPlace } from "./cmd.ts"
import { type AppModel, currentSession } from "./model.ts"
import { runAction } from "./on-action.ts"
import { acceptSession, leaveBrowser, onBrowserKey, onBrowserLine } from "./on-browser.ts"
import { onPermissionKey } from "./on-permissions.ts"
import { closeOverlay, openOverlay } from "./open-overlay.ts"
import { runSlash } from "./slash-run.ts"
import { parseSlash } from "./slash.ts"
import { editFrom, runMessageChoice } from "./transcript-actions.ts"
import { showSession } from "./show-session.ts"
import { showPane } from "./window-keys.ts"
import * as Vector from "../transcript/vector.ts"

/** Choosing from a list: what Enter and the other keys of each picker do. */

const isTheme = (text: string): text is ThemeName | "auto" => text === "auto" || THEME_NAMES.some((name) => name === text)

const isMemoryPlace = (text: string): text is MemoryPlace => text === "project" || text === "local" || text === "user"

const withTheme = (model: AppModel, name: string): AppModel =>
  isTheme(name) ? { ...model, options: { ...model.options, theme: name } } : model

const fromPalette = (model: AppModel, id: string): Update => {
  const [kind = "", ...rest] = id.split(":")
  const name = rest.join(":")
  switch (kind) {
    case "slash": {
      const slash = parseSlash(`/${name}`)
      return slash === undefined ? only(model) : runSlash(model, slash)
    }
    case "action":
      return runAction(model, name, undefined)
    case "pane":
      return isPaneId(name) ? only(showPane(model, name)) : only(model)
    case "session":
      return only(showSession(model, name))
    default:
      return only(model)
  }
}

const goBackTo = (model: AppModel, entryId: string): Update => {
  const session = currentSession(model)
  if (session === undefined) return only(model)
  const entry = Vector.get(session.transcript.entries, Vector.findLastIndex(session.transcript.entries, ({ id }) => id === entryId))
  return entry === undefined ? only(model) : editFrom(model, session, entry)
}

const accept = (model: AppModel, overlay: PickerOverlay, item: PickerItem): Update => {
  const { id } = item
  const closed = closeOverlay(model)
  switch (overlay.purpose) {
    case "palette":
      return fromPalette(closed, id)
    case "model":
      return doing(closed, { _tag: "SetModel", session: model.current, model: id })
    case "theme":
      return doing(withTheme(closed, id), { _tag: "SaveOption", name: "theme", value: id })
    case "sessions":
      return acceptSession(model, overlay, id)
    case "selector":
      return goBackTo(closed, id)
    case "memory":
      return isMemoryPlace(id) ? doing(closed, { _tag: "AppendMemory", session: model.current, place: id, text: overlay.subject }) : only(closed)
    case "message":
      return runMessageChoice(closed, overlay.subject, id)
    case "permissions": {
      const session = currentSession(model)
      return session === undefined ? only(closed) : onPermissionKey(model, session, { stroke: "<CR>", item })
    }
    case "help":
      return only(closed)
  }
}

const MESSAGE_LETTERS = new Map(MESSAGE_ACTIONS.map(([id, , key]) => [key, id]))

const cancel = (model: AppModel, overlay: PickerOverlay): Update => {
  if (overlay.purpose === "sessions") return leaveBrowser(model, overlay)
  return only(overlay.purpose === "theme" ? withTheme(closeOverlay(model), overlay.subject) : closeOverlay(model))
}

/** Another item is another session to look into. */
const moved = (overlay: PickerOverlay, picker: PickerOverlay["picker"]): PickerOverlay =>
  picker.selected === overlay.picker.selected ? { ...overlay, picker } : { ...overlay, picker, browser: { ...overlay.browser, preview: undefined } }

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
    case "Key": {
      const session = currentSession(model)
      if (overlay.purpose === "permissions" && session !== undefined) return onPermissionKey(openOverlay(model, next), session, event)
      if (overlay.purpose === "sessions") return onBrowserKey(model, next, stroke)
      const choice = overlay.purpose === "message" ? MESSAGE_LETTERS.get(stroke) : undefined
      return choice === undefined ? only(openOverlay(model, next)) : runMessageChoice(closeOverlay(model), overlay.subject, choice)
    }
  }
}
