import { Unicode11Addon } from "@xterm/addon-unicode11"
import headless, { type IBufferCell } from "@xterm/headless"

/** A terminal in memory: what bytes would look like. For golden frames and for checking what the renderer sends. */
export interface VirtualTerminal {
  readonly write: (bytes: string) => Promise<void>
  /** The rows of the screen, without blanks at their ends. */
  readonly text: () => ReadonlyArray<string>
  readonly cell: (x: number, y: number) => VirtualCell
  readonly cursor: () => { readonly x: number; readonly y: number }
  readonly modes: () => VirtualModes
  readonly title: () => string
  readonly resize: (columns: number, rows: number) => void
  /** What the terminal itself answers to questions. */
  readonly onReply: (listen: (bytes: string) => void) => void
}

export interface VirtualCell {
  readonly text: string
  /** 0: the right half of the wide cell before it. */
  readonly width: number
  /** As a style has it: a palette entry, 0x1rrggbb, or undefined for the terminal's own. */
  readonly foreground: number | undefined
  readonly background: number | undefined
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly underline: boolean
  readonly inverse: boolean
  readonly strike: boolean
}

export interface VirtualModes {
  readonly altScreen: boolean
  readonly paste: boolean
  readonly focus: boolean
  readonly mouse: string
  readonly sync: boolean
}

const RGB_FLAG = 0x1000000

const colour = (isDefault: boolean, isRgb: boolean, value: number): number | undefined => {
  if (isDefault) return undefined
  return isRgb ? RGB_FLAG | value : value
}

const spelled = (cell: IBufferCell): VirtualCell => ({
  text: cell.getWidth() === 0 ? "" : cell.getChars() || " ",
  width: cell.getWidth(),
  foreground: colour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
  background: colour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
  bold: cell.isBold() !== 0,
  dim: cell.isDim() !== 0,
  italic: cell.isItalic() !== 0,
  underline: cell.isUnderline() !== 0,
  inverse: cell.isInverse() !== 0,
  strike: cell.isStrikethrough() !== 0
})

export const makeVirtualTerminal = (columns: number, rows: number): VirtualTerminal => {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 })
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = "11"
  let title = ""
  terminal.onTitleChange((text) => (title = text))
  const buffer = () => terminal.buffer.active
  return {
    write: (bytes) => new Promise((resolve) => terminal.write(bytes, resolve)),
    text: () =>
      Array.from(
        { length: terminal.rows },
        (_, y) =>
          buffer()
            .getLine(buffer().baseY + y)
            ?.translateToString(true) ?? ""
      ),
    cell: (x, y) => {
      const cell = buffer()
        .getLine(buffer().baseY + y)
        ?.getCell(x)
      if (cell === undefined) throw new RangeError(`no cell at ${x},${y} of ${terminal.cols}x${terminal.rows}`)
      return spelled(cell)
    },
    cursor: () => ({ x: buffer().cursorX, y: buffer().cursorY }),
    modes: () => ({
      altScreen: buffer().type === "alternate",
      paste: terminal.modes.bracketedPasteMode,
      focus: terminal.modes.sendFocusMode,
      mouse: terminal.modes.mouseTrackingMode,
      sync: terminal.modes.synchronizedOutputMode
    }),
    title: () => title,
    resize: (nextColumns, nextRows) => terminal.resize(nextColumns, nextRows),
    onReply: (listen) => void terminal.onData(listen)
  }
}
