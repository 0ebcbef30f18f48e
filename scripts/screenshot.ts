import type { Screen } from "../src/tui/terminal/render/screen.ts"
import { type Cell, cellAt } from "../src/tui/screen/cell/frame.ts"
import { textWidth } from "../src/tui/screen/cell/width.ts"
import type { Style } from "../src/tui/screen/style/style.ts"
import { channelsOf } from "../src/tui/terminal/render/colour.ts"

/** Writes a screen as SVG: each row as runs of one style, borders as strokes, so that any monospace font will do. */
const CELL_WIDTH = 8.4
const CELL_HEIGHT = 18
const FONT_SIZE = 14
const BASELINE = 13
const MARGIN = 12
const GROUND = "#14161b"
const INK = "#d5d8de"

/** Where the strokes of a border go from the middle of its cell: left, right, up, down. */
const BORDERS: Readonly<Record<string, string>> = {
  "─": "lr",
  "━": "lr",
  "│": "ud",
  "┌": "rd",
  "└": "ru",
  "┬": "lrd",
  "┴": "lru",
  "├": "rud",
  "┤": "lud",
  "┼": "lrud"
}
const HEAVY = "━"
/** The bars in the margin of prompts: half a cell of colour. */
const BAR = "▌"

const colourText = (colour: number | undefined, otherwise: string): string => {
  if (colour === undefined) return otherwise
  return `#${channelsOf(colour)
    .map((channel) => channel.toString(16).padStart(2, "0"))
    .join("")}`
}

const groundOf = (style: Style): string =>
  style.inverse === true ? colourText(style.foreground, INK) : colourText(style.background, GROUND)

const inkOf = (style: Style): string =>
  style.inverse === true ? colourText(style.background, GROUND) : colourText(style.foreground, INK)

const rulesOf = (style: Style): string =>
  [
    `fill:${inkOf(style)}`,
    ...(style.bold === true ? ["font-weight:700"] : []),
    ...(style.italic === true ? ["font-style:italic"] : []),
    ...(style.dim === true ? ["opacity:.65"] : []),
    ...(style.underline === undefined ? [] : ["text-decoration:underline"]),
    ...(style.strike === true ? ["text-decoration:line-through"] : [])
  ].join(";")

const round = (length: number): number => Math.round(length * 10) / 10
const left = (x: number): number => round(MARGIN + x * CELL_WIDTH)
const top = (y: number): number => MARGIN + y * CELL_HEIGHT

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

interface Run {
  readonly x: number
  readonly columns: number
  readonly text: string
  readonly key: string
}

/** Neighbours of one kind, by what `keyOf` says of them; cells without a key belong to no run. */
const runsOf = (cells: ReadonlyArray<Cell>, keyOf: (cell: Cell) => string | undefined): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  cells.forEach((cell, x) => {
    const key = keyOf(cell)
    const last = runs.at(-1)
    if (key === undefined) return
    if (last !== undefined && last.key === key && last.x + last.columns === x) {
      runs[runs.length - 1] = { ...last, columns: last.columns + 1, text: last.text + cell.text }
    } else runs.push({ x, columns: 1, text: cell.text, key })
  })
  return runs
}

const STROKES: Readonly<Record<string, string>> = {
  l: `h${-CELL_WIDTH / 2}`,
  r: `h${CELL_WIDTH / 2}`,
  u: `v${-CELL_HEIGHT / 2}`,
  d: `v${CELL_HEIGHT / 2}`
}

const borderPath = (cell: Cell, x: number, y: number): string => {
  const from = `M${round(left(x) + CELL_WIDTH / 2)} ${top(y) + CELL_HEIGHT / 2}`
  const sides = BORDERS[cell.text] ?? ""
  if (sides === "lr") return `M${left(x)} ${top(y) + CELL_HEIGHT / 2}h${CELL_WIDTH}`
  if (sides === "ud") return `M${round(left(x) + CELL_WIDTH / 2)} ${top(y)}v${CELL_HEIGHT}`
  return sides
    .split("")
    .map((side) => from + (STROKES[side] ?? ""))
    .join("")
}

class Drawing {
  private readonly classes = new Map<string, string>()
  private readonly borders = new Map<string, string>()
  private readonly parts: Array<string> = []

  row(cells: ReadonlyArray<Cell>, y: number): void {
    this.grounds(cells, y)
    cells.forEach((cell, x) => this.border(cell, x, y))
    const isDrawn = ({ text }: Cell): boolean => BORDERS[text] !== undefined || text === BAR
    for (const run of runsOf(cells, (cell) => (isDrawn(cell) ? undefined : rulesOf(cell.style)))) this.text(run, y)
  }

  svg(columns: number, rows: number, title: string): string {
    const [width, height] = [round(columns * CELL_WIDTH + 2 * MARGIN), rows * CELL_HEIGHT + 2 * MARGIN]
    const rules = [...this.classes].map(([rule, name]) => `.${name}{${rule}}`).join("")
    const borders = [...this.borders].map(([attributes, path]) => `<path ${attributes} d="${path}"/>`)
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" xml:space="preserve">`,
      `<title>${escaped(title)}</title>`,
      `<style>text{font:${FONT_SIZE}px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}${rules}</style>`,
      `<rect width="100%" height="100%" rx="8" fill="${GROUND}"/>`,
      ...this.parts,
      ...borders,
      "</svg>",
      ""
    ].join("\n")
  }

  private grounds(cells: ReadonlyArray<Cell>, y: number): void {
    for (const { x, columns, key } of runsOf(cells, ({ style }) => groundOf(style))) {
      if (key !== GROUND) this.rect({ x: left(x), y: top(y), width: round(columns * CELL_WIDTH), fill: key })
    }
  }

  private rect({
    x,
    y,
    width,
    fill
  }: {
    readonly x: number
    readonly y: number
    readonly width: number
    readonly fill: string
  }): void {
    this.parts.push(`<rect x="${x}" y="${y}" width="${width}" height="${CELL_HEIGHT}" fill="${fill}"/>`)
  }

  private border(cell: Cell, x: number, y: number): void {
    if (cell.text === BAR) this.rect({ x: left(x), y: top(y), width: CELL_WIDTH / 2, fill: inkOf(cell.style) })
    if (BORDERS[cell.text] === undefined) return
    const attributes = `stroke="${inkOf(cell.style)}" stroke-width="${cell.text === HEAVY ? 2 : 1}" fill="none"`
    this.borders.set(attributes, (this.borders.get(attributes) ?? "") + borderPath(cell, x, y))
  }

  /** Blanks at the ends of a run are not drawn; the length is given, so columns stay columns in every font. */
  private text({ x, text, key }: Run, y: number): void {
    const shown = text.trim()
    if (shown === "") return
    const from = x + text.indexOf(shown)
    const name = this.classes.get(key) ?? `s${this.classes.size}`
    this.classes.set(key, name)
    const length = round(textWidth(shown) * CELL_WIDTH)
    this.parts.push(
      `<text class="${name}" x="${left(from)}" y="${top(y) + BASELINE}" textLength="${length}">${escaped(shown)}</text>`
    )
  }
}

export const screenSvg = ({ frame, cursor }: Screen, title: string): string => {
  const drawing = new Drawing()
  for (let y = 0; y < frame.rows; y++) {
    const cells = Array.from({ length: frame.columns }, (_, x) => cellAt(frame, x, y))
    const at = cursor.visible && cursor.y === y ? cells[cursor.x] : undefined
    drawing.row(at === undefined ? cells : cells.with(cursor.x, { ...at, style: { ...at.style, inverse: true } }), y)
  }
  return drawing.svg(frame.columns, frame.rows, title)
}
