import { readdirSync, readFileSync } from "node:fs"
import { spawn } from "@lydell/node-pty"

/** A Node program on a pseudo terminal: what it writes and when, and what the kernel says that it used. */
const COLUMNS = 120
const ROWS = 40
const HANG_MS = 60_000

export const SCREEN_ENV = { TERM: "xterm-256color", LANG: "C.UTF-8" }

/** Processor milliseconds of all threads of a process so far. */
export const processorMs = (pid) => {
  const tasks = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = tasks.map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]))
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}

/** Resident and highest resident megabytes of a process. */
export const residentMb = (pid) => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const field = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { now: field("VmRSS"), peak: field("VmHWM") }
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

export class Terminal {
  constructor(args, place) {
    this.output = ""
    this.startedAt = performance.now()
    this.pty = spawn(process.execPath, args, {
      cols: COLUMNS,
      rows: ROWS,
      cwd: place.cwd,
      env: { ...place.env, ...SCREEN_ENV }
    })
    this.pty.onData((data) => {
      this.output += data
      this.wake?.()
    })
    this.ended = new Promise((resolve) => this.pty.onExit(resolve))
  }

  get pid() {
    return this.pty.pid
  }

  type(keys) {
    this.pty.write(keys)
  }

  /** Waits until what was written after `from` holds the text; says when that was, since the start. */
  async until(text, from = 0) {
    const hang = performance.now() + HANG_MS
    while (!this.output.includes(text, from)) {
      if (performance.now() > hang)
        throw new Error(`${JSON.stringify(text)} did not come: ${JSON.stringify(this.output.slice(-500))}`)
      await Promise.race([new Promise((resolve) => (this.wake = resolve)), pause(1_000)])
    }
    return performance.now() - this.startedAt
  }

  async close() {
    this.pty.kill("SIGTERM")
    await this.ended
  }
}

/** What stands in an empty prompt. */
export const PROMPT = "Type a message"
/** A character that stands nowhere on the first screen. */
const MARK = "§"
const ERASE = "\u007F"

/** Opens the interface and types one character as soon as the prompt is shown; done when the character is. */
export const openInterface = async (bench, place, flags = []) => {
  const terminal = new Terminal([bench.cli, "--model", "offline", ...flags], place)
  await terminal.until(PROMPT)
  const from = terminal.output.length
  terminal.type(MARK)
  const usableMs = await terminal.until(MARK, from)
  // A draft would be there again at the next start.
  terminal.type(ERASE)
  return { terminal, usableMs }
}
