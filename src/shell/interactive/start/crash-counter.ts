const CRASHES_ALLOWED = 3
const CRASHES_WITHIN_MS = 10_000

/** Too many defects in a short time: the interface is given up, the session is not. */
export const makeCrashCounter = (giveUp: () => void, tell: (text: string) => void): ((defect: unknown) => void) => {
  let recent: ReadonlyArray<number> = []
  return (defect) => {
    const now = Date.now()
    recent = [...recent.filter((at) => now - at < CRASHES_WITHIN_MS), now]
    tell(`internal error: ${defect instanceof Error ? defect.message : String(defect)}`)
    if (recent.length >= CRASHES_ALLOWED) giveUp()
  }
}
