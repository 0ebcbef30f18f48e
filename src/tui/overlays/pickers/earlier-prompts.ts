import { menuOf } from "./menu.ts"
import { goToEntry } from "../../model/conversation/go-to-entry.ts"
import { openPicker } from "../../model/open-overlay.ts"
import { emptySession } from "./on-browser.ts"
import { type Update, withoutCommands, withCommands, raise } from "../../model/update-result.ts"
import { type AppModel, currentSession } from "../../model/app-model.ts"
import { item, type PickerSpec, closing } from "./picker-spec.ts"
import { turnsOf, changedFiles } from "../../transcript/entries/select.ts"
import type { PickerItem } from "./picker.ts"
import type { Transcript } from "../../transcript/state.ts"
import { plural } from "../../transcript/number-format.ts"

/** Going back to an earlier prompt: which one, and what is done from it. */

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

/** The session that was left with /clear, in place of the empty one. */
const backToCleared = (model: AppModel): Update => {
  const { cleared } = model
  if (cleared === undefined) return withoutCommands(model)
  const which = { _tag: "Resume" as const, sessionId: cleared.id }
  return withCommands({ ...model, cleared: undefined }, { _tag: "OpenSession", which, replaces: emptySession(model) })
}

export const SELECTOR_PICKER: PickerSpec = {
  title: "Go back to",
  width: 90,
  context: "MessageSelector",
  hint: () => [
    ["messageSelector:select", "choose"],
    ["select:cancel", "never mind"]
  ],
  items: selectorItems,
  accept: closing((model, _overlay, { id }) =>
    id === BEFORE_CLEAR ? backToCleared(model) : withoutCommands(openPicker(model, "rewind", id))
  ),
  opensAt: "last",
  needsFullHistory: true
}

type Act = (model: AppModel, entry: string) => Update

const REWIND_ACTS = {
  "rewind:restore": (model, entry) => raise(model, { id: "message:act", entry, choice: "edit" }),
  "rewind:fork": (model, entry) => raise(model, { id: "message:act", entry, choice: "fork" }),
  "rewind:summariseUpTo": (model, entry) => raise(model, { id: "message:act", entry, choice: "summariseUpTo" }),
  "rewind:summariseFrom": (model, entry) => raise(model, { id: "message:act", entry, choice: "summariseFrom" }),
  "rewind:jump": (model, entry) => withoutCommands(goToEntry(model, entry)),
  "rewind:nothing": withoutCommands
} as const satisfies Readonly<Record<string, Act>>

export const REWIND_PICKER: PickerSpec = {
  ...menuOf("Rewind", { title: "From this prompt", width: 70, acts: REWIND_ACTS }),
  needsFullHistory: true
}
