import { execFileSync } from "node:child_process"
import { createReadStream } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { builtCli, makePlace } from "../support/built-cli.ts"
import { freshDirectory } from "../support/temp-world.ts"

/** Inline mode in tmux, which breaks rows anew at every size: what is finished stands in its history once. */
const CLI = await builtCli()
const HANG_MS = 20_000

const hasTmux = ((): boolean => {
  try {
    execFileSync("tmux", ["-V"])
    return true
  } catch {
    return false
  }
})()

class Pane {
  private readonly socket = join(freshDirectory(), "tmux")
  private output = ""
  private seen = 0
  private wake: () => void = () => {}

  constructor(columns: number, rows: number, ...args: ReadonlyArray<string>) {
    const { config, cwd, home } = makePlace()
    const path = process.env["PATH"] ?? ""
    const settings = ["LANG=C.UTF-8", "TERM=screen-256color", "NACRE_OFFLINE_DELAY_MS=0"]
    const env = [`PATH=${path}`, `HOME=${home}`, `NACRE_CONFIG_DIR=${config}`, ...settings]
    const command = ["env", "-i", ...env, process.execPath, CLI, ...args].map((word) => `'${word}'`).join(" ")
    const size = ["-x", String(columns), "-y", String(rows)]
    // TMUX tells the program where it is; env -i would take it away.
    const program = `read go; ${command.replace("'env' '-i'", `env -i TMUX="$TMUX"`)}; echo "left with $?"; read go`
    this.tmux("-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, program)
    const pipe = join(freshDirectory(), "pipe")
    execFileSync("mkfifo", [pipe])
    this.tmux("pipe-pane", "-o", `cat > '${pipe}'`)
    createReadStream(pipe, { encoding: "utf8" }).on("data", (chunk) => {
      this.output += String(chunk)
      this.wake()
    })
    this.press("Enter")
  }

  press(...keys: ReadonlyArray<string>): void {
    this.tmux("send-keys", ...keys)
  }

  enter(line: string): void {
    this.tmux("send-keys", "-l", line)
    this.press("Enter")
  }

  resize(columns: number, rows: number): void {
    this.tmux("resize-window", "-x", String(columns), "-y", String(rows))
  }

  /** Waits until the program has written this, after what was waited for before. */
  async until(pattern: string): Promise<void> {
    for (;;) {
      const at = this.output.indexOf(pattern, this.seen)
      if (at !== -1) {
        this.seen = at + pattern.length
        return
      }
      await new Promise<void>((resolve, reject) => {
        const hang = setTimeout(() => reject(new Error(`${pattern} did not come:\n${this.all()}`)), HANG_MS)
        this.wake = () => {
          clearTimeout(hang)
          resolve()
        }
      })
    }
  }

  /** History and screen; rows that tmux broke are joined. */
  all(): string {
    return this.tmux("capture-pane", "-p", "-J", "-S", "-")
  }

  get written(): string {
    return this.output
  }

  close(): void {
    this.tmux("kill-server")
  }

  private tmux(...args: ReadonlyArray<string>): string {
    return execFileSync("tmux", ["-S", this.socket, ...args], { encoding: "utf8" })
  }
}

/** A dialog takes no answer in its first moment, and nothing on the screen tells when that is over. */
const beyondGuard = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 200))

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

describe.skipIf(!hasTmux)("inline mode in tmux", () => {
  let pane: Pane | undefined

  afterEach(() => {
    pane?.close()
    pane = undefined
  })

  it("keeps a conversation once in the history, over three sizes and the end", async () => {
    pane = new Pane(80, 24, "--inline")
    await pane.until("Type a message. /")
    for (const row of [0, 1, 2]) {
      pane.enter(`@say row-${row} ${"of many words ".repeat(row * 4)}`)
      await pane.until(`row-${row}`)
      await pane.until(" out")
    }
    pane.enter("run `seq -f line-%g-end 40`")
    await pane.until("Permission: Bash")
    await pane.until("╝")
    await beyondGuard()
    pane.press("y")
    await pane.until("line-20-end")
    await pane.until(" out")
    for (const [columns, rows] of [[56, 24], [110, 30], [70, 26]] as const) {
      pane.resize(columns, rows)
      await pane.until("> ")
    }
    pane.press("C-d")
    await pane.until("again")
    pane.press("C-d")
    await pane.until("left with 0")
    const all = pane.all()
    for (const row of [0, 1, 2]) expect(count(all, new RegExp(`^▌ @say row-${row}\\b`, "gm"))).toBe(1)
    // Once in the call's output, once in the answer that quotes it.
    expect(count(all, /line-1-end/g)).toBe(2)
    expect(all).not.toContain("Permission: Bash")
    expect(all).not.toContain("Type a message. /")
    expect(all.trimEnd().split("\n").at(-1)).toContain("left with 0")
    expect(pane.written).not.toContain("\u001B[?1049h")
    expect(pane.written).not.toContain("\u001B[3J")
    expect(pane.written).not.toContain("\u001B[?1000")
  })
})
