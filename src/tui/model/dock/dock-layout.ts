import type { DockRoom } from "../../screen/layout/plan.ts"
import type { Row } from "../../screen/style/row.ts"
import { type ChoiceRows, fewestRows } from "../../text/choice-rows.ts"
import type { DockBody, DockPanel } from "./dock-panel.ts"

/**
 * Where the parts of a docked question go. With room there is a frame above and below, and a row between what is asked
 * and the choices; without, the frame is one row and every choice is one row, so that as much as can be is left to what
 * is asked and to the transcript above it.
 */

/** Columns before the text, and after it. */
export const DOCK_MARGIN = 2
const RIGHT_MARGIN = 1

/** Top, gap and bottom. */
const FRAME = 3

export interface DockLayout {
  readonly isRoomy: boolean
  readonly body: ReadonlyArray<Row>
  readonly why: ReadonlyArray<Row>
  /** Of what is asked, not of the reasons, rows are missing: they are counted before the reasons. */
  readonly isBodyCut: boolean
  /** Rows of what is asked that are not on screen. */
  readonly hidden: number
  readonly choices: ChoiceRows
  /** The first row of the choices in the panel, and the first of them that is shown. */
  readonly choicesAt: number
  readonly firstChoice: number
}

export const innerOf = (columns: number): number => Math.max(1, columns - DOCK_MARGIN - RIGHT_MARGIN)

const heightOf = ({ rows, why }: DockBody): number => rows.length + why.length

interface CutBody {
  readonly rows: ReadonlyArray<Row>
  readonly why: ReadonlyArray<Row>
}

const MOST_WHY: Readonly<Record<DockBody["weight"], (height: number) => number>> = {
  none: () => 0,
  half: (height) => Math.floor(height / 2),
  most: (height) => height - 1
}

/** As much as fits: from the row that matters on, with the reasons under it. */
const cutBody = (body: DockBody, height: number): CutBody => {
  const { rows, why, from, weight } = body
  if (heightOf(body) <= height) return { rows, why }
  const shownWhy = why.slice(0, Math.max(MOST_WHY[weight](height), height - rows.length))
  const room = Math.max(0, height - shownWhy.length)
  const first = Math.max(0, Math.min(from, rows.length - room))
  return { rows: rows.slice(first, first + room), why: shownWhy }
}

const choicesOf = ({ choices, selected }: DockPanel, width: number, isTight: boolean): ChoiceRows =>
  fewestRows(choices, { selected, width, isTight })

/** Rows that the panel takes of the room that it may have. */
export const dockRows =
  (panel: DockPanel) =>
  ({ columns, wish, most }: DockRoom): number => {
    const width = innerOf(columns)
    const body = panel.body(width)
    const height = heightOf(body)
    const choices = choicesOf(panel, width, false).rows.length
    const content = Math.max(height + choices, panel.reserve?.(width) ?? 0)
    const least = FRAME + choices + Math.min(body.least, height)
    if (least <= most) return Math.max(least, Math.min(FRAME + content + body.beyond, wish))
    return Math.min(1 + height + choicesOf(panel, width, true).rows.length, most)
  }

/** The parts in a panel of so many rows. */
export const layoutDock = (panel: DockPanel, columns: number, rows: number): DockLayout => {
  const width = innerOf(columns)
  const body = panel.body(width)
  const height = heightOf(body)
  const whole = choicesOf(panel, width, false)
  const isRoomy = rows >= FRAME + whole.rows.length + Math.min(body.least, height)
  const choices = isRoomy ? whole : choicesOf(panel, width, true)
  const frame = isRoomy ? FRAME : 1
  // Under a statusline of several rows not even the choices may all have room: the chosen one is in view.
  const shownChoices = Math.max(1, Math.min(choices.rows.length, rows - frame))
  const room = Math.max(0, rows - frame - shownChoices)
  const isCut = height > room || body.beyond > 0
  // A row of its own says what is not on screen; where rows are few the title does.
  const shown = cutBody(body, isCut && isRoomy ? room - 1 : room)
  const chosen = choices.spots.find(({ index }) => index === panel.selected)?.row ?? 0
  return {
    isRoomy,
    body: shown.rows,
    why: shown.why,
    isBodyCut: shown.rows.length < body.rows.length || body.beyond > 0,
    hidden: isCut ? height + body.beyond - shown.rows.length - shown.why.length : 0,
    choices,
    choicesAt: rows - shownChoices - (isRoomy ? 1 : 0),
    firstChoice: Math.max(0, Math.min(chosen - shownChoices + 1, choices.rows.length - shownChoices))
  }
}
