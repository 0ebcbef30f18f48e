import { type IPty, spawn } from "@lydell/node-pty"
import { expect } from "vitest"
import { atEndOfFile } from "../support/end-of-file.ts"
import { builtCli, makePlace, type Place } from "../support/built-cli.ts"
import { replay, type Replay } from "./line-screen.ts"

/** The built program in a real pseudo terminal, driven by keys and watched by patterns. */
const CLI = await builtCli()

export interface TerminalOptions {
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly place?: Place
  readonly columns?: number
  /** A shell command in place of the program; `$NACRE` runs it. */
  readonly shell?: string
}

const COLUMNS = 80
const ROWS = 24
const HANG_MS = 15_000

const open = new Set<Terminal>()

/** The terminal library must have told the end of every program before the test's thread goes away. */
atEndOfFile(async () => {
  const left = [...open]
  for (const terminal of left) terminal.kill()
  await Promise.all(left.map(({ ended }) => ended))
  open.clear()
})

export class Terminal {
  readonly place: Place
  readonly ended: Promise<number>
  private readonly pty: IPty
  private readonly columns: number
  private output = ""
  /** How far patterns have been found. */
  private seen = 0
  private wake: () => void = () => {}
  private over = false

  constructor(options: TerminalOptions = {}) {
    this.place = options.place ?? makePlace()
    this.columns = options.columns ?? COLUMNS
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: this.place.home,
      NACRE_CONFIG_DIR: this.place.config,
      NACRE: `${process.execPath} ${CLI}`,
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      CLAUDE_AX_STARTUP_QUIET_MS: "0",
      CLAUDE_AX_SCREEN_READER: "1",
      ...options.env
    }
    const program = [process.execPath, CLI, ...(options.args ?? [])]
    const [file = "", ...args] = options.shell === undefined ? program : ["/bin/sh", "-c", options.shell]
    this.pty = spawn(file, args, { cols: this.columns, rows: ROWS, cwd: this.place.cwd, env })
    this.pty.onData((data) => {
      this.output += data
      this.wake()
    })
    this.ended = new Promise((resolve) => {
      this.pty.onExit(({ exitCode }) => {
        this.over = true
        open.delete(this)
        this.wake()
        resolve(exitCode)
      })
    })
    open.add(this)
  }

  /** All that was written so far. */
  get raw(): string {
    return this.output
  }

  get screen(): Replay {
    return replay(this.output, this.columns)
  }

  type(keys: string): void {
    this.pty.write(keys)
  }

  /** A line and Enter. */
  enter(line: string): void {
    this.type(`${line}\r`)
  }

  /** Waits for a pattern in what comes after the last one found, and gives the text up to its end. */
  async until(pattern: string | RegExp): Promise<string> {
    for (;;) {
      const text = this.output.slice(this.seen)
      const end = typeof pattern === "string" ? endOf(text, pattern) : endOfMatch(text, pattern)
      if (end !== undefined) {
        this.seen += end
        return text.slice(0, end)
      }
      if (this.over) throw new Error(`the program ended before ${String(pattern)}:\n${this.output}`)
      await this.more(pattern)
    }
  }

  /** Waits until the screen is as it should be: what is redrawn is gone for a moment. */
  async untilScreen(holds: (rows: ReadonlyArray<string>) => boolean): Promise<void> {
    while (!holds(this.screen.rows)) await this.more("the screen")
  }

  /** Waits for output; only a program that hangs is given up. */
  private more(pattern: string | RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const hang = setTimeout(() => {
        reject(new Error(`${String(pattern)} did not come:\n${JSON.stringify(this.output.slice(this.seen))}`))
      }, HANG_MS)
      this.wake = () => {
        clearTimeout(hang)
        resolve()
      }
    })
  }

  kill(): void {
    if (!this.over) this.pty.kill("SIGKILL")
  }
}

const endOf = (text: string, pattern: string): number | undefined => {
  const at = text.indexOf(pattern)
  return at === -1 ? undefined : at + pattern.length
}

const endOfMatch = (text: string, pattern: RegExp): number | undefined => {
  const match = pattern.exec(text)
  return match === null ? undefined : match.index + match[0].length
}

/** Keys as a terminal sends them. */
export const KEYS = {
  interrupt: "\u0003",
  end: "\u0004",
  escape: "\u001b",
  deleteWord: "\u0017",
  up: "\u001b[A",
  left: "\u001b[D",
  paste: (text: string): string => `\u001b[200~${text}\u001b[201~`
} as const

/** What every run owes: nothing written is ever changed, apart from the input line. */
export const expectAppendOnly = (terminal: Terminal): void => {
  expect(terminal.screen.violations).toEqual([])
}
