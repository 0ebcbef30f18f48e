import type { PermissionQuestion } from "../../core/loop/machine/command.ts"
import type { Message } from "../../core/domain/message.ts"
import type { Emission } from "../../core/loop/machine/emission.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import type { UndoableChange, MemoryLook } from "../../core/context/memory/look.ts"
import type { SandboxLook } from "../../core/sandbox/report.ts"
import type { SettingsQuestion } from "../../core/settings/startup-question.ts"
import type { TrustQuestion } from "../../core/settings/trust/decide.ts"
import type { InputEvent } from "../terminal/input/event.ts"
import type { Keymap } from "../keymap/keymap.ts"
import type { Size } from "../screen/layout/size-class.ts"
import type { OnboardingStep, DeepSearch } from "./overlay.ts"
import type { HistoryEntry, SavedDraft } from "../prompt/model.ts"
import type { FileDiff } from "../text/diff/diff-source.ts"
import type { ShellRun } from "../transcript/entries/shell-run.ts"
import type { RevertAction, Intent } from "./undoable-actions.ts"
import type { Notice } from "./notices.ts"
import type { UiOptions } from "./ui-options.ts"
import type { RiskWords } from "./session-model.ts"
import type { Shada, StoredPlace } from "./registers-file.ts"

/** Everything that can happen to the interface. Each comes with the time at which it happened. */
export type Happening =
  | { readonly _tag: "Input"; readonly event: InputEvent }
  | { readonly _tag: "Resized"; readonly size: Size }
  /** Nothing happened but time. */
  | { readonly _tag: "Ticked" }
  | { readonly _tag: "Session"; readonly session: string; readonly news: SessionNews }
  /** The session that is about to open, as far as it is known. */
  | { readonly _tag: "SessionAwaited"; readonly facts: OpenedFacts }
  | { readonly _tag: "SessionOpened"; readonly facts: OpenedFacts; readonly replaces: string | undefined }
  | {
      readonly _tag: "EarlierRead"
      readonly session: string
      readonly page: number
      readonly messages: ReadonlyArray<Message>
      /** The prompt that it was asked for by, where its number was not known. */
      readonly before?: string
    }
  | { readonly _tag: "EarlierStored"; readonly session: string; readonly before: string }
  | { readonly _tag: "SessionRefused"; readonly reason: string }
  | { readonly _tag: "SessionsListed"; readonly sessions: ReadonlyArray<StoredSession> }
  /** How far a search in the text of the sessions got; `searched` of `total` files. */
  | ({ readonly _tag: "SessionsSearched" } & DeepSearch)
  | { readonly _tag: "SessionPreviewed"; readonly sessionId: string; readonly lines: ReadonlyArray<string> }
  | {
      readonly _tag: "FilesFound"
      readonly session: string
      readonly request: number
      readonly paths: ReadonlyArray<string>
      /** They come from the user's own command, best first: their order is kept, whatever was typed. */
      readonly isSuggested?: true
    }
  | { readonly _tag: "HistoryLoaded"; readonly session: string; readonly entries: ReadonlyArray<HistoryEntry> }
  | { readonly _tag: "PastesRead"; readonly session: string; readonly texts: ReadonlyMap<string, string> }
  | ({ readonly _tag: "ShadaLoaded" } & Shada)
  | { readonly _tag: "MarksLoaded"; readonly session: string; readonly marks: ReadonlyMap<string, StoredPlace> }
  | { readonly _tag: "DraftEdited"; readonly session: string; readonly text: string }
  | {
      readonly _tag: "PromptFiltered"
      readonly session: string
      readonly first: number
      readonly last: number
      readonly lines: ReadonlyArray<string>
    }
  | { readonly _tag: "ImagePasted"; readonly session: string; readonly reference: string }
  | { readonly _tag: "InsertText"; readonly session: string; readonly text: string }
  | { readonly _tag: "DiffLoaded"; readonly session: string; readonly files: ReadonlyArray<WorkingFile> }
  | { readonly _tag: "HunkTurned"; readonly session: string; readonly deed: RevertAction; readonly by: Intent }
  | { readonly _tag: "TasksListed"; readonly session: string; readonly tasks: ReadonlyArray<BackgroundTask> }
  /** A text for the output pane, which the user asked for. */
  | { readonly _tag: "OutputLoaded"; readonly session: string; readonly title: string; readonly text: string }
  /** What the command of the status line printed; empty when it failed. */
  | { readonly _tag: "StatusLineSaid"; readonly text: string }
  | { readonly _tag: "Told"; readonly notice: Notice }
  /** Lines to read at rest. */
  | { readonly _tag: "Listed"; readonly title: string; readonly lines: ReadonlyArray<string> }
  /** How the sandbox stands; the user may have asked to see it. */
  /** It is the first start, and these questions have no answer yet. */
  | { readonly _tag: "FirstRun"; readonly steps: ReadonlyArray<OnboardingStep> }
  /** What the model knows between conversations. */
  | { readonly _tag: "MemorySeen"; readonly look: MemoryLook; readonly opens: boolean }
  /** Something was written down or deleted that can be undone. */
  | { readonly _tag: "MemoryChanged"; readonly change: UndoableChange }
  | { readonly _tag: "SandboxSeen"; readonly look: SandboxLook; readonly opens: boolean }
  /** Settings changed from outside; only what differs. */
  | { readonly _tag: "OptionsChanged"; readonly change: Partial<UiOptions> }
  /** What has to stay in sight from now on. */
  | { readonly _tag: "BannersChanged"; readonly banners: ReadonlyArray<string> }
  /** The user changed keybindings.json. */
  | { readonly _tag: "KeymapLoaded"; readonly keymap: Keymap }
  /** Settings hold errors. */
  | { readonly _tag: "SettingsAsked"; readonly question: SettingsQuestion }
  /** The folder wants something that needs the user's trust. */
  | { readonly _tag: "TrustAsked"; readonly question: TrustQuestion }
  /** The user wants to choose an earlier session first. */
  | { readonly _tag: "Browse" }
  /** A signal asked the program to end or to interrupt. */
  | { readonly _tag: "InterruptSignal" }

export type Msg = Happening & { readonly at: number }

export type SessionNews =
  | { readonly _tag: "Emitted"; readonly emission: Emission; readonly state: AgentState }
  /** The answer grew; so many characters of the block that is arriving are due. */
  | { readonly _tag: "Grew"; readonly state: AgentState; readonly upTo: number }
  | { readonly _tag: "Asked"; readonly question: PermissionQuestion; readonly state: AgentState }
  | { readonly _tag: "Withdrawn"; readonly callId: string; readonly state: AgentState }
  /** The file that an asking call would change, before and after. */
  | { readonly _tag: "Previewed"; readonly callId: string; readonly file: WorkingFile }
  /** What the model says about the risk of an asking call, or why it says nothing. */
  | { readonly _tag: "Explained"; readonly callId: string; readonly risk: RiskWords }
  /** A command that the user runs beside the conversation; `applyShellRun` shows it. `isTold`: the loop hears of it next. */
  | { readonly _tag: "Shell"; readonly run: ShellRun; readonly isTold?: true }
  | { readonly _tag: "Ended"; readonly reason: string }

/** What is known about a session when it opens. */
export interface OpenedFacts {
  readonly sessionId: string
  readonly cwd: string
  readonly branch: string | undefined
  readonly title: string | undefined
  readonly state: AgentState
  readonly draft: SavedDraft | undefined
  /** Pages of what was said before that are not read yet. */
  readonly earlierPages: number
}

/** A session on disk as the browser lists it. */
export interface StoredSession {
  readonly sessionId: string
  readonly title: string
  readonly cwd: string
  readonly branch: string | undefined
  readonly modifiedAt: number
  readonly sizeBytes: number
  readonly firstPrompt: string
  readonly lastPrompt: string
  readonly prLinks: ReadonlyArray<string>
  readonly tag: string | undefined
  readonly isLive: boolean
  /** It ended before its last prompt was answered. */
  readonly isInterrupted: boolean
  /** A run without a user: `-p`, or a program that used the SDK. */
  readonly isHeadless: boolean
  /** Of this directory, or of another worktree of its repository. */
  readonly isNear: boolean
  readonly forkOf: string | undefined
}

/** A message of a stored session that a search found. */
export interface SessionHit {
  readonly sessionId: string
  readonly title: string
  readonly role: "you" | "agent" | "call" | "result" | "title"
  readonly snippet: string
  readonly at: number | undefined
}

/** A command that runs beside the conversation, or did. */
export interface BackgroundTask {
  readonly taskId: string
  readonly callId: string
  readonly command: string
  readonly status: "running" | "completed" | "failed" | "killed"
  readonly exitCode: number | null
  readonly totalBytes: number
}

/** A changed file of the working tree, both sides as they are. */
export interface WorkingFile {
  readonly path: string
  readonly state: "A" | "M" | "D" | "R" | "?"
  readonly before: string | undefined
  readonly after: string | undefined
  /** Where it was before it was renamed. */
  readonly oldPath?: string
  readonly modes?: FileDiff["modes"]
  /** Why there are no sides. */
  readonly unseen?: "binary" | "large"
}
