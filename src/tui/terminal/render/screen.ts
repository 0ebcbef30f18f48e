import type { Frame } from "../../screen/cell/frame.ts"
import type { TerminalModes } from "./modes.ts"

/** Everything the terminal shows, as the view gives it. Screens are compared part by part like cells. */
export interface Screen {
  readonly frame: Frame
  readonly modes: TerminalModes
  readonly cursor: Cursor
  readonly title?: string
  readonly progress?: Progress
}

export interface Cursor {
  readonly x: number
  readonly y: number
  readonly visible: boolean
  readonly shape: CursorShape
}

export type CursorShape = "block" | "bar" | "underline"

/** The progress mark of the terminal's window or tab; absent in a screen means none. */
export type Progress =
  | { readonly state: "busy" }
  | { readonly state: "share"; readonly percent: number }
  | { readonly state: "waiting" }
  | { readonly state: "failed" }

/**
 * What is known to be on the terminal. After damage (a resize, another program, a wrong cursor report) the cells and
 * the cursor are not known any more, while the modes still are.
 */
export interface Shown extends Omit<Screen, "frame" | "cursor"> {
  readonly frame?: Frame
  readonly cursor?: Cursor
}

/** Forgets the cells, so that the next frame is drawn in full. */
export const damageScreen = ({ modes, title, progress }: Shown): Shown => ({
  modes,
  ...(title === undefined ? {} : { title }),
  ...(progress === undefined ? {} : { progress })
})
