import { closeOverlay } from "../../model/open-overlay.ts"
import { withCommands, withoutCommands } from "../../model/update-result.ts"
import { type PickerSpec, item, closing } from "./picker-spec.ts"
import { bufferOf, endOf } from "../../editor/buffer.ts"
import { showDraft, isBlank } from "../../prompt/model.ts"
import { type AppModel, withCurrent } from "../../model/app-model.ts"
import type { NotePlace } from "../../../core/context/memory/look.ts"

/** Where a line is to be remembered. */

/** Where a remembered line can go; the id is what the shell knows the place by. */
const NOTE_PLACES: ReadonlyArray<readonly [id: NotePlace, label: string, detail: string]> = [
  ["project", "CLAUDE.md", "this project, shared with everybody who works on it"],
  ["local", "CLAUDE.local.md", "this project, only yours"],
  ["user", "~/.claude/CLAUDE.md", "all your projects"],
  ["memory", "MEMORY.md", "what the agent remembers about this project, only yours"]
]

/** A note that was kept nowhere is still what the user wrote. */
const backInPrompt = (model: AppModel, text: string): AppModel =>
  withCurrent(model, (session) => ({
    ...session,
    prompt: isBlank(session.prompt)
      ? showDraft(session.prompt, { text, caret: endOf(bufferOf(text)), mode: "memory", chips: [] }, model.now)
      : session.prompt
  }))

export const NOTE_PICKER: PickerSpec = {
  title: "Remember in",
  width: 80,
  hint: () => [
    ["select:accept", "choose"],
    ["select:cancel", "keep it out"]
  ],
  items: () => NOTE_PLACES.map(([id, label, detail]) => item(id, label, { detail })),
  accept: closing((model, { subject }, { id }) => {
    const place = NOTE_PLACES.find(([known]) => known === id)?.[0]
    return place === undefined
      ? withoutCommands(model)
      : withCommands(model, { _tag: "WriteNote", session: model.current, place, text: subject })
  }),
  // What was chosen in the transcript is still there; only what was typed goes back.
  cancelled: (model, { subject }) => {
    const closed = closeOverlay(model)
    return withoutCommands(model.focus === "prompt" ? backInPrompt(closed, subject) : closed)
  }
}
