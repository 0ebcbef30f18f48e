import type { InputEvent, MouseButton, MouseEvent } from "./event.ts"

/** Mouse reports: SGR (`CSI < buttons ; column ; row M|m`), and the three bytes of the oldest form. */
const SGR = /^<(\d{1,6});(\d{1,6});(\d{1,6})$/

const PLAIN: ReadonlyArray<MouseButton> = ["left", "middle", "right", "none"]
const WHEEL: ReadonlyArray<MouseButton> = ["wheelUp", "wheelDown", "wheelLeft", "wheelRight"]
const EXTRA: ReadonlyArray<MouseButton> = ["back", "forward", "none", "none"]

interface Report {
  readonly bits: number
  /** Counted from 1, as terminals do. */
  readonly column: number
  readonly row: number
  readonly isRelease: boolean
}

const actionOf = ({ bits, isRelease }: Report, button: MouseButton): MouseEvent["action"] => {
  if ((bits & 64) !== 0) return "wheel"
  if (isRelease) return "release"
  if ((bits & 32) === 0) return "press"
  return button === "none" ? "move" : "drag"
}

const mouseEvent = (report: Report): InputEvent => {
  const { bits } = report
  const group = (bits & 128) !== 0 ? EXTRA : (bits & 64) !== 0 ? WHEEL : PLAIN
  const button = group[bits & 3] ?? "none"
  return {
    _tag: "Mouse",
    action: actionOf(report, button),
    button,
    column: Math.max(0, report.column - 1),
    row: Math.max(0, report.row - 1),
    shift: (bits & 4) !== 0,
    alt: (bits & 8) !== 0,
    ctrl: (bits & 16) !== 0
  }
}

export const sgrMouse = (body: string, final: string): InputEvent | undefined => {
  const match = SGR.exec(body)
  if (match === null || (final !== "M" && final !== "m")) return undefined
  const [, bits, column, row] = match
  return mouseEvent({ bits: Number(bits), column: Number(column), row: Number(row), isRelease: final === "m" })
}

/** Buttons, column and row, each with 32 added; a release does not say of which button. */
export const oldMouse = ([buttons = 32, column = 33, row = 33]: ReadonlyArray<number>): InputEvent => {
  const bits = buttons - 32
  const isRelease = (bits & (64 | 32)) === 0 && (bits & 3) === 3
  return mouseEvent({ bits, column: column - 32, row: row - 32, isRelease })
}
