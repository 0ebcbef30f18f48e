import { closeOverlay } from "../../model/open-overlay.ts"
import { withoutCommands } from "../../model/update-result.ts"
import { item, type PickerSpec } from "./picker-spec.ts"
import { activeContexts } from "../../model/windows/key-contexts.ts"
import { helpSections } from "../../keymap/help.ts"
import type { PickerItem } from "./picker.ts"
import type { AppModel } from "../../model/app-model.ts"

/** Every key there is; those that work where the keyboard is come first. */

const helpItems = (model: AppModel): ReadonlyArray<PickerItem> =>
  helpSections(model.keys.keymap, activeContexts(model)).flatMap(({ title, rows, isActive }) =>
    rows.flatMap(({ action, description, keys }, index) => {
      const shown = keys.map(({ text }) => text).join("  ")
      if (shown === "") return []
      const works = isActive && keys.some((key) => key.works)
      const group = works ? title : `${title} (elsewhere)`
      return [item(`${title}/${action ?? index}`, description, { right: shown, group, isDim: !works })]
    })
  )

export const HELP_PICKER: PickerSpec = {
  title: "Keys",
  width: 76,
  context: "Help",
  hint: () => ["type to filter", ["help:dismiss", "close"]],
  items: helpItems,
  accept: (model) => withoutCommands(closeOverlay(model))
}
