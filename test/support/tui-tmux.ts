import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { atEndOfFile } from "./end-of-file.ts"
import { builtCli, makeKnownPlace, type Place } from "./built-cli.ts"
import { freshDirectory } from "./temp-world.ts"
import { chosenIn } from "./tui-terminal.ts"

/** The built program inside tmux, with a server of its own. What the pane shows is read from tmux itself. */

const HANG_MS = 20_000
const LOOK_AGAIN_MS = 40
const AGAIN_MS = 250

export interface PaneOptions {
  readonly args?: ReadonlyArray<string>
  /** Variables besides the usual ones, as `NAME=value`. */
  readonly env?: ReadonlyArray<string>
}

export const hasTmux = ((): boolean => {
  try {
    execFileSync("tmux", ["-V"])
    return true
  } catch {
    return false
  }
})()

const open = new Set<TmuxPane>()

atEndOfFile(() => {
  for (const pane of open) pane.close()
  open.clear()
})

export class TmuxPane {
  readonly place: Place = makeKnownPlace()
  private readonly socket = join(freshDirectory(), "tmux")

  private readonly record = join(freshDirectory(), "written")

  private constructor(cli: string, columns: number, rows: number, { args = [], env = [] }: PaneOptions) {
    const { config, cwd, home } = this.place
    const own = [`PATH=${process.env["PATH"] ?? ""}`, `HOME=${home}`, `NACRE_CONFIG_DIR=${config}`, "LANG=C.UTF-8"]
    // The variables that tmux sets are what tells the program where it is.
    const variables = [...own, 'TMUX="$TMUX"', 'TERM="$TERM"', ...env]
    const command = ["env", "-i", ...variables, process.execPath, cli, ...args].join(" ")
    const size = ["-x", String(columns), "-y", String(rows)]
    // It begins when everything that it writes is recorded.
    const program = `read go; ${command}; echo "over: $?"; read end`
    this.tmux("-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, program)
    // What tmux can pass on, it does: nothing has to be said about it.
    this.tmux("set", "-g", "mouse", "on")
    this.tmux("set", "-g", "allow-passthrough", "on")
    this.tmux("pipe-pane", "-o", `cat > '${this.record}'`)
    open.add(this)
    this.press("Enter")
  }

  static async start(columns: number, rows: number, options: PaneOptions = {}): Promise<TmuxPane> {
    return new TmuxPane(await builtCli(), columns, rows, options)
  }

  static async ready(columns: number, rows: number, options: PaneOptions = {}): Promise<TmuxPane> {
    const pane = await TmuxPane.start(columns, rows, options)
    await pane.shows("Type a message")
    return pane
  }

  /** A line and Enter. */
  enter(line: string): void {
    this.type(line)
    this.press("Enter")
  }

  /** Keys by their names in tmux. */
  press(...keys: ReadonlyArray<string>): void {
    this.tmux("send-keys", ...keys)
  }

  type(text: string): void {
    this.tmux("send-keys", "-l", text)
  }

  resize(columns: number, rows: number): void {
    this.tmux("resize-window", "-x", String(columns), "-y", String(rows))
  }

  rows(): ReadonlyArray<string> {
    return this.tmux("capture-pane", "-p")
      .replace(/\n$/, "")
      .split("\n")
      .map((row) => row.trimEnd())
  }

  /** History and screen; rows that tmux broke are joined. */
  all(): string {
    return this.tmux("capture-pane", "-p", "-J", "-S", "-")
  }

  /** Every byte that the program wrote. */
  get written(): string {
    return readFileSync(this.record, "utf8")
  }

  /** What tmux holds in its own buffer, if anything. */
  buffer(): string {
    try {
      return this.tmux("show-buffer")
    } catch {
      return ""
    }
  }

  get usesAlternateScreen(): boolean {
    return this.tmux("display-message", "-p", "#{alternate_on}").trim() === "1"
  }

  async shows(wanted: string | RegExp): Promise<void> {
    const fits = (screen: string): boolean => (typeof wanted === "string" ? screen.includes(wanted) : wanted.test(screen))
    await this.until(fits, String(wanted))
  }

  async hides(text: string): Promise<void> {
    await this.until((screen) => !screen.includes(text), `no ${text}`)
  }

  /** Waits until the dialog on screen takes keys: its choice moves, and moves back. */
  async takesAnswers(): Promise<void> {
    const first = chosenIn(this.screen())
    await this.pressUntil("j", (screen) => chosenIn(screen) !== first)
    await this.pressUntil("k", (screen) => chosenIn(screen) === first)
  }

  /** In its first moment a dialog takes no key, so it is pressed again. */
  private async pressUntil(key: string, holds: (screen: string) => boolean): Promise<void> {
    const giveUpAt = Date.now() + HANG_MS
    while (Date.now() < giveUpAt) {
      this.press(key)
      const againAt = Date.now() + AGAIN_MS
      while (Date.now() < againAt) {
        if (holds(this.screen())) return
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
      }
    }
    throw new Error(`${key} did nothing:\n${this.screen()}`)
  }

  /** tmux does not tell when its screen changes, so it is looked at again and again. */
  async until(holds: (screen: string) => boolean, what: string): Promise<void> {
    const giveUpAt = Date.now() + HANG_MS
    for (let screen = this.screen(); !holds(screen); screen = this.screen()) {
      if (Date.now() > giveUpAt) throw new Error(`did not come: ${what}\n${screen}`)
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
    }
  }

  private screen(): string {
    return this.rows().join("\n")
  }

  close(): void {
    this.tmux("kill-server")
  }

  private tmux(...args: ReadonlyArray<string>): string {
    return execFileSync("tmux", ["-S", this.socket, ...args], { encoding: "utf8" })
  }
}
