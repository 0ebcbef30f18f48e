import { themeSample } from "../panel/theme-sample.ts"
import { closeOverlay } from "../../model/open-overlay.ts"
import { withoutCommands, withCommands } from "../../model/update-result.ts"
import type { Handler } from "../../model/action.ts"
import { item, type AtPicker, type PickerSpec, closing } from "./picker-spec.ts"
import type { PickerItem } from "./picker.ts"
import type { AppModel } from "../../model/app-model.ts"
import { type ThemeName, THEME_NAMES } from "../../screen/style/palette.ts"

/** The colours: what is marked is shown at once, and comes back where none is taken. */

const isTheme = (text: string): text is ThemeName | "auto" => text === "auto" || THEME_NAMES.some((name) => name === text)

const withTheme = (model: AppModel, name: string): AppModel =>
  isTheme(name) ? { ...model, options: { ...model.options, theme: name } } : model

const themeItems = (model: AppModel): ReadonlyArray<PickerItem> =>
  ["auto", ...THEME_NAMES].map((name) => item(name, name, { marked: name === model.options.theme }))

const toggleHighlight: Handler<AtPicker> = ({ model }) =>
  withoutCommands({ ...model, options: { ...model.options, highlight: !model.options.highlight } })

export const THEME_PICKER: PickerSpec = {
  title: "Theme",
  width: 70,
  context: "ThemePicker",
  hint: () => [
    [["select:next", "select:previous"], "try"],
    ["theme:toggleSyntaxHighlighting", "colours of code"],
    ["select:accept", "keep"],
    ["select:cancel", "back"]
  ],
  items: themeItems,
  accept: closing((model, _overlay, { id }) =>
    withCommands(withTheme(model, id), { _tag: "SaveOption", name: "theme", value: id })
  ),
  on: { "theme:toggleSyntaxHighlighting": toggleHighlight },
  opensAt: "marked",
  moved: (model, { id }) => withTheme(model, id),
  cancelled: (model, { subject }) => withoutCommands(withTheme(closeOverlay(model), subject)),
  below: (model, _overlay, width) => themeSample(model, width)
}
