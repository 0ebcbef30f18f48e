import type { SummaryPart } from "../../core/context/reduction/reduction.ts"
import type { CompactionWish } from "../../core/loop/machine/state.ts"
import type { SideWish } from "../../core/loop/machine/event.ts"
import type { UndoableChange, NotePlace } from "../../core/context/memory/look.ts"
import type { PermissionAnswer } from "../../core/loop/machine/event.ts"
import type { PermissionUpdate } from "../../core/permission/configuration/update.ts"
import type { SettingsAnswer } from "../../core/settings/startup-question.ts"
import type { TrustAnswer } from "../../core/settings/trust/decide.ts"
import type { PermissionMode } from "../../core/permission/verdict.ts"
import type { LayoutChange } from "../screen/layout/layout-file.ts"
import type { Chip } from "../prompt/chip.ts"
import type { SavedDraft } from "../prompt/model.ts"
import type { RevertAction, Intent } from "./undoable-actions.ts"
import type { ShadaChange, StoredPlace } from "./registers-file.ts"

/** What the interface asks the shell to do. Values only: `update` itself does nothing. */
export type Cmd =
  | {
      readonly _tag: "Submit"
      readonly session: string
      readonly text: string
      readonly priority: "now" | "next"
      readonly images?: ReadonlyArray<string>
    }
  /** Takes the image of the clipboard into the prompt. */
  | { readonly _tag: "PasteImage"; readonly session: string }
  /** Takes images from files into the prompt; `InsertText` brings the text back where one cannot be taken. */
  | {
      readonly _tag: "TakeImages"
      readonly session: string
      readonly paths: ReadonlyArray<string>
      readonly text: string
    }
  /** Pastes what was selected last on this desktop; the text given stands for it where nothing can be asked. */
  | { readonly _tag: "PastePrimary"; readonly otherwise: string }
  | { readonly _tag: "SetThinking"; readonly session: string; readonly on: boolean }
  | { readonly _tag: "TakeBackQueue"; readonly session: string; readonly uuids: ReadonlyArray<string> }
  | { readonly _tag: "Interrupt"; readonly session: string }
  /** The next try of a failed request is made now. */
  | { readonly _tag: "HastenRetry"; readonly session: string; readonly by: "sameModel" | "nextModel" }
  | { readonly _tag: "Answer"; readonly session: string; readonly callId: string; readonly answer: PermissionAnswer }
  /** Whether the folder is trusted; the first session opens after it. */
  | { readonly _tag: "AnswerTrust"; readonly answer: TrustAnswer }
  /** What to do about settings that cannot be used; the first session opens after it. */
  | { readonly _tag: "AnswerSettings"; readonly answer: SettingsAnswer }
  /** Works out what an asking call would change, for its dialog. */
  | {
      readonly _tag: "PreviewCall"
      readonly session: string
      readonly callId: string
      readonly tool: string
      readonly input: unknown
    }
  /** Asks the model what an asking call could do; nothing is sent before somebody wants to know. `Explained` answers. */
  | {
      readonly _tag: "ExplainCall"
      readonly session: string
      readonly callId: string
      readonly tool: string
      readonly input: unknown
      readonly whyAsked: string
      readonly sandbox: boolean
    }
  /** Runs the user's command for the status line, soon; `StatusLineSaid` brings what it printed. */
  | {
      readonly _tag: "RunStatusLine"
      readonly session: string
      readonly title: string | undefined
      readonly vim: string | undefined
      readonly size: { readonly columns: number; readonly rows: number }
      readonly linesAdded: number
      readonly linesRemoved: number
    }
  | { readonly _tag: "SetMode"; readonly session: string; readonly mode: PermissionMode }
  | { readonly _tag: "UpdatePermissions"; readonly session: string; readonly updates: ReadonlyArray<PermissionUpdate> }
  | { readonly _tag: "SetModel"; readonly session: string; readonly model: string; readonly effort?: string }
  | { readonly _tag: "SideTask"; readonly session: string; readonly wish: SideWish }
  | { readonly _tag: "Rename"; readonly session: string; readonly title: string }
  | { readonly _tag: "RunShell"; readonly session: string; readonly command: string; readonly inContext: boolean }
  /** Has the conversation so far summarised, or one side of a message, with what the summary is to care about. */
  | { readonly _tag: "Compact"; readonly session: string; readonly focus: string; readonly part?: SummaryPart }
  /** Undoes the newest compaction, or does it again. */
  | { readonly _tag: "AboutCompaction"; readonly session: string; readonly wish: CompactionWish }
  /** Takes the oldest rounds out of what the model sees. */
  | { readonly _tag: "Snip"; readonly session: string; readonly rounds: number }
  /** Opens the editor on the words that stand in for the older part; what is saved takes their place. */
  | { readonly _tag: "EditSummary"; readonly session: string; readonly text: string }
  | { readonly _tag: "ClearResults"; readonly session: string; readonly calls: ReadonlyArray<string> }
  /** A message stays word for word in every summary, or no longer does. */
  | { readonly _tag: "Pin"; readonly session: string; readonly uuid: string; readonly pinned: boolean }
  /** Reverts a hunk in its file, or undoes that; `HunkTurned` answers where it went well. */
  | { readonly _tag: "TurnHunk"; readonly session: string; readonly deed: RevertAction; readonly by: Intent }
  /** Ends one call; its turn goes on. */
  | { readonly _tag: "StopCall"; readonly session: string; readonly callId: string }
  | { readonly _tag: "StopTask"; readonly session: string; readonly taskId: string }
  /** Lists the background commands; `TasksListed` answers. */
  | { readonly _tag: "ListTasks"; readonly session: string }
  | { readonly _tag: "MoveToBackground"; readonly session: string; readonly callId: string }
  /** Shows the end of what a background command printed; `OutputLoaded` answers, as for the next two. */
  | { readonly _tag: "ShowTask"; readonly session: string; readonly taskId: string }
  /** The whole output of a call, of which the conversation keeps the beginning. */
  | { readonly _tag: "ShowOutput"; readonly session: string; readonly title: string; readonly path: string }
  | { readonly _tag: "ShowFile"; readonly session: string; readonly path: string }
  /** Gives a text to a command of the user, as a `!` line does. */
  | { readonly _tag: "PipeThrough"; readonly session: string; readonly command: string; readonly input: string }
  | { readonly _tag: "OpenLink"; readonly url: string }
  | { readonly _tag: "LoadDiff"; readonly session: string }
  | { readonly _tag: "OpenSession"; readonly which: SessionTarget; readonly replaces: string | undefined }
  | { readonly _tag: "CloseSession"; readonly session: string }
  /** Reads a part of the session that comes before all that is shown; `EarlierRead` answers. */
  | { readonly _tag: "ReadEarlier"; readonly session: string; readonly page: number }
  /** Asks whether all that was said before a prompt is on disk; `EarlierStored` answers, if it is. */
  | { readonly _tag: "AskWhetherStored"; readonly session: string; readonly before: string }
  /** Reads the last page of what was said before a prompt and was released; `EarlierRead` answers. */
  | { readonly _tag: "ReadReleased"; readonly session: string; readonly before: string }
  | { readonly _tag: "ListSessions" }
  /** Moves a stored session to the trash, and brings it back from there. */
  | { readonly _tag: "DeleteSession"; readonly sessionId: string }
  | { readonly _tag: "RestoreSession"; readonly sessionId: string }
  /** Searches the text of all stored sessions; `SessionsSearched` says how far it got. */
  | { readonly _tag: "SearchSessions"; readonly query: string; readonly request: number }
  | { readonly _tag: "StopSearching" }
  | { readonly _tag: "TagSession"; readonly session: string; readonly tag: string }
  | { readonly _tag: "PreviewSession"; readonly sessionId: string }
  /** Writes a stored session as Markdown into the working directory. */
  | { readonly _tag: "ExportSession"; readonly sessionId: string; readonly title: string }
  /** Copies a text; a notice says what it was and which way it went. */
  | { readonly _tag: "Copy"; readonly text: string; readonly what: string }
  | { readonly _tag: "EditDraft"; readonly session: string; readonly text: string; readonly line: number }
  | { readonly _tag: "ShowInEditor"; readonly text: string; readonly name: string }
  | { readonly _tag: "OpenFile"; readonly path: string; readonly line: number | undefined }
  | { readonly _tag: "WriteFile"; readonly path: string; readonly text: string }
  | { readonly _tag: "ReadIntoPrompt"; readonly session: string; readonly path: string }
  /** Suggests files; for a mention the user's own command is asked where there is one. */
  | {
      readonly _tag: "FindFiles"
      readonly session: string
      readonly query: string
      readonly request: number
      readonly isMention: boolean
    }
  | { readonly _tag: "LoadHistory"; readonly session: string }
  /** Reads pastes of history that the prompt shows again; `PastesRead` answers. */
  | { readonly _tag: "ReadPastes"; readonly session: string; readonly stored: ReadonlyArray<string> }
  /** History no longer offers the newest prompt of the session that reads like this: it went back to the prompt. */
  | { readonly _tag: "Unremember"; readonly session: string; readonly display: string }
  | {
      readonly _tag: "Remember"
      readonly session: string
      readonly display: string
      readonly chips: ReadonlyArray<Chip>
    }
  /** Reads the registers and marks that outlive the process; `ShadaLoaded` and `MarksLoaded` answer. */
  | { readonly _tag: "LoadShada" }
  | { readonly _tag: "LoadMarks"; readonly session: string }
  | { readonly _tag: "KeepShada"; readonly change: ShadaChange }
  | { readonly _tag: "KeepMarks"; readonly session: string; readonly marks: ReadonlyMap<string, StoredPlace> }
  | { readonly _tag: "KeepLayout"; readonly change: LayoutChange }
  | { readonly _tag: "SaveDraft"; readonly session: string; readonly draft: SavedDraft }
  /** Lines of the prompt go through a shell command; `PromptFiltered` brings what it printed. */
  | {
      readonly _tag: "FilterPrompt"
      readonly session: string
      readonly command: string
      readonly first: number
      readonly lines: ReadonlyArray<string>
    }
  /** Writes a line down where the model reads it; `MemoryChanged` answers. */
  | { readonly _tag: "WriteNote"; readonly session: string; readonly place: NotePlace; readonly text: string }
  /** Finds out what the model knows between conversations; `MemorySeen` answers. */
  | { readonly _tag: "LookAtMemory"; readonly session: string; readonly opens: boolean }
  | { readonly _tag: "DeleteMemory"; readonly session: string; readonly name: string }
  | { readonly _tag: "UndoMemory"; readonly session: string; readonly change: UndoableChange }
  | { readonly _tag: "SwitchMemory"; readonly isOn: boolean }
  /** Instruction files are read again before the next request. */
  | { readonly _tag: "ReloadInstructions"; readonly session: string }
  | { readonly _tag: "SaveOption"; readonly name: string; readonly value: string | boolean | number }
  | {
      readonly _tag: "Notify"
      readonly title: string
      readonly body: string
      readonly kind: "needs-you" | "done" | "failed"
    }
  | { readonly _tag: "Bell" }
  /** The questions of the first start are not asked again. */
  | { readonly _tag: "FinishOnboarding" }
  | { readonly _tag: "EditKeybindings" }
  /** Lists what is wrong or risky in the key bindings; `Listed` answers. */
  | { readonly _tag: "CheckKeybindings" }
  | { readonly _tag: "ShowStats" }
  /** Finds out how the sandbox stands; `SandboxSeen` answers. */
  | { readonly _tag: "LookAtSandbox"; readonly session: string; readonly opens: boolean }
  | { readonly _tag: "ChangeSandbox"; readonly session: string; readonly changes: ReadonlyArray<SandboxChange> }
  /** Tries to break out; `Listed` answers. */
  | { readonly _tag: "TestSandbox" }
  /** The text for the prompt of the session that opens next. */
  | { readonly _tag: "DraftNext"; readonly text: string }
  | { readonly _tag: "Redraw" }
  | { readonly _tag: "Suspend" }
  | { readonly _tag: "PrintTranscript"; readonly session: string; readonly text: string }
  | { readonly _tag: "Quit"; readonly code: number }

/** The command of one name, or of several. */
export type CmdOf<Tag extends Cmd["_tag"]> = Extract<Cmd, { readonly _tag: Tag }>

/** Which session to open. */
export type SessionTarget =
  | { readonly _tag: "New" }
  | { readonly _tag: "Resume"; readonly sessionId: string }
  | { readonly _tag: "Fork"; readonly sessionId: string; readonly upTo: string | undefined }

/** A setting and the value that choosing an item gives it. */
export interface SandboxChange {
  readonly key:
    | "sandbox.enabled"
    | "sandbox.autoAllowBashIfSandboxed"
    | "sandbox.allowUnsandboxedCommands"
    | "sandbox.network.strictAllowlist"
  readonly value: boolean
}
