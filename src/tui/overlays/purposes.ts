import { profileOf, contextWindow } from "../../core/domain/model.ts"
import { priceOf } from "../../core/budget/cost.ts"
import { currentModel } from "../../core/loop/sending.ts"
import { activeContexts } from "../app/contexts.ts"
import { type AppModel, currentSession } from "../app/model.ts"
import { nameOf } from "../app/session-model.ts"
import { SLASH_COMMANDS } from "../app/slash.ts"
import { ACTIONS } from "../keymap/actions.ts"
import { helpSections, hintFor } from "../keymap/help.ts"
import { PANE_IDS } from "../layout/tree.ts"
import { THEME_NAMES } from "../theme/palette.ts"
import { countText } from "../transcript/figures.ts"
import { turnsOf } from "../transcript/select.ts"
import { BROWSER_HINT, browserFoot, browserItems, browserTitle, HITS_HINT, lineLabel } from "./browser.ts"
import { fieldRow } from "./option-rows.ts"
import type { PickerOverlay } from "./overlay.ts"
import type { Panel, PanelCaret } from "./panel.ts"
import { permissionItems } from "./permission-list.ts"
import { pickerPanel, type PickerItem } from "./picker.ts"

/** What the pickers list. Choosing is in app/on-picker.ts. */

const item = (id: string, label: string, more: Partial<PickerItem> = {}): PickerItem => ({ id, label, detail: "", right: "", ...more })

const helpItems = (model: AppModel): ReadonlyArray<PickerItem> =>
  helpSections(model.keys.keymap, activeContexts(model)).flatMap(({ title, rows, isActive }) =>
    rows.flatMap(({ action, description, keys }, index) => {
      const shown = keys.map(({ text }) => text).join("  ")
      if (shown === "") return []
      const works = isActive && keys.some((key) => key.works)
      return [item(`${title}/${action ?? index}`, description, { right: shown, group: works ? title : `${title} (elsewhere)` })]
    })
  )

/** Actions that make sense from anywhere. */
const PALETTE_ACTIONS = /^(?:app|window|chat|scroll):/
const NOT_IN_PALETTE = new Set(["window:prefix", "chat:submit", "chat:newline", "chat:cancel", "app:palette"])

const paletteItems = (model: AppModel): ReadonlyArray<PickerItem> => [
  ...SLASH_COMMANDS.map(({ name, description }) => item(`slash:${name}`, `/${name}`, { detail: description, group: "commands" })),
  ...[...ACTIONS.values()]
    .filter(({ id }) => PALETTE_ACTIONS.test(id) && !NOT_IN_PALETTE.has(id))
    .map(({ id, description }) => item(`action:${id}`, description, { detail: id, right: hintFor(model.keys.keymap, id, activeContexts(model)) ?? "", group: "actions" })),
  ...PANE_IDS.map((pane) => item(`pane:${pane}`, pane, { detail: "pane", group: "panes" })),
  ...[...model.sessions.values()].map((session) => item(`session:${session.id}`, nameOf(session), { detail: "session", group: "sessions" }))
]

const MODELS = ["offline", "fable", "opus", "sonnet", "haiku"] as const

const modelItems = (model: AppModel): ReadonlyArray<PickerItem> => {
  const session = currentSession(model)
  const current = session === undefined ? "" : currentModel(session.state)
  const names: ReadonlyArray<string> = current === "" || MODELS.some((name) => name === current) ? MODELS : [current, ...MODELS]
  return names.map((name) => {
    const price = priceOf(name)
    const money = price === undefined ? "" : `$${price.input}/$${price.output} per M`
    return item(name, name, {
      detail: profileOf(name).family ?? (name === "offline" ? "scripted, not an LLM" : ""),
      right: [countText(contextWindow(name)), money].filter((part) => part !== "").join(" · "),
      marked: name === current
    })
  })
}

const themeItems = (model: AppModel): ReadonlyArray<PickerItem> =>
  ["auto", ...THEME_NAMES].map((name) => item(name, name, { marked: name === model.options.theme }))

const selectorItems = (model: AppModel): ReadonlyArray<PickerItem> => {
  const session = currentSession(model)
  if (session === undefined) return []
  return turnsOf(session.transcript)
    .filter(({ entryId }) => entryId !== "")
    .map(({ entryId, prompt }, index) => item(entryId, prompt.split("\n", 1)[0] ?? "", { right: `#${index + 1}` }))
}

/** The letters of the leader keys, so that the menu teaches them. */
export const MESSAGE_ACTIONS: ReadonlyArray<readonly [id: string, label: string, key: string]> = [
  ["retry", "send its prompt again", "r"],
  ["edit", "edit and send again from here", "e"],
  ["fork", "fork a session from here", "f"],
  ["rewind", "go back to an earlier message", "w"],
  ["diff", "show the changes of its turn", "d"],
  ["details", "show details", "K"],
  ["copy", "copy the message", "y"],
  ["quote", "quote it in the prompt", ">"]
]

/** Where a remembered line can go; the id is what the shell knows the place by. */
const MEMORY_PLACES: ReadonlyArray<readonly [id: string, label: string, detail: string]> = [
  ["project", "CLAUDE.md", "this project, shared with everybody who works on it"],
  ["local", "CLAUDE.local.md", "this project, only yours"],
  ["user", "~/.claude/CLAUDE.md", "all your projects"]
]

export const pickerItems = (model: AppModel, overlay: PickerOverlay): ReadonlyArray<PickerItem> => {
  switch (overlay.purpose) {
    case "help":
      return helpItems(model)
    case "palette":
      return paletteItems(model)
    case "model":
      return modelItems(model)
    case "theme":
      return themeItems(model)
    case "sessions":
      return browserItems(model, overlay)
    case "selector":
      return selectorItems(model)
    case "permissions": {
      const session = currentSession(model)
      return session === undefined ? [] : permissionItems(session)
    }
    case "memory":
      return MEMORY_PLACES.map(([id, label, detail]) => item(id, label, { detail }))
    case "message":
      return MESSAGE_ACTIONS.map(([id, label, key]) => item(id, label, { right: key }))
  }
}

const TITLES: Readonly<Record<PickerOverlay["purpose"], readonly [title: string, hint: string, width: number]>> = {
  help: ["Keys", "type to filter · Esc close", 100],
  palette: ["Palette", "type to filter · Enter run · Esc close", 90],
  model: ["Model", "Enter choose · Esc keep", 80],
  theme: ["Theme", "j k try · Enter keep · Esc back", 50],
  sessions: ["Sessions", BROWSER_HINT, 120],
  selector: ["Go back to", "Enter choose · Esc never mind", 90],
  message: ["This message", "Enter choose · Esc", 50],
  permissions: ["Permissions", "D take a rule back · r try a refused call again · /permissions allow RULE adds · Esc", 110],
  memory: ["Remember in", "Enter choose · Esc keep it out", 80]
}

/** The browser has a foot of its own; a line that is typed there has the caret. */
const browserPanel = (model: AppModel, overlay: PickerOverlay): Panel => {
  const { browser, picker } = overlay
  const { typing } = browser
  const [, , width] = TITLES.sessions
  const panel = pickerPanel({
    title: browserTitle(model, overlay),
    items: browserItems(model, overlay),
    picker,
    hint: browser.deep === undefined ? BROWSER_HINT : HITS_HINT,
    width,
    below: (columns) => browserFoot(browser, columns)
  })
  if (typing === undefined) return panel
  const caret = (columns: number): PanelCaret => ({
    part: "foot",
    row: browserFoot(browser, columns).length - 1,
    column: fieldRow(lineLabel(typing), typing, columns).column
  })
  return { ...panel, caret }
}

export const pickerPanelFor = (model: AppModel, overlay: PickerOverlay): Panel => {
  if (overlay.purpose === "sessions") return browserPanel(model, overlay)
  const [title, hint, width] = TITLES[overlay.purpose]
  return pickerPanel({ title, items: pickerItems(model, overlay), picker: overlay.picker, hint, width })
}
