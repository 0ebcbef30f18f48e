import type { MessageChoice } from "../../model/action.ts"
import { Record } from "effect"
import { isUndoLine } from "../../../core/context/reduction/undo-line.ts"
import * as Log from "../../../core/domain/append-list.ts"
import type { CompactionWish } from "../../../core/loop/machine/state.ts"
import { newestCompaction } from "../../../core/loop/reduction/view.ts"
import { NEW_LIST } from "../../model/list-state.ts"
import { showDraft } from "../../prompt/model.ts"
import { type Entry, isOpenCall } from "../../transcript/block.ts"
import { cursorPlace } from "../../transcript/list/state/cursor.ts"
import { locate } from "../../transcript/list/index/entries.ts"
import { itemAt } from "../../transcript/list/index/tree.ts"
import { selectedText } from "../../transcript/list/commands/selection.ts"
import { turnsOf } from "../../transcript/entries/select.ts"
import * as Vector from "../../transcript/vector.ts"
import { focusOn } from "../../model/windows/layout-and-focus.ts"
import { withCommands, notify, withoutCommands, type Update } from "../../model/update-result.ts"
import type { Cmd } from "../../model/cmd.ts"
import { stopCallOverlay } from "../../model/confirm.ts"
import { redoAction, undoAction, togglePin } from "../../model/undoable-actions.ts"
import { withWhole } from "../../model/conversation/history-paging.ts"
import { goToEntry } from "../../model/conversation/go-to-entry.ts"
import { insertIntoPrompt } from "../../model/prompt/insert-into-prompt.ts"
import { detailLines, type MessageBlock } from "./message-details.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import { openOverlay, openPicker } from "../../model/open-overlay.ts"
import { openSelector } from "../../overlays/pickers/picker-overlay.ts"
import { openLink, openPath } from "./open-under-cursor.ts"
import type { SessionModel } from "../../model/session-model.ts"
import { transcriptContextOf } from "../../model/conversation/transcript-context.ts"
import { transcriptMarkdown } from "./transcript-text.ts"
import { showPane } from "../../model/windows/window-actions.ts"

/** What can be done with the message under the cursor (UI-135, UI-136). */

const hereOf = (model: AppModel, session: SessionModel): MessageBlock | undefined => {
  const place = cursorPlace(session.list, transcriptContextOf(model, session))
  const at = place === undefined ? undefined : locate(session.list.entries, place)
  const entry = at === undefined ? undefined : itemAt(session.list.entries.tree, at.index)?.entry
  return at === undefined || entry === undefined ? undefined : { entry, block: at.block }
}

/** The prompt that began the turn of an entry. */
const promptBefore = (session: SessionModel, entry: Entry): Entry | undefined => {
  const place = Vector.findLastIndex(session.transcript.entries, ({ id }) => id === entry.id)
  for (let at = place; at >= 0; at--) {
    const each = Vector.get(session.transcript.entries, at)
    if (each?.kind === "user" && each.blocks.some(({ kind }) => kind === "user")) return each
  }
  return undefined
}

const sourceOf = (entry: Entry): string =>
  entry.blocks
    .filter(({ kind }) => kind === "user")
    .map(({ source }) => source)
    .join("\n")

/** The last record before a place. */
const recordBefore = ({ transcript, earlier }: SessionModel, place: number): string | undefined => {
  for (let at = place - 1; at >= 0; at--) {
    const uuid = Vector.get(transcript.entries, at)?.uuid
    if (uuid !== undefined) return uuid
  }
  return earlier.released?.last
}

/** Puts an earlier prompt back into the editor and forks the conversation before it: nothing that was said is lost. */
export const editFrom = (model: AppModel, session: SessionModel, entry: Entry): Update => {
  const prompt = promptBefore(session, entry)
  if (prompt?.uuid === undefined) return withoutCommands(notify(model, "there is no prompt to edit here"))
  const text = sourceOf(prompt)
  const place = Vector.findLastIndex(session.transcript.entries, ({ id }) => id === prompt.id)
  const upTo = recordBefore(session, place)
  if (upTo === undefined && session.list.hasEarlier) {
    return withoutCommands(notify(model, "what was said before it is still being read. Fix: try again in a moment"))
  }
  if (upTo === undefined) {
    return withCommands(
      model,
      { _tag: "OpenSession", which: { _tag: "New" }, replaces: undefined },
      { _tag: "DraftNext", text }
    )
  }
  return withCommands(
    model,
    { _tag: "OpenSession", which: { _tag: "Fork", sessionId: session.id, upTo }, replaces: undefined },
    { _tag: "DraftNext", text }
  )
}

const forkAt = (model: AppModel, session: SessionModel, { entry }: MessageBlock): Update =>
  withCommands(
    { ...model, layout: { ...model.layout, splitNext: "row" } },
    { _tag: "OpenSession", which: { _tag: "Fork", sessionId: session.id, upTo: entry.uuid }, replaces: undefined }
  )

/** A summary takes the place of one side of a prompt; of a prompt that goes the words come back. */
const summarise =
  (side: "UpTo" | "From") =>
  (model: AppModel, session: SessionModel, { entry }: MessageBlock): Update => {
    const prompt = promptBefore(session, entry)
    if (prompt?.uuid === undefined) return withoutCommands(notify(model, "there is no prompt to summarise from here"))
    const next = side === "From" ? insertIntoPrompt(focusOn(model, "prompt"), sourceOf(prompt)) : model
    return withCommands(next, {
      _tag: "Compact",
      session: session.id,
      focus: "",
      part: { _tag: side, uuid: prompt.uuid }
    })
  }

/** The newest compaction goes, or comes again; before an older one the conversation opens beside this one. */
const undoCompaction = (model: AppModel, session: SessionModel, { entry, block }: MessageBlock): Update | undefined => {
  if (block.kind !== "boundary") return undefined
  const { conversation } = session.state
  const about = (wish: CompactionWish): Update => withCommands(model, { _tag: "AboutCompaction", session: session.id, wish })
  if (newestCompaction(conversation)?.boundary.uuid === entry.uuid) return about({ _tag: "Undo" })
  const last = Log.get(conversation.messages, conversation.messages.length - 1)
  if (last !== undefined && isUndoLine(last)) return about({ _tag: "Redo" })
  const upTo = recordBefore(
    session,
    Vector.findLastIndex(session.transcript.entries, ({ id }) => id === entry.id)
  )
  if (upTo === undefined) return withoutCommands(notify(model, "what was said before is not there any more"))
  return withCommands(model, {
    _tag: "OpenSession",
    which: { _tag: "Fork", sessionId: session.id, upTo },
    replaces: undefined
  })
}

/** The changes of the turn that an entry belongs to. */
const showTurn = (model: AppModel, session: SessionModel, entry: Entry): Update => {
  const turns = turnsOf(session.transcript)
  const place = Vector.findLastIndex(session.transcript.entries, ({ id }) => id === entry.id)
  const at = turns.findIndex(({ start, end }) => place >= start && place < end)
  const back = at < 0 ? 0 : turns.length - 1 - at
  return withoutCommands(
    showPane(
      withCurrent(model, (each) => ({
        ...each,
        changesOf: { _tag: "Turn", back },
        lists: { ...each.lists, changes: NEW_LIST }
      })),
      "changes"
    )
  )
}

const retry = (model: AppModel, session: SessionModel, here: MessageBlock): Update => {
  const prompt = promptBefore(session, here.entry)
  return prompt === undefined
    ? withoutCommands(notify(model, "there is no prompt to send again"))
    : withCommands(model, { _tag: "Submit", session: session.id, text: sourceOf(prompt), priority: "next" })
}

/** What is selected, or the message: it is asked where to keep it, as for a line that begins with `#`. */
const remember = (model: AppModel, session: SessionModel, { block }: MessageBlock): Update => {
  const { selection } = session.list
  const text =
    selection === undefined ? block.source : selectedText(session.list, selection, transcriptContextOf(model, session))
  const line = text.replaceAll(/\s*\n\s*/g, " ").trim()
  return withoutCommands(
    line === "" ? notify(model, "there is nothing to remember here") : openPicker(model, "memory", line)
  )
}

const stopCall = (model: AppModel, session: SessionModel, { block }: MessageBlock): Update => {
  return block.kind === "tool" && isOpenCall(block.state)
    ? withoutCommands(openOverlay(model, stopCallOverlay(session.id, block)))
    : withoutCommands(notify(model, "no running call is under the cursor"))
}

type MessageAct = (model: AppModel, session: SessionModel, here: MessageBlock) => Update

/** What is done about a message: the one under the cursor, or one that was chosen in its menu. */
const MESSAGE_ACTS = {
  "transcript:details": (model, session, here) =>
    withoutCommands(openOverlay(model, { _tag: "Listing", title: "Details", lines: detailLines(session, here), top: 0 })),
  "transcript:retry": retry,
  "transcript:edit": (model, session, { entry }) => editFrom(model, session, entry),
  "transcript:fork": forkAt,
  "transcript:rewind": (model) => withoutCommands(openSelector(model)),
  "transcript:summariseUpTo": summarise("UpTo"),
  "transcript:summariseFrom": summarise("From"),
  "transcript:undo": (model, session, here) => undoCompaction(model, session, here) ?? undoAction(model),
  "transcript:diff": (model, session, { entry }) => showTurn(model, session, entry),
  "transcript:pin": (model, session, { entry }) => togglePin(model, session, entry.uuid),
  "transcript:remember": remember,
  "transcript:stop": stopCall,
  "pane:goToCall": (model, _session, { entry }) => withoutCommands(goToEntry(model, entry.id)),
  "pane:open": (model, _session, { entry }) => withoutCommands(openPicker(model, "message", entry.id))
} as const satisfies Readonly<Record<string, MessageAct>>

const inSession =
  (act: (model: AppModel, session: SessionModel) => Update) =>
  ({ model }: { readonly model: AppModel }): Update => {
    const session = currentSession(model)
    return session === undefined ? withoutCommands(model) : act(model, session)
  }

const underCursor = (act: MessageAct) =>
  inSession((model, session) => {
    const here = hereOf(model, session)
    return here === undefined ? withoutCommands(model) : act(model, session, here)
  })

/** Something is done with the text of the whole session. */
const withText = (model: AppModel, { id }: SessionModel, cmd: (text: string) => Cmd): Update =>
  withWhole(model, id, (whole, session) => withCommands(whole, cmd(transcriptMarkdown(session))))

/** What the transcript does besides moving, selecting and yanking. */
export const TRANSCRIPT_ACTIONS = {
  ...Record.map(MESSAGE_ACTS, underCursor),
  "transcript:openInEditor": inSession((model, session) =>
    withText(model, session, (text) => ({ _tag: "ShowInEditor", text, name: "transcript.md" }))
  ),
  "transcript:toScrollback": inSession((model, session) =>
    withText(model, session, (text) => ({ _tag: "PrintTranscript", session: session.id, text }))
  ),
  "transcript:openPath": inSession((model, session) => openPath(model, session, "editor")),
  "transcript:openPathHere": inSession((model, session) => openPath(model, session, "output")),
  "transcript:openLink": inSession(openLink),
  "transcript:redo": ({ model }: { readonly model: AppModel }) => redoAction(model)
}

const quoted = (text: string): string =>
  `${text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n")}\n`

/** Acts on a message chosen in a menu. */
export const runMessageChoice = (model: AppModel, entryId: string, choice: MessageChoice): Update => {
  const session = currentSession(model)
  const place = session === undefined ? -1 : Vector.findLastIndex(session.transcript.entries, ({ id }) => id === entryId)
  const entry = session === undefined ? undefined : Vector.get(session.transcript.entries, place)
  const block = entry?.blocks[0]
  if (session === undefined || entry === undefined || block === undefined) return withoutCommands(model)
  const text = entry.blocks.map(({ source }) => source).join("\n\n")
  if (choice === "copy") return withCommands(model, { _tag: "Copy", text, what: "the message" })
  if (choice === "quote") return withoutCommands(insertIntoPrompt(focusOn(model, "prompt"), quoted(text)))
  return MESSAGE_ACTS[`transcript:${choice}`](model, session, { entry, block })
}

/** Fills the prompt of a session that has just opened. */
export const withDraftText = (model: AppModel, session: string, text: string): AppModel =>
  session !== model.current
    ? model
    : withCurrent(model, (each) => ({
        ...each,
        prompt: showDraft(each.prompt, { text, caret: { line: 0, column: 0 }, mode: "prompt", chips: [] }, model.now)
      }))
