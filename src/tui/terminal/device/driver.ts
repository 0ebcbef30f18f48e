import { writeSync } from "node:fs"
import { PassThrough } from "node:stream"
import type { WriteStream } from "node:tty"
import Program from "blessed/lib/program.js"
import type { Size } from "../../screen/layout/size-class.ts"

/**
 * The one place that touches the terminal, through blessed's program layer: raw mode, size, bytes in, bytes out. It
 * knows nothing of frames and modes; what to write is decided elsewhere.
 */
export interface TerminalDriver {
  readonly size: () => Size
  readonly setRaw: (on: boolean) => void
  /** Calls back when the terminal has taken everything. */
  readonly write: (bytes: string, drained: () => void) => void
  /** For the last words of a process: returns when they are written, or when the terminal is gone. */
  readonly writeNow: (bytes: string) => void
  /** Stops and starts reading, for programs that borrow the terminal. */
  readonly setReading: (on: boolean) => void
  readonly close: () => void
}

export interface TerminalListener {
  readonly onBytes: (bytes: Uint8Array) => void
  readonly onResize: (size: Size) => void
  /** The terminal is gone. */
  readonly onHangUp: () => void
}

export interface TerminalStreams {
  readonly keyboard: NodeJS.ReadStream
  readonly screen: WriteStream & { readonly fd: number }
}

/** Blessed's own key decoder gets to see nothing; it only lends the switch of raw mode. */
class Keyboard extends PassThrough {
  constructor(private readonly stream: NodeJS.ReadStream) {
    super()
  }

  setRawMode(on: boolean): void {
    this.stream.setRawMode(on)
  }
}

/** Blessed asks tmux for its version by starting it; nothing here needs the answer. */
const withoutTmux = <A>(make: () => A): A => {
  const tmux = process.env["TMUX"]
  if (tmux === undefined) return make()
  delete process.env["TMUX"]
  try {
    return make()
  } finally {
    process.env["TMUX"] = tmux
  }
}

/** A terminal that is read by nobody must not keep the program from ending. */
const PATIENCE_MS = 500

const writeAll = (fd: number, bytes: string): void => {
  const giveUpAt = performance.now() + PATIENCE_MS
  let rest = Buffer.from(bytes)
  while (rest.length > 0 && performance.now() < giveUpAt) {
    try {
      rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return
    }
  }
}

export const openDriver = ({ keyboard, screen }: TerminalStreams, listener: TerminalListener): TerminalDriver => {
  const input = new Keyboard(keyboard)
  const program = withoutTmux(() => new Program({ input, output: screen, buffer: false, tput: false }))
  const size = (): Size => ({ columns: screen.columns || 80, rows: screen.rows || 24 })
  const onData = (bytes: Uint8Array): void => listener.onBytes(bytes)
  const onGone = (): void => listener.onHangUp()
  program.on("resize", () => listener.onResize(size()))
  keyboard.on("data", onData)
  keyboard.on("end", onGone)
  keyboard.on("error", onGone)
  screen.on("error", onGone)
  return {
    size,
    setRaw: (on) => {
      // A terminal that was hung up cannot be set any more, and nobody is left to see it.
      if (keyboard.destroyed || !keyboard.isTTY) return
      try {
        program.input.setRawMode(on)
      } catch {
        listener.onHangUp()
      }
    },
    write: (bytes, drained) => void screen.write(bytes, drained),
    writeNow: (bytes) => writeAll(screen.fd, bytes),
    setReading: (on) => void (on ? keyboard.resume() : keyboard.pause()),
    close: () => {
      keyboard.off("data", onData)
      keyboard.off("end", onGone)
      keyboard.pause()
      program.destroy()
    }
  }
}
