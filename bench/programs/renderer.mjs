import { createRequire } from "node:module"
import { PassThrough } from "node:stream"
import { makeCanvas } from "../../src/tui/screen/cell/canvas.ts"
import { makeFrame } from "../../src/tui/screen/cell/frame.ts"
import { makePools } from "../../src/tui/screen/cell/pools.ts"
import { BASIC_CAPABILITIES } from "../../src/tui/terminal/render/capabilities.ts"
import { diff } from "../../src/tui/terminal/render/diff.ts"
import { encode } from "../../src/tui/terminal/render/encode.ts"
import { NO_MODES } from "../../src/tui/terminal/render/modes.ts"
import { plainTheme } from "../../src/tui/screen/style/theme.ts"

/**
 * Drawing a screen of 200x60: all cells changed, one cell changed, one row scrolled, nothing changed, beside the draw
 * function of blessed for the same cells. The path of blessed is the argument. Prints samples in microseconds as JSON.
 */
const COLUMNS = 200
const ROWS = 60
const ROUNDS = 30
const WARMUPS = 10
const TRIES = 6
/** Cells of one colour in a row: about a word. */
const WORD = 8

const caps = {
  ...BASIC_CAPABILITIES,
  colourDepth: "256",
  syncOutput: true,
  erasesWithBackground: true,
  scrollRegions: true
}

/** What stands in a cell of a screen: every row is full, and no cell of two neighbouring screens is the same. */
const letterAt = (screen, x, y) => String.fromCharCode(97 + ((x * 7 + y * 3 + screen) % 26))
const colourAt = (screen, x, y) => 16 + ((Math.floor(x / WORD) + y * 5 + screen) % 200)

const looks = Array.from({ length: 256 }, (_, colour) => ({ role: "text", foreground: colour }))
const pools = makePools()

const screenOf = (screen, paint = () => {}) => {
  const frame = makeFrame(pools, COLUMNS, ROWS)
  const canvas = makeCanvas(frame, plainTheme)
  for (let y = 0; y < ROWS; y++) {
    for (let x = 0; x < COLUMNS; x++) canvas.text(x, y, letterAt(screen, x, y), looks[colourAt(screen, x, y)])
  }
  paint(canvas)
  return { frame, modes: NO_MODES, cursor: { x: 0, y: ROWS - 1, visible: false, shape: "block" } }
}

/** Every row one further up and a new one at the bottom. */
const scrolledOf = (screen) => {
  const frame = makeFrame(pools, COLUMNS, ROWS)
  frame.words.set(screen.frame.words.subarray(COLUMNS))
  const canvas = makeCanvas(frame, plainTheme)
  for (let x = 0; x < COLUMNS; x++) canvas.text(x, ROWS - 1, letterAt(9, x, 0), looks[colourAt(9, x, 0)])
  return { ...screen, frame }
}

const blessedScreen = (path) => {
  const blessed = createRequire(import.meta.url)(path)
  const output = new PassThrough()
  output.columns = COLUMNS
  output.rows = ROWS
  output.isTTY = true
  output.resume()
  const input = new PassThrough()
  const screen = blessed.screen({ input, output, terminal: "xterm-256color", useBCE: true, fullUnicode: false })
  screen.alloc()
  return screen
}

const fillBlessed = (target, screen) => {
  for (let y = 0; y < ROWS; y++) {
    for (let x = 0; x < COLUMNS; x++) {
      target.lines[y][x][0] = (colourAt(screen, x, y) << 9) | 0x1ff
      target.lines[y][x][1] = letterAt(screen, x, y)
    }
    target.lines[y].dirty = true
  }
}

const timedUs = (work) => {
  const from = performance.now()
  work()
  return (performance.now() - from) * 1e3
}

/** The best of several tries: whatever else the machine does can only add time. */
const bestOf = (sample) => Math.min(...Array.from({ length: TRIES }, sample))

const rendering = (from, to) => () => timedUs(() => encode(diff(from, to, caps), caps))

const main = (blessedPath) => {
  const [first, second] = [screenOf(0), screenOf(1)]
  const oneCell = screenOf(0, (canvas) => canvas.text(100, 30, "#", looks[1]))
  const target = blessedScreen(blessedPath)
  let turn = 0
  const runners = {
    full: rendering(first, second),
    one: rendering(first, oneCell),
    scroll: rendering(first, scrolledOf(first)),
    same: rendering(first, screenOf(0)),
    blessed: () => {
      fillBlessed(target, turn++ % 2)
      return timedUs(() => target.draw(0, ROWS - 1))
    }
  }
  const samples = Object.fromEntries(Object.keys(runners).map((name) => [name, []]))
  for (let round = -WARMUPS; round < ROUNDS; round++) {
    for (const [name, runner] of Object.entries(runners)) {
      const sample = bestOf(runner)
      if (round >= 0) samples[name].push(sample)
    }
  }
  const bytes = (to) => Buffer.byteLength(encode(diff(first, to, caps), caps))
  const sizes = { full: bytes(second), one: bytes(oneCell), scroll: bytes(scrolledOf(first)), same: bytes(screenOf(0)) }
  return { samples, bytes: sizes }
}

const result = main(process.argv[2])
process.stdout.write(JSON.stringify(result), () => process.exit(0))
