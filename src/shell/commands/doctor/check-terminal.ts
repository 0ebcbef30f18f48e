import type { Examination } from "../../../core/settings/doctor/finding.ts"
import { detectCapabilities } from "../../../tui/terminal/device/detect.ts"
import type { Place } from "./doctor-context.ts"

/** What the environment says about the terminal; the terminal itself is not asked. */
export const examineTerminal = ({ env }: Place): Examination => {
  const { colourDepth, keyboard, syncOutput, clipboard, hyperlinks, multiplexer } = detectCapabilities(env)
  const has = (what: string, isThere: boolean): string => `${isThere ? "" : "no "}${what}`
  const parts = [
    env["TERM"] ?? "unknown",
    ...(multiplexer === "none" ? [] : [`in ${multiplexer}`]),
    colourDepth === "none" ? "no colours" : `${colourDepth} colours`,
    `${keyboard} keys`,
    has("synchronised frames", syncOutput),
    has("clipboard", clipboard),
    has("links", hyperlinks)
  ]
  return { facts: { terminal: parts.join(", ") }, findings: [] }
}
