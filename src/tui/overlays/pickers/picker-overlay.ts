import { lineLabel } from "./session-browser.ts"
import { fieldRow } from "../../text/line-rows.ts"
import type { Panel, PanelCaret } from "../panel/panel.ts"
import type { ContextName } from "../../keymap/actions/context.ts"
import type { Field } from "../../editor/field.ts"
import { onBrowserLine } from "./on-browser.ts"
import { type AtOverlay, type OpenField, overlayOf } from "../panel/overlay-spec.ts"
import type { OverlayActionId } from "../../keymap/actions/action-tables.ts"
import { withoutCommands, type Update, notify } from "../../model/update-result.ts"
import type { AtPicker } from "./picker-spec.ts"
import { type Handler, type Handlers, type Press, NO_PRESS } from "../../model/action.ts"
import { PICKERS } from "./pickers.ts"
import { type PickerItem, selectedItem, filteredItems, pickerPanel, itemAtRow } from "./picker.ts"
import type { PickerOverlay, PickerState, PickerPurpose } from "../../model/overlay.ts"
import type { AppModel } from "../../model/app-model.ts"
import { hintLine, keyName } from "../../keymap/hint.ts"
import { newPicker, openOverlay, closeOverlay } from "../../model/open-overlay.ts"

/** What all pickers have in common: marking an item, the filter, choosing and leaving. */

const itemsOf = (model: AppModel, overlay: PickerOverlay): ReadonlyArray<PickerItem> =>
  PICKERS[overlay.purpose].items(model, overlay)

/** Another item is marked, or other items are shown: what shows more of the one before goes. */
const changed = (model: AppModel, overlay: PickerOverlay, picker: PickerState): AppModel => {
  const isOther = picker.selected !== overlay.picker.selected
  const browser = isOther ? { ...overlay.browser, preview: undefined } : overlay.browser
  const next = { ...overlay, picker, browser }
  const opened = openOverlay(model, next)
  const { moved } = PICKERS[overlay.purpose]
  const marked = moved === undefined ? undefined : selectedItem(itemsOf(opened, next), picker)
  return moved === undefined || marked === undefined ? opened : moved(opened, marked)
}

type OnPicker = Handler<AtPicker>

const change =
  (next: (picker: PickerState, last: number) => PickerState | undefined): OnPicker =>
  ({ model, overlay }) => {
    const last = Math.max(0, filteredItems(itemsOf(model, overlay), overlay.picker).length - 1)
    const at = { ...overlay.picker, selected: Math.max(0, Math.min(overlay.picker.selected, last)) }
    const picker = next(at, last)
    return picker === undefined ? undefined : withoutCommands(changed(model, overlay, picker))
  }

const step = (by: number): OnPicker =>
  change((picker, last) => ({ ...picker, selected: Math.max(0, Math.min(picker.selected + by, last)) }))

/** Keys that a field has a meaning of its own for. */
const inList =
  (act: OnPicker): OnPicker =>
  (at, press) =>
    at.overlay.picker.isFiltering ? undefined : act(at, press)

const PAGE = 10

const accept: OnPicker = ({ model, overlay, item }) => {
  if (item === undefined) return undefined
  return item.disabled === undefined ? PICKERS[overlay.purpose].accept(model, overlay, item) : withoutCommands(model)
}

/** What was typed after `/` stays, and letters are keys of the list again. */
const cancel: OnPicker = ({ model, overlay }) => {
  const { picker } = overlay
  if (picker.isFiltering && !picker.isOnlyFilter)
    return withoutCommands(changed(model, overlay, { ...picker, isFiltering: false }))
  return PICKERS[overlay.purpose].cancelled?.(model, overlay) ?? withoutCommands(closeOverlay(model))
}

const filter: OnPicker = inList(change((picker) => ({ ...picker, isFiltering: true })))

export const PICKER_HANDLERS = {
  "select:next": step(1),
  "select:previous": step(-1),
  "select:pageDown": step(PAGE),
  "select:pageUp": step(-PAGE),
  "select:halfPageDown": inList(step(PAGE)),
  "select:halfPageUp": inList(step(-PAGE)),
  "select:first": change((picker) => ({ ...picker, selected: 0 })),
  "select:last": change((picker, last) => ({ ...picker, selected: last })),
  "select:accept": accept,
  "select:cancel": cancel,
  "select:filter": filter,
  "select:keys": inList(change((picker) => ({ ...picker, showsKeys: !picker.showsKeys }))),
  "palette:next": step(1),
  "palette:previous": step(-1),
  "palette:accept": accept,
  "palette:dismiss": cancel,
  "help:dismiss": cancel,
  "messageSelector:up": step(-1),
  "messageSelector:down": step(1),
  "messageSelector:top": change((picker) => ({ ...picker, selected: 0 })),
  "messageSelector:bottom": change((picker, last) => ({ ...picker, selected: last })),
  "messageSelector:select": accept,
  "sessions:open": accept,
  "sessions:filter": filter
} as const satisfies Partial<Handlers<OverlayActionId, AtPicker>>

const COMMON: Partial<Handlers<OverlayActionId, AtPicker>> = PICKER_HANDLERS

const act = ({ model, overlay }: AtOverlay<PickerOverlay>, id: OverlayActionId, press: Press): Update | undefined => {
  const at = { model, overlay, item: selectedItem(itemsOf(model, overlay), overlay.picker) }
  if (overlay.browser.typing !== undefined) return onBrowserLine(at, overlay.browser.typing, id)
  return PICKERS[overlay.purpose].on?.[id]?.(at, press) ?? COMMON[id]?.(at, press)
}

const fieldOf = (model: AppModel, overlay: PickerOverlay): OpenField | undefined => {
  const { typing } = overlay.browser
  if (typing !== undefined) {
    const put = (next: Field): AppModel =>
      openOverlay(model, { ...overlay, browser: { ...overlay.browser, typing: { ...typing, ...next } } })
    return { value: typing, put }
  }
  const { picker } = overlay
  if (!picker.isFiltering) return undefined
  return { value: picker.filter, put: (next) => changed(model, overlay, { ...picker, filter: next, selected: 0 }) }
}

const contextsOf = ({ purpose }: PickerOverlay): ReadonlyArray<ContextName> => {
  const { context } = PICKERS[purpose]
  return context === undefined ? ["Select"] : [context, "Select"]
}

const panelOf = (model: AppModel, overlay: PickerOverlay): Panel => {
  const spec = PICKERS[overlay.purpose]
  const { below, empty, hint, title, width } = spec
  const { keymap } = model.keys
  const contexts = contextsOf(overlay)
  const { typing } = overlay.browser
  const panel = pickerPanel({
    title: typeof title === "string" ? title : title(model, overlay),
    items: spec.items(model, overlay),
    picker: overlay.picker,
    hint: hintLine(keymap, contexts, hint(overlay)),
    hintKey: keyName(keymap, "select:keys", contexts),
    width,
    ...(below === undefined ? {} : { below: (columns: number) => below(model, overlay, columns) }),
    ...(empty === undefined ? {} : { empty: empty(model, overlay) })
  })
  if (typing === undefined) return panel
  const caret = (columns: number): PanelCaret => ({
    part: "foot",
    // A filter that is kept stands under it.
    row: panel.foot(columns).length - (overlay.picker.filter.text === "" ? 1 : 2),
    column: fieldRow(lineLabel(typing), typing, columns).column
  })
  return { ...panel, caret }
}

export const PICKER_OVERLAY = overlayOf("Picker", {
  contexts: contextsOf,
  leave: "select:cancel",
  panel: panelOf,
  field: fieldOf,
  act
})

/** Opens a picker with the item marked that its record says. */
export const openPickerAt = (model: AppModel, purpose: PickerPurpose, subject = ""): AppModel => {
  const overlay = newPicker(purpose, subject)
  const items = itemsOf(model, overlay)
  const selected = PICKERS[purpose].opensAt === "last" ? items.length - 1 : items.findIndex(({ marked }) => marked === true)
  return openOverlay(model, { ...overlay, picker: { ...overlay.picker, selected: Math.max(0, selected) } })
}

/** The list of earlier prompts; where nothing was said yet, a word instead of an empty list. */
export const openSelector = (model: AppModel): AppModel =>
  itemsOf(model, newPicker("selector")).length === 0
    ? notify(model, "nothing was sent here yet that you could go back to", { key: "selector" })
    : openPickerAt(model, "selector")

/** The item under a row of the list is marked and chosen, as by a click. */
export const chooseRow = (model: AppModel, overlay: PickerOverlay, row: number): Update => {
  const items = itemsOf(model, overlay)
  const selected = itemAtRow(items, overlay.picker, row)
  if (selected === undefined) return withoutCommands(model)
  const pointed = { ...overlay, picker: { ...overlay.picker, selected } }
  return (
    accept({ model: openOverlay(model, pointed), overlay: pointed, item: selectedItem(items, pointed.picker) }, NO_PRESS) ??
    withoutCommands(model)
  )
}
