import type { Stroke } from "../../keymap/stroke.ts"

/** What the terminal sent, after decoding. Nothing else of the input stream reaches the rest of the program. */
export type InputEvent = KeyEvent | PasteEvent | MouseEvent | FocusEvent | ReplyEvent | UnknownEvent

export interface KeyEvent {
  readonly _tag: "Key"
  readonly stroke: Stroke
  readonly kind: KeyKind
  /** What a text field inserts when nothing is bound to the stroke; absent for keys that are not text. */
  readonly text?: string
}

export type KeyKind = "press" | "repeat" | "release"

/** Literal text with LF line ends: never keys, never a submission, never an answer. */
export interface PasteEvent {
  readonly _tag: "Paste"
  readonly text: string
}

export interface MouseEvent {
  readonly _tag: "Mouse"
  readonly action: "press" | "release" | "drag" | "move" | "wheel"
  /** For the wheel its direction; "none" for a move without a button or a release that does not say which. */
  readonly button: MouseButton
  /** Cell, counted from 0 at the top left. */
  readonly column: number
  readonly row: number
  readonly shift: boolean
  readonly alt: boolean
  readonly ctrl: boolean
}

export type MouseButton =
  | "left"
  | "middle"
  | "right"
  | "back"
  | "forward"
  | "none"
  | "wheelUp"
  | "wheelDown"
  | "wheelLeft"
  | "wheelRight"

export interface FocusEvent {
  readonly _tag: "Focus"
  readonly gained: boolean
}

export interface ReplyEvent {
  readonly _tag: "Reply"
  readonly reply: Reply
}

/** A sequence nobody here understands. It is counted and forgotten, never inserted as text. */
export interface UnknownEvent {
  readonly _tag: "Unknown"
  readonly bytes: Uint8Array
}

/** Answers to the queries that the terminal corner sends. */
export type Reply =
  | { readonly _tag: "PrimaryAttributes"; readonly attributes: ReadonlyArray<number> }
  | { readonly _tag: "SecondaryAttributes"; readonly attributes: ReadonlyArray<number> }
  | { readonly _tag: "TerminalVersion"; readonly text: string }
  /** Counted from 0, as cells are everywhere here. */
  | { readonly _tag: "CursorPosition"; readonly row: number; readonly column: number }
  /** DECRPM: 0 not recognised, 1 set, 2 reset, 3 always set, 4 always reset. */
  | { readonly _tag: "ModeReport"; readonly mode: number; readonly isPrivate: boolean; readonly value: number }
  | { readonly _tag: "KeyboardFlags"; readonly flags: number }
  /** Channels from 0 to 255. */
  | { readonly _tag: "Colour"; readonly which: "foreground" | "background"; readonly rgb: Rgb }
  /** XTGETTCAP: a capability without value is one that the terminal does not have. */
  | { readonly _tag: "Capability"; readonly name: string; readonly value?: string }
  | { readonly _tag: "ColourScheme"; readonly scheme: "dark" | "light" }
  | { readonly _tag: "Size"; readonly of: SizeSubject; readonly height: number; readonly width: number }

/** The text area in pixels, one cell in pixels, or the text area in cells. */
export type SizeSubject = "windowPixels" | "cellPixels" | "screenCells"

export type Rgb = readonly [red: number, green: number, blue: number]
