import type { MessageChoice } from "../../model/action.ts"
import { activeContexts } from "../../model/windows/key-contexts.ts"
import { queueOf } from "./on-queue.ts"
import { overlayContexts } from "../panel/overlay-contexts.ts"
import { type AppModel, currentSession } from "../../model/app-model.ts"
import { nameOf } from "../../model/session-model.ts"
import { SLASH_COMMANDS } from "../../prompt/slash-commands.ts"
import { chipTable, labelChips } from "../../prompt/chip.ts"
import { modeCharacter } from "../../prompt/recall.ts"
import { ACTIONS } from "../../keymap/actions/action-tables.ts"
import { helpSections, hintFor } from "../../keymap/help.ts"
import { boundHint } from "../../keymap/rebound.ts"
import { PANE_IDS } from "../../screen/layout/tree.ts"
import { THEME_NAMES } from "../../screen/style/palette.ts"
import { plural } from "../../transcript/number-format.ts"
import { changedFiles, touchedFiles, turnsOf } from "../../transcript/entries/select.ts"
import type { Transcript } from "../../transcript/state.ts"
import { OPTION_WORDS } from "../../model/set-option.ts"
import type { Row } from "../../screen/style/row.ts"
import {
  BROWSER_HINT,
  browserFoot,
  browserItems,
  browserTitle,
  emptyWords,
  HITS_HINT,
  lineLabel
} from "./session-browser.ts"
import { effortRows, modelItems } from "./models.ts"
import { fieldRow } from "../../text/line-rows.ts"
import type { PickerOverlay } from "../../model/overlay.ts"
import type { Panel, PanelCaret } from "../panel/panel.ts"
import { permissionItems } from "./permission-list.ts"
import { sandboxItems } from "./sandbox-list.ts"
import { pickerPanel, type PickerItem } from "./picker.ts"
import { themeSample } from "../panel/theme-sample.ts"

/** What the pickers list. Choosing is in on-picker.ts. */

const item = (id: string, label: string, more: Partial<PickerItem> = {}): PickerItem => ({
  id,
  label,
  detail: "",
  right: "",
  ...more
})

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

/** Actions that make sense from anywhere. */
const PALETTE_ACTIONS = /^(?:app|window|chat|scroll):/
const NOT_IN_PALETTE = new Set(["window:prefix", "chat:submit", "chat:newline", "chat:cancel", "app:palette"])

const keyOf = (model: AppModel, action: string): string => hintFor(model.keys.keymap, action, activeContexts(model)) ?? ""

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

const themeItems = (model: AppModel): ReadonlyArray<PickerItem> =>
  ["auto", ...THEME_NAMES].map((name) => item(name, name, { marked: name === model.options.theme }))

const filesText = (count: number): string => (count === 0 ? "" : plural(count, "file"))

const promptsByTranscript = new WeakMap<Transcript, ReadonlyArray<PickerItem>>()

/** The prompts of a session. A long one has tens of thousands of them, and every key asks again. */
const promptItems = (transcript: Transcript): ReadonlyArray<PickerItem> => {
  const known = promptsByTranscript.get(transcript)
  if (known !== undefined) return known
  const turns = turnsOf(transcript).filter(({ entryId }) => entryId !== "")
  const items = turns.map((turn, index) => {
    const files = changedFiles(transcript, turn).length
    const right = [`#${index + 1}`, filesText(files)].filter((part) => part !== "").join(" · ")
    return item(turn.entryId, turn.prompt.split("\n", 1)[0] ?? "", { right })
  })
  promptsByTranscript.set(transcript, items)
  return items
}

/** The prompts of the session, newest last; before them the session that was left with /clear. */
const selectorItems = (model: AppModel): ReadonlyArray<PickerItem> => {
  const session = currentSession(model)
  if (session === undefined) return []
  const { cleared } = model
  const before =
    cleared === undefined || model.sessions.has(cleared.id) ? [] : [item(BEFORE_CLEAR, `before /clear: ${cleared.title}`)]
  const prompts = promptItems(session.transcript)
  return before.length === 0 ? prompts : [...before, ...prompts]
}

export const BEFORE_CLEAR = "before-clear"

/** What can be done from a prompt that was chosen. */
export const REWIND_ACTIONS: ReadonlyArray<readonly [id: string, label: string, key: string]> = [
  ["restore", "go back to before it, its text to the prompt; files stay as they are", "r"],
  ["fork", "fork a session from here, beside this one", "f"],
  ["jump", "show it in the transcript", "t"],
  ["nothing", "never mind", "n"]
]

/** The letters of the leader keys, so that the menu teaches them. */
export const MESSAGE_ACTIONS: ReadonlyArray<readonly [id: MessageChoice, label: string, key: string]> = [
  ["retry", "send its prompt again", "r"],
  ["edit", "edit and send again from here", "e"],
  ["fork", "fork a session from here", "f"],
  ["rewind", "go back to an earlier message", "w"],
  ["pin", "pin it for compaction, or unpin it", "p"],
  ["remember", "keep it as a memory", "m"],
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

const queueItems = (model: AppModel): ReadonlyArray<PickerItem> => {
  const session = currentSession(model)
  if (session === undefined) return []
  return queueOf(session).map(({ id, draft: { text, mode, chips }, isCommand }) => {
    const label = modeCharacter(mode) + (labelChips(text, chipTable(chips)).split("\n", 1)[0] ?? "")
    return item(id, label, { right: isCommand ? "after the turn" : "" })
  })
}

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
    case "sandbox":
      return sandboxItems(model.sandbox)
    case "queue":
      return queueItems(model)
    case "memory":
      return MEMORY_PLACES.map(([id, label, detail]) => item(id, label, { detail }))
    case "rewind":
      return REWIND_ACTIONS.map(([id, label, key]) => item(id, label, { right: key }))
    case "message":
      return MESSAGE_ACTIONS.map(([id, label, key]) => item(id, label, { right: key }))
  }
}

const TITLES: Readonly<Record<PickerOverlay["purpose"], readonly [title: string, hint: string, width: number]>> = {
  help: ["Keys", "type to filter · Esc close", 76],
  palette: ["Palette", "type to filter · Enter run · Esc close", 90],
  model: ["Model", "Enter make it the default · s this session only · ← → effort · Esc keep", 100],
  theme: ["Theme", "j k try · ctrl+t colours of code · Enter keep · Esc back", 70],
  sessions: ["Sessions", BROWSER_HINT, 120],
  selector: ["Go back to", "Enter choose · Esc never mind", 90],
  rewind: ["From this prompt", "Enter choose · Esc", 70],
  message: ["This message", "Enter choose · Esc", 50],
  permissions: ["Permissions", "D take a rule back · r try a refused call again · /permissions allow RULE adds · Esc", 110],
  sandbox: ["Sandbox", "Enter choose (for all your projects) · t try to break out · Esc", 110],
  queue: ["Queued", "Enter edit · S send at once · D take it out · Esc", 90],
  memory: ["Remember in", "Enter choose · Esc keep it out", 80]
}

/** The list of keys under a picker is made from its hint, so that one names the person's keys too. */
const hintOf = (model: AppModel, overlay: PickerOverlay, usual: string): string =>
  boundHint(model.keys.keymap, overlayContexts(overlay), usual)

/** The browser has a foot of its own; a line that is typed there has the caret. */
const browserPanel = (model: AppModel, overlay: PickerOverlay): Panel => {
  const { browser, picker } = overlay
  const { typing } = browser
  const [, , width] = TITLES.sessions
  const panel = pickerPanel({
    title: browserTitle(model, overlay),
    items: browserItems(model, overlay),
    picker,
    hint: hintOf(model, overlay, browser.deep === undefined ? BROWSER_HINT : HITS_HINT),
    width,
    below: (columns) => browserFoot(model, browser, columns),
    empty: emptyWords(model, overlay)
  })
  if (typing === undefined) return panel
  const caret = (columns: number): PanelCaret => ({
    part: "foot",
    // A filter that is kept stands under it.
    row: panel.foot(columns).length - (picker.filter.text === "" ? 1 : 2),
    column: fieldRow(lineLabel(typing), typing, columns).column
  })
  return { ...panel, caret }
}

/** What some lists show under themselves. */
const BELOW: Partial<
  Record<PickerOverlay["purpose"], (model: AppModel, overlay: PickerOverlay) => (width: number) => ReadonlyArray<Row>>
> = {
  model: (model, overlay) => (width) => effortRows(model, overlay, width),
  theme: (model) => (width) => themeSample(model, width)
}

export const pickerPanelFor = (model: AppModel, overlay: PickerOverlay): Panel => {
  if (overlay.purpose === "sessions") return browserPanel(model, overlay)
  const [title, hint, width] = TITLES[overlay.purpose]
  const below = BELOW[overlay.purpose]
  const items = pickerItems(model, overlay)
  return pickerPanel({
    title,
    items,
    picker: overlay.picker,
    hint: hintOf(model, overlay, hint),
    width,
    ...(below === undefined ? {} : { below: below(model, overlay) })
  })
}
