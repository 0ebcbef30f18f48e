import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type IPty, spawn } from "@lydell/node-pty"
import { atEndOfFile } from "./end-of-file.ts"
import { builtCli, makeKnownPlace, type Place } from "./built-cli.ts"
import { makeVirtualTerminal, type VirtualTerminal } from "./virtual-terminal.ts"

/** The built program in a real pseudo terminal with an emulator behind it: keys go in, and the screen is read. */
export interface TuiOptions {
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly place?: Place
  readonly columns?: number
  readonly rows?: number
  /** An interactive shell in place of the program; `$NACRE` in a line that is typed runs it. */
  readonly inShell?: boolean
}

/** Only a program that hangs is given up. */
const HANG_MS = 20_000

const open = new Set<TuiTerminal>()

/** The terminal library must have told the end of every program before the test's thread goes away. */
atEndOfFile(async () => {
  const left = [...open]
  for (const terminal of left) terminal.kill()
  await Promise.all(left.map(({ ended }) => ended))
  open.clear()
})

export const PROMPT = "Type a message."

/** Long enough for a frame, longer than the moment in which a dialog takes no key. */
const AGAIN_MS = 200
const LOOK_AGAIN_MS = 40

/** The key of the choice that is marked in a dialog. */
export const chosenIn = (screen: string): string | undefined => /▸ (\d) /.exec(screen)?.[1]

/** A file that is still on its way to its name is not saved yet. */
const holdsText = (directory: string, words: string): boolean =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).some(
    (entry) =>
      entry.isFile() &&
      !entry.name.includes(".tmp.") &&
      readFileSync(join(entry.parentPath, entry.name), "utf8").includes(words)
  )

export class TuiTerminal {
  /** Everything that was written, as it came. */
  raw = ""
  /** The program is gone, and all that it wrote is on the screen. */
  readonly ended: Promise<number>
  readonly emulator: VirtualTerminal
  private isOver = false
  private parsing: Promise<void> = Promise.resolve()
  private readonly waiting = new Set<() => void>()

  private constructor(
    readonly pty: IPty,
    readonly place: Place
  ) {
    this.emulator = makeVirtualTerminal(pty.cols, pty.rows)
    this.emulator.onReply((bytes) => {
      if (!this.isOver) this.pty.write(bytes)
    })
    pty.onData((data) => {
      this.raw += data
      this.parsing = this.parsing.then(() => this.emulator.write(data)).then(() => this.wake())
    })
    this.ended = new Promise((resolve) => {
      pty.onExit(({ exitCode }) => {
        this.isOver = true
        this.wake()
        void this.parsing.then(() => resolve(exitCode))
      })
    })
    open.add(this)
  }

  static async start(options: TuiOptions = {}): Promise<TuiTerminal> {
    const cli = await builtCli()
    const place = options.place ?? makeKnownPlace()
    const { columns = 80, rows = 24 } = options
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: place.home,
      NACRE_CONFIG_DIR: place.config,
      NACRE: `${process.execPath} ${cli}`,
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      PS1: "$ ",
      ...options.env
    }
    const program = [process.execPath, cli, ...(options.args ?? [])]
    const [file = "", ...args] = options.inShell === true ? ["/bin/sh", "-i"] : program
    const pty = spawn(file, args, { cols: columns, rows, cwd: place.cwd, env })
    return new TuiTerminal(pty, place)
  }

  /** Started, and its prompt is on screen. */
  static async ready(options: TuiOptions = {}): Promise<TuiTerminal> {
    const terminal = await TuiTerminal.start(options)
    await terminal.shows(PROMPT)
    return terminal
  }

  get rows(): ReadonlyArray<string> {
    return this.emulator.text().map((row) => row.trimEnd())
  }

  get text(): string {
    return this.rows.join("\n")
  }

  /** No frame is half drawn. */
  private get isWhole(): boolean {
    return !this.emulator.modes().sync
  }

  type(keys: string): void {
    this.pty.write(keys)
  }

  resize(columns: number, rows: number): void {
    this.pty.resize(columns, rows)
    this.emulator.resize(columns, rows)
  }

  /** Waits until the screen shows a text, a pattern, or what a question about it wants. */
  async shows(wanted: string | RegExp | ((screen: string) => boolean), what = String(wanted)): Promise<string> {
    const fits = (screen: string): boolean => {
      if (typeof wanted === "string") return screen.includes(wanted)
      return typeof wanted === "function" ? wanted(screen) : wanted.test(screen)
    }
    await this.until(() => fits(this.text), what)
    return this.text
  }

  async hides(text: string): Promise<void> {
    await this.shows((screen) => !screen.includes(text), `no ${text}`)
  }

  /** Waits for bytes that the screen does not show: modes, titles, the clipboard. */
  async wrote(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
    let found: RegExpExecArray | null = null
    await this.until(() => (found = pattern.exec(this.raw.slice(from))) !== null, String(pattern))
    if (found === null) throw new Error(`${String(pattern)} was not written`)
    return found
  }

  async until(holds: () => boolean, what: string): Promise<void> {
    const giveUpAt = Date.now() + HANG_MS
    for (;;) {
      await this.parsing
      if (this.isWhole && holds()) return
      if (this.isOver) throw new Error(`the program ended before: ${what}\n${this.text}`)
      if (Date.now() > giveUpAt) throw new Error(`did not come: ${what}\n${this.text}`)
      await this.change(giveUpAt - Date.now())
    }
  }

  /** Presses a key again and again until it has done its work: in its first moment a dialog takes none. */
  async pressUntil(key: string, holds: () => boolean, what: string): Promise<void> {
    const giveUpAt = Date.now() + HANG_MS
    while (Date.now() < giveUpAt) {
      this.type(key)
      const againAt = Date.now() + AGAIN_MS
      while (Date.now() < againAt) {
        await this.parsing
        if (this.isWhole && holds()) return
        await this.change(againAt - Date.now())
      }
    }
    throw new Error(`did not come: ${what}\n${this.text}`)
  }

  /** Waits until the dialog on screen takes keys: its choice moves, and moves back. */
  async takesAnswers(): Promise<void> {
    const chosen = (): string | undefined => chosenIn(this.text)
    await this.until(() => chosen() !== undefined, "a dialog")
    const first = chosen()
    await this.pressUntil("j", () => chosen() !== first, "another choice")
    await this.pressUntil("k", () => chosen() === first, "the first choice")
  }

  /** Waits until a file somewhere below the configuration holds a text. */
  async saves(words: string): Promise<void> {
    const giveUpAt = Date.now() + HANG_MS
    while (!holdsText(this.place.config, words)) {
      if (Date.now() > giveUpAt) throw new Error(`was not saved: ${words}`)
      await this.change(LOOK_AGAIN_MS)
    }
  }

  /** Everything that is written within a bounded time. */
  async observe(ms: number): Promise<string> {
    const from = this.raw.length
    await new Promise((resolve) => setTimeout(resolve, ms))
    return this.raw.slice(from)
  }

  kill(): void {
    if (!this.isOver) this.pty.kill("SIGKILL")
  }

  private change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, Math.max(1, ms))
      this.waiting.add(done)
    })
  }

  private wake(): void {
    for (const done of this.waiting) done()
  }
}

/** Keys as a terminal without a special keyboard protocol sends them. */
export const KEY = {
  enter: "\r",
  escape: "\u001B",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
  ctrlZ: "\u001A",
  newline: "\n",
  tab: "\t",
  backspace: "\u007F",
  up: "\u001B[A",
  left: "\u001B[D",
  right: "\u001B[C",
  home: "\u001B[H",
  end: "\u001B[F",
  pageUp: "\u001B[5~",
  f1: "\u001BOP",
  /** The window prefix from the prompt. */
  window: "\u0018\u0017",
  ctrlW: "\u0017",
  paste: (text: string): string => `\u001B[200~${text}\u001B[201~`
} as const
