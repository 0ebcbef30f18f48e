import { column, leaf, type Node, row } from "./tree.ts"

export interface Size {
  readonly columns: number
  readonly rows: number
}

export type SizeClass = "wide" | "normal" | "medium" | "narrow" | "tiny" | "below"

const CLASSES: ReadonlyArray<readonly [SizeClass, Size]> = [
  ["wide", { columns: 160, rows: 45 }],
  ["normal", { columns: 110, rows: 30 }],
  ["medium", { columns: 80, rows: 24 }],
  ["narrow", { columns: 50, rows: 16 }],
  ["tiny", { columns: 40, rows: 12 }]
]

/** A class whose arrangement a user can change. */
export const isStoredClass = (name: string): name is Exclude<SizeClass, "below"> => CLASSES.some(([each]) => each === name)

/** Below this nothing useful fits. */
export const SMALLEST: Size = { columns: 40, rows: 12 }

export const sizeClassOf = ({ columns, rows }: Size): SizeClass =>
  CLASSES.find(([, least]) => columns >= least.columns && rows >= least.rows)?.[0] ?? "below"

/** The prompt's share is only a wish: its height follows its text. */
const MAIN = column(800, leaf("transcript"), leaf("prompt"))

const DEFAULTS: Readonly<Record<SizeClass, Node>> = {
  wide: row(680, MAIN, column(450, leaf("changes"), column(455, leaf("activity"), leaf("tasks")))),
  normal: row(700, MAIN, column(600, leaf("changes"), leaf("tasks"))),
  medium: MAIN,
  narrow: MAIN,
  tiny: MAIN,
  below: MAIN
}

export const defaultTree = (sizeClass: SizeClass): Node => DEFAULTS[sizeClass]
