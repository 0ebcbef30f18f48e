import { appendFile } from "node:fs"
import type { FrameSample } from "../../tui/render/stats.ts"

type Format = (sample: FrameSample, at: number) => string

const asJson: Format = (sample, at) => JSON.stringify({ at, ...sample })

/** As the debug log writes what it is told. */
export const asDebugLine: Format = (sample, at) => `${new Date(at).toISOString()} [ui] frame ${JSON.stringify(sample)}`

/** One line for each frame (UI-58), for those who look for what makes a screen slow. */
export class FrameLog {
  private lines: Array<string> = []
  private isWriting = false

  constructor(
    private readonly path: string,
    private readonly complain: (text: string) => void,
    private readonly format: Format = asJson
  ) {}

  add(sample: FrameSample, at: number): void {
    this.lines.push(`${this.format(sample, at)}\n`)
    this.flush()
  }

  /** A frame never waits for the log; what comes meanwhile is written together. */
  private flush(): void {
    if (this.isWriting || this.lines.length === 0) return
    this.isWriting = true
    appendFile(this.path, this.lines.splice(0).join(""), { mode: 0o600 }, (error) => {
      this.isWriting = false
      if (error === null) return this.flush()
      this.lines = []
      this.complain(`frames cannot be logged to ${this.path} (${error.message}). Fix: name another file, for example in NACRE_FRAME_LOG`)
      // Said once: every frame that shows the notice would say it again.
      this.isWriting = true
    })
  }
}
