import { bufferOf, endOf } from "../../editor/buffer.ts"
import { withImages } from "../../prompt/chip.ts"
import { replaceText } from "../../prompt/editor.ts"
import type { PromptModel } from "../../prompt/model.ts"
import { PLAIN_CONTEXT } from "../../editor/vim/state/context.ts"
import { replaceRange } from "../../editor/vim/replace-range.ts"
import { withRead } from "../../prompt/chip.ts"
import { pasteImage } from "../../prompt/paste.ts"
import { recallOrder } from "../../prompt/recall.ts"
import { candidatesArrived } from "../../prompt/update.ts"
import { notify, withoutCommands, type Update } from "../../model/update-result.ts"
import { hunkTurned } from "../../model/undoable-actions.ts"
import { onEarlierRead } from "../../model/conversation/history-paging.ts"
import { isLineRequest, pathsFound } from "../commands/ex-complete.ts"
import { insertIntoPrompt } from "../../model/prompt/insert-into-prompt.ts"
import { marksLoaded, shadaLoaded } from "../../model/persisted-registers.ts"
import { releaseEntries } from "../../model/conversation/release-old-entries.ts"
import { type AppModel, withSession } from "../../model/app-model.ts"
import type { SessionModel } from "../../model/session-model.ts"
import { onStatusLine } from "../../model/status-line.ts"
import type { Happening } from "../../model/msg.ts"
import { sessionPreviewed, sessionsListed, sessionsSearched } from "../../overlays/pickers/on-browser.ts"
import { openFirstRun } from "../../overlays/dialogs/on-onboarding.ts"
import { memoryChanged, memorySeen } from "../../overlays/pickers/on-memory.ts"
import { sandboxSeen } from "../../overlays/pickers/on-sandbox.ts"
import { openOverlay } from "../../model/open-overlay.ts"
import { withOptions } from "../../model/prompt/switch-editor.ts"
import { openSettingsDialog } from "../../overlays/dialogs/settings-error.ts"
import { openTrust } from "../../overlays/dialogs/trust.ts"
import { NEW_LIST } from "../../model/list-state.ts"
import { needsFullHistory } from "../../panes/panes.ts"
import { showPane } from "../../model/windows/window-actions.ts"
import { sameFiles } from "../../panes/changes/keep-unchanged-files.ts"

/** What the shell found out because it was asked to. */
type Told = Exclude<
  Happening,
  {
    readonly _tag:
      | "Input"
      | "Resized"
      | "Ticked"
      | "Session"
      | "SessionAwaited"
      | "SessionOpened"
      | "SessionRefused"
      | "InterruptSignal"
      | "Browse"
      | "Told"
  }
>

const isWholeNeeded = (model: AppModel, id: string): boolean => {
  const session = model.sessions.get(id)
  return session !== undefined && needsFullHistory(model, session)
}

/** A mention of a path with a blank is quoted; the quotes of a directory stay open, because completion goes on in it. */
const mentionOf = (path: string): string => {
  if (!/[\s#]/.test(path)) return `@${path}`
  return path.endsWith("/") ? `@"${path}` : `@"${path}"`
}

/** A path as one word of a shell line. */
const shellWord = (path: string): string => path.replace(/[^\w@%+=:,./~\u0080-\uffff-]/g, "\\$&")

const TRUST_WAITS = "the folder's settings have new entries; they do not hold until you accept them (nacre trust add)"

/** Puts what a command printed in the place of the lines it was given. */
const filtered = (
  prompt: PromptModel,
  range: Extract<Told, { readonly _tag: "PromptFiltered" }>,
  now: number
): PromptModel =>
  prompt.editor._tag === "Vim"
    ? { ...prompt, editor: { _tag: "Vim", vim: replaceRange(prompt.editor.vim, range, { ...PLAIN_CONTEXT, now }) } }
    : prompt

/** What the user's editor saved, as one undoable change. Pastes were written out in it; images stay what they are. */
const edited = (prompt: PromptModel, text: string, now: number): PromptModel => {
  const next = withImages(text, prompt.chips)
  return { ...prompt, editor: replaceText(prompt.editor, next, { caret: endOf(bufferOf(next)), now }) }
}

type ForOneSession = Extract<
  Told,
  {
    readonly _tag:
      | "HistoryLoaded"
      | "PastesRead"
      | "DraftEdited"
      | "PromptFiltered"
      | "ImagePasted"
      | "DiffLoaded"
      | "TasksListed"
  }
>

/** What changes nothing but the session it is about. */
const sessionWith = (session: SessionModel, happening: ForOneSession, now: number): SessionModel => {
  const { prompt } = session
  switch (happening._tag) {
    case "HistoryLoaded": {
      const recall = recallOrder(happening.entries, { sessionId: session.id, project: session.cwd })
      return { ...session, history: happening.entries, recall }
    }
    case "PastesRead":
      return { ...session, prompt: { ...prompt, chips: withRead(prompt.chips, happening.texts) } }
    case "DraftEdited":
      return { ...session, prompt: edited(prompt, happening.text, now) }
    case "PromptFiltered":
      return { ...session, prompt: filtered(prompt, happening, now) }
    case "ImagePasted":
      return { ...session, prompt: pasteImage(prompt, happening.reference, now) }
    case "DiffLoaded":
      return { ...session, workingFiles: sameFiles(session.workingFiles, happening.files) }
    case "TasksListed":
      return session.tasks.length + happening.tasks.length === 0 ? session : { ...session, tasks: happening.tasks }
  }
}

const filesFound = (model: AppModel, happening: Extract<Told, { readonly _tag: "FilesFound" }>): AppModel => {
  if (isLineRequest(happening.request)) return pathsFound(model, happening.paths)
  const isShell = model.sessions.get(happening.session)?.prompt.mode === "shell"
  const candidates = happening.paths.map((path) => ({
    name: path,
    insert: isShell ? shellWord(path) : mentionOf(path),
    isDirectory: path.endsWith("/"),
    ...(happening.isSuggested === true ? { isSuggested: true as const } : {})
  }))
  return withSession(model, happening.session, (session) => ({
    ...session,
    prompt: candidatesArrived(session.prompt, { id: happening.request, candidates })
  }))
}

export const onShellReply = (model: AppModel, happening: Told): Update => {
  switch (happening._tag) {
    case "SessionsListed":
      return withoutCommands(sessionsListed(model, happening.sessions))
    case "EarlierRead":
      return onEarlierRead(model, happening)
    case "EarlierStored":
      return withoutCommands(
        isWholeNeeded(model, happening.session) ? model : releaseEntries(model, happening.session, happening.before)
      )
    case "SessionPreviewed":
      return withoutCommands(sessionPreviewed(model, happening.lines))
    case "SessionsSearched": {
      const { _tag, ...found } = happening
      return withoutCommands(sessionsSearched(model, found))
    }
    case "FilesFound":
      return withoutCommands(filesFound(model, happening))
    case "HistoryLoaded":
    case "PastesRead":
    case "DraftEdited":
    case "PromptFiltered":
    case "ImagePasted":
    case "DiffLoaded":
    case "TasksListed":
      return withoutCommands(withSession(model, happening.session, (session) => sessionWith(session, happening, model.now)))
    case "ShadaLoaded":
      return withoutCommands(shadaLoaded(model, happening))
    case "MarksLoaded":
      return withoutCommands(marksLoaded(model, happening.session, happening.marks))
    case "InsertText":
      return withoutCommands(happening.session === model.current ? insertIntoPrompt(model, happening.text) : model)
    case "HunkTurned":
      return hunkTurned(model, happening.session, happening)
    case "OutputLoaded": {
      const { title, text } = happening
      const shown = withSession(model, happening.session, (session) => ({
        ...session,
        outputOf: { _tag: "Text", title, text },
        lists: { ...session.lists, output: NEW_LIST }
      }))
      return withoutCommands(happening.session === model.current ? showPane(shown, "output") : shown)
    }
    case "StatusLineSaid":
      return withoutCommands(onStatusLine(model, happening.text))
    case "OptionsChanged":
      return withoutCommands(withOptions(model, happening.change))
    case "BannersChanged":
      return withoutCommands({ ...model, banners: happening.banners })
    case "KeymapLoaded":
      return withoutCommands({ ...model, keys: { ...model.keys, keymap: happening.keymap, pending: [], count: "" } })
    case "SettingsAsked":
      return withoutCommands(openOverlay(model, openSettingsDialog(happening.question)))
    case "TrustAsked":
      // What the user has open stays, and the next start asks again. The first start's questions can wait for it.
      return withoutCommands(
        model.overlays.opened === undefined || model.overlays.opened._tag === "Onboarding"
          ? openOverlay(model, openTrust(happening.question))
          : notify(model, TRUST_WAITS, { style: "warning", timeoutMs: 12_000 })
      )
    case "FirstRun":
      return withoutCommands(openFirstRun(model, happening.steps))
    case "MemorySeen":
      return memorySeen(model, happening.look, happening.opens)
    case "MemoryChanged":
      return memoryChanged(model, happening.change)
    case "SandboxSeen":
      return sandboxSeen(model, happening.look, happening.opens)
    case "Listed":
      return withoutCommands(openOverlay(model, { _tag: "Listing", title: happening.title, lines: happening.lines, top: 0 }))
  }
}
