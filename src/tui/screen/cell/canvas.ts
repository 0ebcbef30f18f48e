import { intersect, isEmpty, rect, type Rect } from "./rect.ts"
import type { Look, Row } from "../style/row.ts"
import type { Role } from "../style/roles.ts"
import type { Theme } from "../style/theme.ts"
import { ARM, borderGlyph, type Borders } from "./border.ts"
import { cellAt, type Frame } from "./frame.ts"
import { BLANK_GLYPH } from "./glyph-pool.ts"
import { NO_LINK } from "./link-pool.ts"
import { type Override, type StyleBook, styleBook } from "./style-book.ts"
import { clusters } from "./width.ts"
import { fillArea, type Place, restyleArea, writeText } from "./write.ts"

/**
 * What a pane draws on: a window onto a frame with its own coordinates. Drawing outside the window does nothing. Texts
 * are sanitised before they come here; a control character that slips through becomes a replacement mark.
 */
export interface Canvas {
  /** Always at 0,0. */
  readonly area: Rect
  readonly within: (area: Rect) => Canvas
  /** Returns the columns taken, counted up to the right edge. */
  readonly text: (x: number, y: number, text: string, look: Look) => number
  /** A ground is drawn under the row to the right edge; it wins over the fill of the row itself. */
  readonly row: (x: number, y: number, row: Row, ground?: Role) => void
  readonly fill: (area: Rect, look: Look, glyph?: string) => void
  readonly restyle: (area: Rect, override: Override) => void
  /** The border only. Thin lines join with the lines they meet. */
  readonly box: (area: Rect, look: Look, borders: Borders) => void
  /** Names what the mouse finds here; later names lie on top. */
  readonly hit: (area: Rect, id: string) => void
}

interface Window {
  readonly frame: Frame
  readonly book: StyleBook
  /** The window in the frame, with the parts that cannot be seen. */
  readonly bounds: Rect
  /** What may be touched, in the frame. */
  readonly clip: Rect
}

const shifted = ({ bounds }: Window, area: Rect): Rect => rect(bounds.x + area.x, bounds.y + area.y, area.width, area.height)

const clipped = (window: Window, area: Rect): Rect => intersect(window.clip, shifted(window, area))

const placeOf = ({ bounds, clip }: Window, x: number, y: number): Place => ({ clip, x: bounds.x + x, y: bounds.y + y })

const drawRow = (window: Window, place: Place, row: Row, ground?: Role): void => {
  const { frame, book, clip } = window
  const under = ground ?? row.fill
  if (place.y < clip.y || place.y >= clip.y + clip.height) return
  // A row whose text names the ground has it from there on: what stands before is a margin.
  const first = ground === undefined ? row.spans.findIndex(({ look }) => look.background === row.fill) : 0
  let x = place.x
  for (const [index, { text, look, link }] of row.spans.entries()) {
    const style = under === undefined || index < first ? book.idOf(look) : book.idOn(look, under)
    const target = link === undefined ? NO_LINK : frame.pools.links.intern(link)
    x += writeText(frame, { ...place, x }, text, { style, link: target })
  }
  if (under === undefined) return
  const rest = intersect(clip, rect(x, place.y, clip.x + clip.width - x, 1))
  fillArea(frame, rest, BLANK_GLYPH, { style: blankOn(window, under), link: NO_LINK })
}

const GROUND_TEXT: Look = { role: "text" }

const blankOn = ({ frame, book }: Window, ground: Role) => frame.pools.styles.blankOf(book.idOn(GROUND_TEXT, ground))

const drawFill = (window: Window, area: Rect, look: Look, glyph: string): void => {
  const { frame, book } = window
  const style = book.idOf(look)
  const id = frame.pools.glyphs.intern(clusters(glyph)[0] ?? " ")
  const ink = { style: id === BLANK_GLYPH ? frame.pools.styles.blankOf(style) : style, link: NO_LINK }
  fillArea(frame, clipped(window, area), id, ink)
}

const drawBox = (window: Window, area: Rect, look: Look, borders: Exclude<Borders, "none">): void => {
  const { frame, book } = window
  const { x, y, width, height } = shifted(window, area)
  const visible = clipped(window, area)
  const style = book.idOf(look)
  const right = x + width - 1
  const bottom = y + height - 1
  const armsAt = (column: number, row: number): number => {
    const level = row === y || row === bottom
    const upright = column === x || column === right
    return (
      (level && column > x ? ARM.left : 0) |
      (level && column < right ? ARM.right : 0) |
      (upright && row > y ? ARM.up : 0) |
      (upright && row < bottom ? ARM.down : 0)
    )
  }
  const draw = (column: number, row: number): void => {
    const glyph = borderGlyph(borders, armsAt(column, row), cellAt(frame, column, row).text)
    writeText(frame, { clip: visible, x: column, y: row }, glyph, { style, link: NO_LINK })
  }
  for (let row = visible.y; row < visible.y + visible.height; row++) {
    const whole = row === y || row === bottom
    for (let column = visible.x; column < visible.x + visible.width; column++) {
      if (whole || column === x || column === right) draw(column, row)
    }
  }
}

const canvasOf = (window: Window): Canvas => {
  const { frame, book, bounds } = window
  return {
    area: rect(0, 0, bounds.width, bounds.height),
    within: (area) => canvasOf({ ...window, bounds: shifted(window, area), clip: clipped(window, area) }),
    text: (x, y, text, look) => {
      const ink = { style: book.idOf(look), link: NO_LINK }
      return writeText(frame, placeOf(window, x, y), text, ink)
    },
    row: (x, y, row, ground) => drawRow(window, placeOf(window, x, y), row, ground),
    fill: (area, look, glyph = " ") => drawFill(window, area, look, glyph),
    restyle: (area, override) => restyleArea(frame, clipped(window, area), book.overlaid(override)),
    box: (area, look, borders) => {
      if (borders !== "none") drawBox(window, area, look, borders)
    },
    hit: (area, id) => {
      const visible = clipped(window, area)
      if (!isEmpty(visible)) frame.hits.push({ area: visible, id })
    }
  }
}

/** A canvas over the whole frame. */
export const makeCanvas = (frame: Frame, theme: Theme): Canvas => {
  const whole = rect(0, 0, frame.columns, frame.rows)
  return canvasOf({ frame, book: styleBook(frame.pools, theme), bounds: whole, clip: whole })
}
