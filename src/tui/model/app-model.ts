import type { ActionId } from "../keymap/actions/action-tables.ts"
import type { UndoableChange, MemoryLook } from "../../core/context/memory/look.ts"
import type { SandboxLook } from "../../core/sandbox/report.ts"
import type { InputEvent, MouseEvent } from "../terminal/input/event.ts"
import type { Keymap } from "../keymap/keymap.ts"
import type { Mappings } from "../keymap/mappings.ts"
import type { SplitPath } from "../screen/layout/borders.ts"
import type { Trees } from "../screen/layout/layout-file.ts"
import type { Node, PaneId } from "../screen/layout/tree.ts"
import { type Size, type SizeClass, sizeClassOf } from "../screen/layout/size-class.ts"
import type { DockedDialog, Overlay } from "./overlay.ts"
import type { Capabilities } from "../terminal/render/capabilities.ts"
import type { Stroke } from "../keymap/stroke.ts"
import type { KeptModel } from "./persisted-registers.ts"
import type { StoredSession } from "./msg.ts"
import type { Notices } from "./notices.ts"
import type { UiOptions } from "./ui-options.ts"
import type { SessionModel } from "./session-model.ts"
import type { StatusLineModel } from "./status-line.ts"
import type { UserCommands } from "./ex-command.ts"
import type { ListState } from "./list-state.ts"
import type { View } from "../transcript/block.ts"
import type { Place } from "../transcript/list/index/entries.ts"
import type { Jumps } from "../transcript/list/state/jumps.ts"

/** The whole interface as one value. Every message makes a new one; the view is a function of it and the size. */
export interface AppModel {
  readonly now: number
  readonly size: Size
  readonly caps: Capabilities
  /** The capabilities that the terminal has told; the others are assumed or were set. */
  readonly answered: ReadonlyArray<string>
  /** Sequences from the terminal that nobody here understands. */
  readonly unknownInput: number
  /** Undefined until the terminal tells. */
  readonly focused: boolean | undefined
  readonly scheme: "dark" | "light"
  readonly options: UiOptions
  /** Options that were set on the command line or in the vimrc, and where; the others come from settings. */
  readonly optionsSet: ReadonlyMap<string, ":set" | "vimrc">
  readonly keys: KeysModel
  readonly layout: LayoutModel
  /** Arrangements that the user saved, by name. */
  readonly namedLayouts: ReadonlyMap<string, Trees>
  /** The pane that has the keyboard, by the id of its leaf. */
  readonly focus: string
  readonly sessions: ReadonlyMap<string, SessionModel>
  /** The session that prompt and panes show. */
  readonly current: string
  readonly overlays: OverlaysModel
  readonly notices: Notices
  /** What has to stay in sight: it is shown whenever there is no notice, until it is no longer true. */
  readonly banners: ReadonlyArray<string>
  /** How the sandbox stands, as far as somebody looked. */
  readonly sandbox: SandboxLook | undefined
  /** What the model knows between conversations, as far as somebody looked, and what can be undone, newest last. */
  readonly memory: { readonly look: MemoryLook | undefined; readonly changes: ReadonlyArray<UndoableChange> }
  readonly line: LineInput | undefined
  /** What `:command` was told. */
  readonly userCommands: UserCommands
  /** Commands that were run from the command line, newest first. */
  readonly exHistory: ReadonlyArray<string>
  readonly stored: ReadonlyArray<StoredSession>
  /** The session that was left with /clear; the message selector goes back to it. */
  readonly cleared: { readonly id: string; readonly title: string } | undefined
  /** A session that is about to open, and the text to go to in it. */
  readonly findNext: { readonly session: string; readonly text: string } | undefined
  readonly presses: PressesModel
  /** What was typed before there was a session to type into. */
  readonly early: ReadonlyArray<InputEvent>
  readonly spinner: number
  /** What was searched for in any pane, newest first. */
  readonly searches: ReadonlyArray<string>
  /** What was yanked last in any pane. */
  readonly yanked: string
  /** Marks with a capital letter: they know their session. */
  readonly globalMarks: ReadonlyMap<string, GlobalMark>
  /** Registers and marks that outlive the process, as far as they are known. */
  readonly kept: KeptModel
  /** What the user's command printed for the rows over the status. */
  readonly statusLine: StatusLineModel
  /** A visit to the transcript that began in the prompt; it ends where it began. */
  readonly visit: VisitModel | undefined
  /** All tab pages in order. The one on screen lives in this model; its place here is out of date. */
  readonly tabs: ReadonlyArray<TabPage>
  readonly tab: number
  /** Where the mouse button went down, and on what. */
  readonly drag: DragModel | undefined
}

export interface KeysModel {
  readonly keymap: Keymap
  /** Strokes of a chord that is not complete. */
  readonly pending: ReadonlyArray<Stroke>
  readonly pendingSince: number
  /** Digits typed before a key of a pane. */
  readonly count: string
  /** An action that waits for a character, or the beginning of a text object. */
  readonly waiting: { readonly action: ActionId | "i" | "a"; readonly count: number | undefined } | undefined
  /** What `:map` was told. */
  readonly mappings: Mappings
  /** Keys that may become a mapping with the next ones. */
  readonly typed: ReadonlyArray<Stroke>
  readonly typedSince: number
  /** When a key was last pressed that was meant for anything but an answer. */
  readonly lastTypedAt: number
  /** When a letter was last typed over a question that was meant for no answer. */
  readonly strayAt: number
  /** The key that was pressed last; terminals that report no repeats send a held key as presses in quick succession. */
  readonly held: HeldKey | undefined
  /** The register that the next yank or put names. */
  readonly register: string | undefined
}

export interface HeldKey {
  readonly stroke: Stroke
  readonly since: number
  readonly at: number
}

export interface GlobalMark {
  readonly session: string
  readonly place: Place
}

export interface VisitModel {
  /** The view before the visit. */
  readonly view: View
  readonly session: string
  /** The jumps of before; those of the visit are walked first, and beyond them lies the prompt. */
  readonly older: Jumps
}

/** An arrangement of its own with the session that its prompt belongs to. */
export interface TabPage {
  readonly layout: LayoutModel
  readonly focus: string
  readonly current: string
}

export interface LayoutModel {
  /** Changed arrangements by size class; a class without one has its default. */
  readonly trees: Trees
  readonly zoomed: string | undefined
  readonly temporary: PaneId | undefined
  readonly previousFocus: string | undefined
  /** Set while only the focused pane and the prompt are shown: what to come back to. */
  readonly onlyFrom: { readonly sizeClass: SizeClass; readonly tree: Node } | undefined
  /** The session that opens next gets a pane of its own, on this side of the transcript in use. */
  readonly splitNext: "row" | "column" | undefined
}

export const NEW_LAYOUT: LayoutModel = {
  trees: {},
  zoomed: undefined,
  temporary: undefined,
  previousFocus: undefined,
  onlyFrom: undefined,
  splitNext: undefined
}

export interface OverlaysModel {
  /** What the user opened. */
  readonly opened: Overlay | undefined
  /** Dialog state by the id of the request it belongs to; it survives being covered. */
  readonly dialogs: ReadonlyMap<string, DockedDialog>
  readonly shown: string | undefined
  readonly shownSince: number
  readonly summoned: boolean
  /** The question over which the overlay was opened; it stays docked below it. */
  readonly over: string | undefined
  /** Where keys go while a question is shown: to it, to a pane that was looked at meanwhile, or back to it. */
  readonly keyboard: "asked" | "left" | "back"
  /** Escape was pressed in the first moment of a dialog; it counts as soon as the dialog may be answered. */
  readonly heldEscape: boolean
}

/** A one-line editor at the bottom of the focused pane: ex commands, searches, and what to pipe a text through. */
export interface LineInput {
  readonly kind: ":" | "/" | "?" | "!"
  readonly text: string
  readonly caret: number
  readonly history: number
  readonly draft: string
  readonly pane: string
  /** The list of the pane as it was when a search over it began. */
  readonly before?: ListState
  /** The text that goes through the command. */
  readonly input?: string
  /** Paths that were found for its argument; Tab goes through them. */
  readonly paths?: ReadonlyArray<string>
}

/** A press of the mouse that may become a selection. */
export interface DragModel {
  readonly x: number
  readonly y: number
  readonly at: number
  /** Presses in a row at the same place. */
  readonly clicks: number
  /** A part of the frame that is held. */
  readonly grip?: DragHandle
  /** The pointer beyond the edge of the text that is being selected, and when the view last went on towards it. */
  readonly pull?: { readonly event: MouseEvent; readonly at: number }
}

/** A border between two parts, or the title of a pane. */
export type DragHandle =
  | { readonly _tag: "Border"; readonly path: SplitPath }
  | { readonly _tag: "Title"; readonly pane: string }

/** When the keys that must be pressed twice were pressed. */
export interface PressesModel {
  readonly escapeAt: number
  readonly interrupts: ReadonlyArray<number>
  readonly exitAt: number
}

export const sizeClass = ({ size }: AppModel): SizeClass => sizeClassOf(size)

export const currentSession = (model: AppModel): SessionModel | undefined => model.sessions.get(model.current)

export const withSession = (model: AppModel, id: string, change: (session: SessionModel) => SessionModel): AppModel => {
  const session = model.sessions.get(id)
  if (session === undefined) return model
  const changed = change(session)
  return changed === session ? model : { ...model, sessions: new Map(model.sessions).set(id, changed) }
}

export const withCurrent = (model: AppModel, change: (session: SessionModel) => SessionModel): AppModel =>
  withSession(model, model.current, change)
