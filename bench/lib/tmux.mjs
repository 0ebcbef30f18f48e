import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { pause, processorMs, SCREEN_ENV } from "./terminal.mjs"

/** A tmux server of our own with one program in it. */
const COLUMNS = 120
const ROWS = 40
const HANG_MS = 120_000
const LOOK_EVERY_MS = 100
let started = 0

export class Tmux {
  /** @param {ReadonlyArray<string>} command The program with its arguments. */
  constructor(command, place) {
    // A server that was just ended still holds its socket for a moment. The place is removed with the benchmark.
    this.socket = join(place.home, `tmux-${++started}`)
    const env = Object.entries({ ...place.env, ...SCREEN_ENV, TERM: "tmux-256color" }).map(
      ([name, value]) => `${name}=${value}`
    )
    const size = ["-x", String(COLUMNS), "-y", String(ROWS)]
    this.tmux("-f", "/dev/null", "new-session", "-d", ...size, "-c", place.cwd, "--", "env", "-i", ...env, ...command)
    this.pid = Number(this.tmux("list-panes", "-F", "#{pane_pid}"))
    this.serverPid = Number(this.tmux("display-message", "-p", "#{pid}"))
  }

  tmux(...args) {
    return execFileSync("tmux", ["-S", this.socket, ...args], { encoding: "utf8" }).trim()
  }

  type(...keys) {
    this.tmux("send-keys", ...keys)
  }

  used() {
    return { program: processorMs(this.pid), server: processorMs(this.serverPid) }
  }

  shows(text) {
    return this.tmux("capture-pane", "-p").includes(text)
  }

  async until(text) {
    const hang = performance.now() + HANG_MS
    while (!this.shows(text)) {
      if (performance.now() > hang) throw new Error(`${text} did not come:\n${this.tmux("capture-pane", "-p")}`)
      await pause(LOOK_EVERY_MS)
    }
  }

  close() {
    this.tmux("kill-server")
  }
}

export const hasTmux = () => {
  try {
    execFileSync("tmux", ["-V"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}
