import { deadline, decode, flush } from "../../tui/input/decode.ts"
import type { InputEvent } from "../../tui/input/event.ts"
import { type DecodeOptions, initialDecodeState } from "../../tui/input/state.ts"

/** Bytes to events. The decoder is pure; this holds its state and its one timer. */
export class InputReader {
  private state
  private timer: NodeJS.Timeout | undefined

  constructor(options: Partial<DecodeOptions>, private readonly onEvent: (event: InputEvent) => void) {
    this.state = initialDecodeState(options)
  }

  take(bytes: Uint8Array): void {
    this.deliver(decode(bytes, this.state, performance.now()))
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
