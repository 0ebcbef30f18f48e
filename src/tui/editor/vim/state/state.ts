/** The whole state of the engine: text, caret, mode, what is half typed, and what later commands repeat or recall. */
import { type Buffer, bufferOf } from "../../buffer.ts"
import type { ChangeChain } from "../../change.ts"
import { type Before, type History, NO_HISTORY } from "../../history.ts"
import type { Position } from "../../lines.ts"
import type { Shape } from "../../selection.ts"
import type { Stroke } from "../../../keymap/stroke.ts"
import type { VimOptions } from "./context.ts"
import type { Invocation, VisualSize } from "./invocation.ts"
import { type GlobalLines, NO_GLOBAL_LINES } from "./global-lines.ts"
import { NO_REGISTERS, type Registers } from "./register.ts"

/**
 * How far right the caret wants to be when it moves up and down, in cells from 0; endless after `$`. Undefined means
 * where the caret is.
 */
export type WantedColumn = number | undefined

export type Mode =
  | { readonly name: "normal" }
  | { readonly name: "visual"; readonly shape: Shape; readonly anchor: Position }
  | { readonly name: "insert"; readonly session: InsertSession }
  | { readonly name: "commandLine"; readonly line: CommandLine }

/** A place by its byte in a line, as vim remembers where typing began. */
export interface BytePlace {
  readonly line: number
  readonly byte: number
}

export interface InsertSession {
  readonly replace: boolean
  /** Where this insertion began. */
  readonly start: BytePlace
  /** Where erasing stops: the same, unless the caret was moved to the right while typing. */
  readonly origin: BytePlace
  readonly keepsOrigin: boolean
  /** Bytes of an indent, made while typing, that erasing may not take. */
  readonly guarded: number
  /** No key has tried to change the text yet. */
  readonly untouched: boolean
  /** Where text began that is being typed without a break. */
  readonly run: number | undefined
  /** What was typed since the session, or the last arrow key, began. */
  readonly strokes: ReadonlyArray<Stroke>
  /** Text for the register `.`. */
  readonly typed: string
  /** How often the typed strokes are entered in all. */
  readonly count: number
  /** `o` and `O` open a new line for every repetition. */
  readonly opens: boolean
  /** An arrow key was the last one: what is typed next is an insertion of its own. */
  readonly moved: boolean
  /** Where typing began and ended before the arrow. */
  readonly halted: { readonly start: BytePlace; readonly origin: BytePlace; readonly end: Position } | undefined
  /** Strokes of a command of insert mode that is not complete, such as `<C-x><C-r>`. */
  readonly pending: ReadonlyArray<Stroke>
  /** What REPLACE overwrote, newest last; undefined where the text grew. */
  readonly replaced: ReadonlyArray<string | undefined>
  readonly block: BlockInsert | undefined
  /** The key before, for pairs of keys that mean Escape. */
  readonly lastKey: { readonly stroke: Stroke; readonly time: number } | undefined
}

/** A block that is typed into: its other rows get the same text when the insertion ends. Lengths are in bytes. */
export interface BlockInsert {
  readonly kind: "insert" | "append" | "change"
  readonly line: number
  readonly last: number
  /** The cells of the block, and whether it reaches to the ends of its lines. */
  readonly left: number
  readonly right: number
  readonly toEnd: boolean
  /** Where the block begins on its first line, and its text there. */
  readonly start: number
  readonly textStart: number
  readonly textLength: number
  /** How much of the first line follows the place of typing; for a change all of it. */
  readonly restLength: number
  readonly indent: number
  readonly indentCells: number
  /** Where typing began. */
  readonly typing: number
}

export interface CommandLine {
  readonly prompt: ":" | "/" | "?"
  readonly text: string
  readonly caret: number
  /** Where Escape returns to. */
  readonly from: Exclude<Mode, { name: "commandLine" }>
  /** The strokes of the command that waits for a search, such as `2d`. */
  readonly waiting: ReadonlyArray<Stroke>
  /** Caret position when the line was opened. */
  readonly origin: Position
  /** How far back in the history of lines; 0 is the line being typed. */
  readonly recalled: number
  readonly draft: string
  /** `<C-r>` waits for the name of a register. */
  readonly pending: ReadonlyArray<Stroke>
}

export interface Find {
  readonly key: "f" | "F" | "t" | "T"
  readonly char: string
}

export interface Search {
  readonly pattern: string
  readonly backward: boolean
  readonly offset: string
  /** A word under the caret is searched for without regard to capitals in it. */
  readonly anyCase?: true
}

export interface Substitution {
  /** Undefined when it was missing where the rest was given. */
  readonly pattern: string | undefined
  /** As it was typed. */
  readonly replacement: string
  readonly flags: string
  /** What `~` stands for: the replacement with the ones before in it. */
  readonly expanded: string
}

/** An end that was never set; no line has this number. */
export const NO_PLACE: BytePlace = { line: -1, byte: 0 }

/** The last selection. `m<` and `m>` may have set one of its ends only. */
export interface VisualArea {
  readonly shape: Shape
  readonly anchor: BytePlace
  readonly head: BytePlace
  readonly wanted: WantedColumn
}

/** A change that `.` can do again: the command, and what was typed in the insert mode that it started. */
export interface Repeat {
  readonly invocation: Invocation
  readonly strokes: ReadonlyArray<Stroke>
}

export interface Memory {
  readonly find?: Find
  readonly search?: Search
  readonly substitution?: Substitution
  readonly repeat?: Repeat
  /** What was typed in the last insertion, key by key. */
  readonly typed?: ReadonlyArray<Stroke>
  readonly visual?: VisualArea
  /** The size of the last selection that a command worked on, for a count before `v`. */
  readonly selected?: VisualSize
  /** Cells of the last selection or block that a command worked on, as far as vim computed them. */
  readonly cells?: { readonly start: number; readonly end: number }
  /** `I` or `A` was repeated on whole lines: vim takes the next selection that is worked on for lines, too, in `gv`. */
  readonly takenForLines?: boolean
  readonly macro?: string
  readonly ex?: string
  readonly searches: ReadonlyArray<string>
  readonly exLines: ReadonlyArray<string>
  /** Matches of the last search are shown. */
  readonly highlight: boolean
}

export interface Recording {
  readonly register: string
  readonly strokes: ReadonlyArray<Stroke>
}

/** Changes of the command that is being done; they become one undo step. */
export interface OpenStep {
  readonly changes: ChangeChain | undefined
  readonly before: Before
  readonly marks: MarksBefore
}

/** What undo gives back besides the text: named marks and the ends of the last selection. */
export interface MarksBefore {
  readonly named: ReadonlyMap<string, BytePlace>
  readonly visual: VisualArea | undefined
  readonly emptied: boolean
}

/** The line that `U` gives back, as it was before it was changed, and where the caret was in it. */
export interface LineUndo {
  readonly line: number
  readonly text: string
  readonly byte: number
}

export interface ChangeList {
  /** Oldest first. */
  readonly places: ReadonlyArray<BytePlace>
  /** The place gone to last; behind the newest one after a change. */
  readonly at: number
  /** The undo step began a change that has no place of its own yet. */
  readonly isNew: boolean
}

export interface VimState {
  readonly buffer: Buffer
  /** Every line was deleted: the one empty line left is not a line to delete again. */
  readonly emptied: boolean
  readonly cursor: Position
  readonly wanted: WantedColumn
  /** The cell that the caret was last found on, with the place and the line that it was found for. */
  readonly drawn: { readonly at: Position; readonly text: string; readonly cell: number } | undefined
  readonly mode: Mode
  readonly pending: ReadonlyArray<Stroke>
  readonly registers: Registers
  readonly marks: ReadonlyMap<string, BytePlace>
  readonly history: History
  /** Marks by the number of the undo step that changes them. */
  readonly undoMarks: ReadonlyMap<number, MarksBefore>
  readonly lineUndo: LineUndo | undefined
  readonly changes: ChangeList
  /** What the mark of the last jump was before the command that is being done. */
  readonly jumpedOver: BytePlace | undefined
  readonly open: OpenStep | undefined
  /** An operator failed at a mark that is not set: a deletion that follows at once goes to register 1 as well. */
  readonly numbersNext: boolean
  /** The lines that `:g` has still to go to; they follow the text while it changes. */
  readonly globalLines: GlobalLines
  readonly memory: Memory
  readonly recording: Recording | undefined
  readonly options: VimOptions
}

export const NORMAL = { name: "normal" } as const

export const initialVim = (text: string, options: VimOptions): VimState => ({
  buffer: bufferOf(text),
  emptied: false,
  cursor: { line: 0, column: 0 },
  wanted: undefined,
  drawn: undefined,
  mode: NORMAL,
  pending: [],
  registers: NO_REGISTERS,
  marks: new Map(["'", '"'].map((name) => [name, { line: 0, byte: 0 }])),
  undoMarks: new Map(),
  lineUndo: undefined,
  changes: { places: [], at: 0, isNew: false },
  jumpedOver: undefined,
  history: NO_HISTORY,
  open: undefined,
  numbersNext: false,
  globalLines: NO_GLOBAL_LINES,
  memory: { searches: [], exLines: [], highlight: false },
  recording: undefined,
  options
})
