/** What a motion is: a function from a text and a place to another place, with how an operator should take the way. */
import type { Lines, Position } from "../../lines.ts"
import type { VimOptions } from "../state/context.ts"
import type { Find, Search } from "../state/state.ts"

/** How the text between start and target is meant. */
export type Extent = "exclusive" | "inclusive" | "line"

export interface MotionRequest {
  readonly count: number | undefined
  /** The character, mark or pattern that the motion was given. */
  readonly argument: string
  /** In cells, endless at line ends. */
  readonly wanted: number
  /** The name of the operator that waits for the motion. */
  readonly operator: string | undefined
  readonly visual: boolean
  readonly find: Find | undefined
  readonly search: Search | undefined
  readonly mark: (name: string) => Position | undefined
  readonly options: VimOptions
  readonly view: { readonly top: number; readonly bottom: number }
  /** Cells of a visual row. */
  readonly width: number
  /** Offsets at which the visual rows of a line begin. */
  readonly rowStarts: (text: string) => ReadonlyArray<number>
}

export interface Target {
  readonly position: Position
  readonly extent: Extent
  /** Set when the motion keeps or sets the wanted column itself. */
  readonly wanted?: number
  /** It went as far as it could and still failed: the caret moves, and a macro stops. */
  readonly short?: true
  /** The end must be taken as it is, though it stands at the start of a line. */
  readonly exact?: true
  /** Where the selected text begins, for motions that select. */
  readonly from?: Position
  /** Overrides what the motion itself says about register 1. */
  readonly numbered?: boolean
  readonly find?: Find
  readonly search?: Search
  readonly message?: string
}

export interface Motion {
  readonly run: (lines: Lines, position: Position, request: MotionRequest) => Target | undefined
  /** What it waits for after its keys. */
  readonly takes?: "char" | "line"
  /** The place it left is remembered. */
  readonly jump?: true
  /** It forgets the wanted column even when it fails. */
  readonly resets?: true
  /** Deletions over it always go to register 1. */
  readonly numbered?: true
}

export type MotionTable = Readonly<Record<string, Motion>>

export const exclusive = (position: Position): Target => ({ position, extent: "exclusive" })
export const inclusive = (position: Position): Target => ({ position, extent: "inclusive" })
export const linewise = (position: Position): Target => ({ position, extent: "line" })

export const times = (request: { readonly count: number | undefined }): number => request.count ?? 1
