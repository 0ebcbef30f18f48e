import { appendFile } from "node:fs"
import { AWAITED } from "../../../tui/model/session-model.ts"
import type { FrameSample } from "../../../tui/terminal/render/stats.ts"
import { debugOf, debugPathOf, type SessionPlan } from "../../plan/session-plan.ts"

type Format = (sample: FrameSample, at: number) => string

const asJson: Format = (sample, at) => JSON.stringify({ at, ...sample })

/** As the debug log writes what it is told. */
const asDebugLine: Format = (sample, at) => `${new Date(at).toISOString()} [ui] frame ${JSON.stringify(sample)}`

/** One line for each frame, for those who look for what makes a screen slow. */
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
      this.complain(
        `frames cannot be logged to ${this.path} (${error.message}). Fix: name another file, for example in NACRE_FRAME_LOG`
      )
      // Said once: every frame that shows the notice would say it again.
      this.isWriting = true
    })
  }
}

interface LogOwner {
  readonly complain: (text: string) => void
  /** The session that is open. */
  readonly session: () => string
}

/** Takes every frame; writes those that somebody asked for. */
export const frameLogger = (plan: SessionPlan, { complain, session }: LogOwner): ((sample: FrameSample) => void) => {
  const path = plan.env["NACRE_FRAME_LOG"] ?? ""
  const frameLog = path === "" ? undefined : new FrameLog(path, complain)
  const { enabled, filter = "" } = debugOf(plan)
  /** Only who names it wants a line for each frame; it stands in the log of the session that is open. */
  const wantsFrames = enabled && filter.split(",").some((word) => word.trim() === "ui")
  let debugLog: FrameLog | undefined
  return (sample) => {
    const at = Date.now()
    frameLog?.add(sample, at)
    const current = session()
    if (!wantsFrames || current === AWAITED) return
    debugLog ??= new FrameLog(debugPathOf(plan, current), complain, asDebugLine)
    debugLog.add(sample, at)
  }
}
