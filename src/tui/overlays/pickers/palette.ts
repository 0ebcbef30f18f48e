import { absolutePath } from "../../text/absolute-path.ts"
import { showSession } from "../../model/windows/show-session.ts"
import { showPane } from "../../model/windows/window-actions.ts"
import { slashLine } from "../../model/waiting-line.ts"
import { raise, withoutCommands, withCommands } from "../../model/update-result.ts"
import { OPTION_WORDS, setOption } from "../../model/set-option.ts"
import { nameOf } from "../../model/session-model.ts"
import { PANE_IDS, isPaneId } from "../../screen/layout/tree.ts"
import { item, type Accept, type PickerSpec, closing } from "./picker-spec.ts"
import { SLASH_COMMANDS } from "../../prompt/slash-commands.ts"
import type { PickerItem } from "./picker.ts"
import { touchedFiles } from "../../transcript/entries/select.ts"
import { activeContexts } from "../../model/windows/key-contexts.ts"
import { hintFor } from "../../keymap/help.ts"
import { isActionId, ACTIONS } from "../../keymap/actions/action-tables.ts"
import { type AppModel, currentSession } from "../../model/app-model.ts"

/** Everything that can be done or gone to, by its name. */

/** Actions that make sense from anywhere. */
const PALETTE_ACTIONS = /^(?:app|window|chat|scroll):/
const NOT_IN_PALETTE = new Set(["window:prefix", "chat:submit", "chat:newline", "chat:cancel", "app:palette"])

const keyOf = (model: AppModel, id: string): string =>
  isActionId(id) ? (hintFor(model.keys.keymap, id, activeContexts(model)) ?? "") : ""

/** Files that the session had to do with. */
const filesOf = (model: AppModel): ReadonlyArray<string> => {
  const session = currentSession(model)
  return session === undefined ? [] : touchedFiles(session.transcript).map(({ path }) => path)
}

const paletteItems = (model: AppModel): ReadonlyArray<PickerItem> => [
  ...SLASH_COMMANDS.map(({ name, description }) =>
    item(`slash:${name}`, `/${name}`, { detail: description, group: "commands" })
  ),
  ...[...ACTIONS.values()]
    .filter(({ id }) => PALETTE_ACTIONS.test(id) && !NOT_IN_PALETTE.has(id))
    .map(({ id, description }) =>
      item(`action:${id}`, description, { right: keyOf(model, id), also: () => id, group: "actions" })
    ),
  ...PANE_IDS.map((pane) => item(`pane:${pane}`, pane, { right: keyOf(model, `window:${pane}`), group: "panes" })),
  ...[...model.sessions.values()].map((session) => item(`session:${session.id}`, nameOf(session), { group: "sessions" })),
  ...filesOf(model).map((path) => item(`file:${path}`, path, { group: "files" })),
  ...OPTION_WORDS.map((word) => item(`option:${word}`, `:set ${word}`, { group: "options" }))
]

const choose: Accept = (model, _overlay, { id }) => {
  const [kind = "", ...rest] = id.split(":")
  const name = rest.join(":")
  switch (kind) {
    case "slash":
      return raise(model, { id: "command:run", ...slashLine(`/${name}`) })
    case "action":
      return isActionId(name) ? raise(model, { id: "action:run", action: name }) : withoutCommands(model)
    case "pane":
      return isPaneId(name) ? withoutCommands(showPane(model, name)) : withoutCommands(model)
    case "session":
      return withoutCommands(showSession(model, name))
    case "file":
      return withCommands(model, {
        _tag: "ShowFile",
        session: model.current,
        path: absolutePath(name, currentSession(model)?.cwd ?? "")
      })
    case "option":
      return setOption(model, name, false)
    default:
      return withoutCommands(model)
  }
}

export const PALETTE_PICKER: PickerSpec = {
  title: "Palette",
  width: 90,
  context: "Palette",
  hint: () => ["type to filter", ["palette:accept", "run"], ["palette:dismiss", "close"]],
  items: paletteItems,
  accept: closing(choose)
}
