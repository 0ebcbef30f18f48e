import type { SummaryPart } from "../../core/context/reduction/reduction.ts"
import type { Cmd } from "./cmd.ts"
import { type Field, EMPTY_FIELD } from "../editor/field.ts"
import type { SettingsQuestion } from "../../core/settings/startup-question.ts"
import type { TrustQuestion } from "../../core/settings/trust/decide.ts"
import type { RevertAction } from "./undoable-actions.ts"
import type { StoredSession, SessionHit } from "./msg.ts"
import type { HistorySearch } from "../prompt/history-search.ts"
import type { HostDialog } from "./dialogs/host-state.ts"
import type { PermissionDialog } from "./dialogs/permission-state.ts"
import type { QuestionDialog } from "./dialogs/question-state.ts"

/** Everything that can lie above the panes, as values. One is drawn at a time. */
export type Overlay =
  | DockedDialog
  | PickerOverlay
  | HistoryOverlay
  | Listing
  | ExitDialog
  | Confirm
  | TrustDialog
  | SettingsDialog
  | OnboardingDialog

/** Questions of the agent. They are docked above the prompt; everything else lies over the panes. */
export type DockedDialog = PermissionDialog | HostDialog | QuestionDialog

export type PickerPurpose =
  | "palette"
  | "help"
  | "model"
  | "theme"
  | "sessions"
  | "selector"
  | "rewind"
  | "message"
  | "memory"
  | "memories"
  | "permissions"
  | "sandbox"
  | "queue"

export interface PickerOverlay {
  readonly _tag: "Picker"
  readonly purpose: PickerPurpose
  readonly picker: PickerState
  /** What the choice is about: the message of a menu, the theme before a preview, the effort chosen for a model. */
  readonly subject: string
  /** What only the session browser knows. */
  readonly browser: Browser
}

export interface HistoryOverlay {
  readonly _tag: "History"
  readonly search: HistorySearch
}

/** Lines to read: registers, marks, messages, statistics. */
export interface Listing {
  readonly _tag: "Listing"
  readonly title: string
  readonly lines: ReadonlyArray<string>
  readonly top: number
}

export interface ExitDialog {
  readonly _tag: "Exit"
  readonly selected: number
  /** The person wants to leave as soon as the work is done. */
  readonly isWaiting: boolean
}

export type OnboardingStep = "theme" | "keys"

/** The questions of the first start, one after the other. */
export interface OnboardingDialog {
  readonly _tag: "Onboarding"
  readonly steps: ReadonlyArray<OnboardingStep>
  readonly selected: number
  /** The theme that comes back when none is taken. */
  readonly theme: string
}

export interface TrustDialog {
  readonly _tag: "Trust"
  readonly question: TrustQuestion
  readonly selected: number
  readonly top: number
}

/** Questions of the start, which come by themselves. */
export const isStartQuestion = (overlay: Overlay | undefined): boolean =>
  overlay?._tag === "Trust" || overlay?._tag === "Settings"

export interface SettingsDialog {
  readonly _tag: "Settings"
  readonly question: SettingsQuestion
  readonly selected: number
  readonly top: number
}

/** A question before something that cannot be taken back. */
export interface Confirm {
  readonly _tag: "Confirm"
  readonly question: string
  readonly yes: string
  readonly no: string
  readonly action: ConfirmAction
  readonly selected: number
  /** What is on screen again after the answer yes; after no it is as it was. */
  readonly back: Overlay | undefined
}

export type ConfirmAction =
  | { readonly _tag: "EndSession"; readonly session: string }
  | { readonly _tag: "RunAgain"; readonly session: string; readonly command: string }
  | { readonly _tag: "StopCall"; readonly session: string; readonly callId: string }
  | { readonly _tag: "StopTasks"; readonly session: string; readonly tasks: ReadonlyArray<string> }
  | { readonly _tag: "OpenLink"; readonly url: string }
  | { readonly _tag: "Compact"; readonly session: string; readonly part?: SummaryPart }
  | { readonly _tag: "ClearResults"; readonly session: string; readonly calls: ReadonlyArray<string> }
  | { readonly _tag: "SwitchModel"; readonly words: string; readonly cmds: ReadonlyArray<Cmd> }
  | { readonly _tag: "RevertHunk"; readonly session: string; readonly deed: RevertAction }
  /** With the browser as it was before, for the answer no. */
  | { readonly _tag: "DeleteSession"; readonly stored: StoredSession; readonly without: PickerOverlay }

/** What the session browser knows besides its list. */
export interface Browser {
  /** This repository with its worktrees, one branch of it, or everything. */
  readonly scope: "project" | "all" | "branch"
  readonly tag: string | undefined
  /** Runs without a person are listed too. */
  readonly showsHeadless: boolean
  /** Only sessions that are open, here or elsewhere. */
  readonly isLiveOnly: boolean
  /** Sessions whose forks are shown. */
  readonly expanded: ReadonlySet<string>
  readonly preview: { readonly lines: ReadonlyArray<string>; readonly top: number } | undefined
  /** A line that is being typed: a new name, or what to search for. */
  readonly typing: BrowserLine | undefined
  readonly deep: DeepSearch | undefined
  /** The list was asked for and did not come yet. */
  readonly isReading: boolean
  /** What was deleted here, the latest last; it can be brought back. */
  readonly deleted: ReadonlyArray<StoredSession>
}

export type BrowserLine = Field & ({ readonly kind: "rename"; readonly id: string } | { readonly kind: "deep" })

/** A search in the text of the sessions, as far as it got. */
export interface DeepSearch {
  readonly query: string
  readonly request: number
  readonly hits: ReadonlyArray<SessionHit>
  readonly searched: number
  readonly total: number
  readonly isDone: boolean
}

export const NEW_BROWSER: Browser = {
  scope: "project",
  tag: undefined,
  showsHeadless: false,
  isLiveOnly: false,
  expanded: new Set(),
  preview: undefined,
  typing: undefined,
  deep: undefined,
  isReading: false,
  deleted: []
}

export interface PickerState {
  readonly filter: Field
  /** Letters go to the filter, or are keys of the list until `/` is pressed. */
  readonly isFiltering: boolean
  /** It has no keys but its filter. */
  readonly isOnlyFilter: boolean
  /** All its keys are listed under it. */
  readonly showsKeys: boolean
  readonly selected: number
}

export const pickerWith = (isFiltering: boolean): PickerState => ({
  filter: EMPTY_FIELD,
  isFiltering,
  isOnlyFilter: isFiltering,
  showsKeys: false,
  selected: 0
})
