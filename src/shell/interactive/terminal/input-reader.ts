import { deadline, decode, flush } from "../../../tui/terminal/input/decode.ts"
import type { InputEvent } from "../../../tui/terminal/input/event.ts"
import { type DecodeOptions, initialDecodeState } from "../../../tui/terminal/input/state.ts"

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const ESCAPE = 0x1b

/**
 * What was typed before the terminal was ours went through its own line editing, which makes Enter a line feed. It
 * leaves no carriage return, and nothing was bracketed by then; a line feed alone is Ctrl+J, pressed after.
 */
const asTypedKeys = (bytes: Uint8Array): Uint8Array =>
  bytes.length < 2 || bytes.includes(CARRIAGE_RETURN) || bytes.includes(ESCAPE)
    ? bytes
    : bytes.map((byte) => (byte === LINE_FEED ? CARRIAGE_RETURN : byte))

/** Bytes to events. The decoder is pure; this holds its state and its one timer. */
export class InputReader {
  private state
  private timer: NodeJS.Timeout | undefined
  private turn: NodeJS.Immediate | undefined
  private isFirst = true

  constructor(
    options: Partial<DecodeOptions>,
    private readonly onEvent: (event: InputEvent) => void
  ) {
    this.state = initialDecodeState(options)
  }

  take(bytes: Uint8Array): void {
    const typed = this.isFirst ? asTypedKeys(bytes) : bytes
    this.isFirst = false
    this.deliver(decode(typed, this.state, this.arrival()))
  }

  close(): void {
    clearTimeout(this.timer)
    clearImmediate(this.turn)
  }

  /** Bytes that waited while the program was busy came before the moment that they were awaited until. */
  private arrival(): number {
    const now = performance.now()
    const due = deadline(this.state)
    return due === undefined || this.state.phase._tag !== "AfterPaste" ? now : Math.min(now, due - 1)
  }

  /** Time is up, unless the terminal has bytes to read: they are read first. */
  private expire(): void {
    this.turn = setImmediate(() => this.deliver(flush(this.state, performance.now())))
  }

  private deliver({ events, state }: ReturnType<typeof decode>): void {
    this.state = state
    clearTimeout(this.timer)
    clearImmediate(this.turn)
    const due = deadline(state)
    if (due !== undefined) this.timer = setTimeout(() => this.expire(), Math.max(0, due - performance.now()) + 1)
    for (const event of events) this.onEvent(event)
  }
}
