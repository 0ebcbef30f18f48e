import type { ContextName } from "../../keymap/actions/context.ts"
import type { OverlayActionId } from "../../keymap/actions/action-tables.ts"
import type { Hint } from "../../keymap/hint.ts"
import type { Handlers } from "../../model/action.ts"
import type { AppModel } from "../../model/app-model.ts"
import { closeOverlay } from "../../model/open-overlay.ts"
import type { PickerOverlay } from "../../model/overlay.ts"
import type { Update } from "../../model/update-result.ts"
import type { Row } from "../../screen/style/row.ts"
import type { PickerItem } from "./picker.ts"

/** A list to choose from, with the item that is marked in it. */
export interface AtPicker {
  readonly model: AppModel
  readonly overlay: PickerOverlay
  readonly item: PickerItem | undefined
}

export type Accept = (model: AppModel, overlay: PickerOverlay, item: PickerItem) => Update

/** All that makes one picker; what they have in common is done for all of them. */
export interface PickerSpec {
  readonly title: string | ((model: AppModel, overlay: PickerOverlay) => string)
  readonly width: number
  /** Where its own keys are; those of every list come after them. */
  readonly context?: ContextName
  readonly hint: (overlay: PickerOverlay) => ReadonlyArray<Hint>
  readonly items: (model: AppModel, overlay: PickerOverlay) => ReadonlyArray<PickerItem>
  readonly accept: Accept
  readonly on?: Partial<Handlers<OverlayActionId, AtPicker>>
  /** It opens at what is in force, so that Enter changes nothing, or at its end. */
  readonly opensAt?: "marked" | "last"
  /** It lists from the whole session: while it is open, all of it has to be here. */
  readonly needsFullHistory?: true
  /** Another item was marked. */
  readonly moved?: (model: AppModel, item: PickerItem) => AppModel
  readonly cancelled?: (model: AppModel, overlay: PickerOverlay) => Update
  readonly below?: (model: AppModel, overlay: PickerOverlay, width: number) => ReadonlyArray<Row>
  /** What is said in place of items when there are none. */
  readonly empty?: (model: AppModel, overlay: PickerOverlay) => string
}

/** Choosing ends the picker. */
export const closing =
  (accept: Accept): Accept =>
  (model, overlay, item) =>
    accept(closeOverlay(model), overlay, item)

export const item = (id: string, label: string, more: Partial<PickerItem> = {}): PickerItem => ({
  id,
  label,
  detail: "",
  right: "",
  ...more
})
