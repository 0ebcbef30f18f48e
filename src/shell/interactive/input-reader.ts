import { deadline, decode, flush } from "../../tui/input/decode.ts"
import type { InputEvent } from "../../tui/input/event.ts"
import { type DecodeOptions, initialDecodeState } from "../../tui/input/state.ts"

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** What was typed before the terminal was ours went through its own line editing, which makes Enter a line feed. */
const asTypedKeys = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => (byte === LINE_FEED ? CARRIAGE_RETURN : byte))

/** Bytes to events. The decoder is pure; this holds its state and its one timer. */
export class InputReader {
  private state
  private timer: NodeJS.Timeout | undefined
  private isFirst = true

  constructor(options: Partial<DecodeOptions>, private readonly onEvent: (event: InputEvent) => void) {
    this.state = initialDecodeState(options)
  }

  take(bytes: Uint8Array): void {
    const typed = this.isFirst ? asTypedKeys(bytes) : bytes
    this.isFirst = false
    this.deliver(decode(typed, this.state, performance.now()))
  }

  close(): void {
    clearTimeout(this.timer)
  }

  private deliver({ events, state }: ReturnType<typeof decode>): void {
    this.state = state
    clearTimeout(this.timer)
    const due = deadline(state)
    if (due !== undefined) {
      this.timer = setTimeout(() => this.deliver(flush(this.state, performance.now())), Math.max(0, due - performance.now()) + 1)
    }
    for (const event of events) this.onEvent(event)
  }
}
