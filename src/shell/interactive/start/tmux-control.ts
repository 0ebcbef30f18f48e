import { execFileSync } from "node:child_process"
import type { Env } from "../../../core/domain/env.ts"

/** Only this terminal draws tmux sessions itself, so nobody else pays for asking. */
const drawsTmux = (env: Env): boolean => env["LC_TERMINAL"] === "iTerm2" || (env["ITERM_SESSION_ID"] ?? "") !== ""

const PATIENCE_MS = 200

/** Whether tmux runs in control mode (`tmux -CC`). */
export const isTmuxControlMode = (env: Env): boolean => {
  if ((env["TMUX"] ?? "") === "" || !drawsTmux(env)) return false
  try {
    const answer = execFileSync("tmux", ["display-message", "-p", "#{client_control_mode}"], {
      encoding: "utf8",
      timeout: PATIENCE_MS,
      cwd: "/",
      stdio: ["ignore", "pipe", "ignore"]
    })
    return answer.trim() === "1"
  } catch {
    return false
  }
}
