import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { afterAll } from "vitest"
import { builtCli, makePlace, type Place } from "./built-cli.ts"
import { freshDirectory } from "./temp-world.ts"

/** The built program inside tmux, with a server of its own. What the pane shows is read from tmux itself. */

const HANG_MS = 20_000
const LOOK_AGAIN_MS = 40

export const hasTmux = ((): boolean => {
  try {
    execFileSync("tmux", ["-V"])
    return true
  } catch {
    return false
  }
})()

const open = new Set<TmuxPane>()

afterAll(() => {
  for (const pane of open) pane.close()
  open.clear()
})

export class TmuxPane {
  readonly place: Place = makePlace()
  private readonly socket = join(freshDirectory(), "tmux")

  private constructor(cli: string, columns: number, rows: number) {
    const { config, cwd, home } = this.place
    const env = [`PATH=${process.env["PATH"] ?? ""}`, `HOME=${home}`, `NACRE_CONFIG_DIR=${config}`, "LANG=C.UTF-8"]
    // The variables that tmux sets are what tells the program where it is.
    const command = ["env", "-i", ...env, 'TMUX="$TMUX"', 'TERM="$TERM"', process.execPath, cli].join(" ")
    const size = ["-x", String(columns), "-y", String(rows)]
    this.tmux("-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, `${command}; echo over; read end`)
    open.add(this)
  }

  static async ready(columns: number, rows: number): Promise<TmuxPane> {
    const pane = new TmuxPane(await builtCli(), columns, rows)
    await pane.shows("Type a message")
    return pane
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
    return this.tmux("capture-pane", "-p").replace(/\n$/, "").split("\n").map((row) => row.trimEnd())
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
