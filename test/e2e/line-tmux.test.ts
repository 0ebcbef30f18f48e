import { execFileSync } from "node:child_process"
import { createReadStream } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { builtCli, makePlace, type Place } from "../support/built-cli.ts"
import { freshDirectory } from "../support/temp-world.ts"

/** The session in lines inside tmux, at the sizes people use. What the pane shows is read from tmux itself. */
const CLI = await builtCli()
const HANG_MS = 15_000

const hasTmux = ((): boolean => {
  try {
    execFileSync("tmux", ["-V"])
    return true
  } catch {
    return false
  }
})()

class Pane {
  readonly place: Place = makePlace()
  private readonly socket = join(freshDirectory(), "tmux")
  private output = ""
  private seen = 0
  private wake: () => void = () => {}

  /** The program waits for Enter until its output is being read, so that no pattern is missed. */
  constructor(columns: number, rows: number) {
    const { config, cwd, home } = this.place
    const path = process.env["PATH"] ?? ""
    const env = [`PATH=${path}`, `HOME=${home}`, `NACRE_CONFIG_DIR=${config}`, "LANG=C.UTF-8", "TERM=screen", "CLAUDE_AX_SCREEN_READER=1", "CLAUDE_AX_STARTUP_QUIET_MS=0"]
    const command = ["env", "-i", ...env, process.execPath, CLI].map((word) => `'${word}'`).join(" ")
    const program = `read go; exec ${command}`
    this.tmux("-f", "/dev/null", "new-session", "-d", "-x", String(columns), "-y", String(rows), "-c", cwd, program)
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

  async until(pattern: string): Promise<void> {
    for (;;) {
      const at = this.output.indexOf(pattern, this.seen)
      if (at !== -1) {
        this.seen = at + pattern.length
        return
      }
      await new Promise<void>((resolve, reject) => {
        const giveUp = (): void => reject(new Error(`${pattern} did not come:\n${this.shown().join("\n")}`))
        const hang = setTimeout(giveUp, HANG_MS)
        this.wake = () => {
          clearTimeout(hang)
          resolve()
        }
      })
    }
  }

  shown(): ReadonlyArray<string> {
    return this.tmux("capture-pane", "-p").replace(/\n+$/, "").split("\n").map((row) => row.trimEnd())
  }

  close(): void {
    this.tmux("kill-server")
  }

  private tmux(...args: ReadonlyArray<string>): string {
    return execFileSync("tmux", ["-S", this.socket, ...args], { encoding: "utf8" })
  }
}

describe.skipIf(!hasTmux)("in tmux", () => {
  let pane: Pane | undefined

  afterEach(() => {
    pane?.close()
    pane = undefined
  })

  for (const [columns, rows] of [[120, 40], [80, 24], [40, 12]] as const) {
    it(`at ${columns}x${rows} rows break between words and the prompt is the last row`, async () => {
      pane = new Pane(columns, rows)
      await pane.until("you: ")
      pane.enter(`@say ${"The quick brown fox jumps over the lazy dog. ".repeat(4)}Good night.`)
      await pane.until("Good night.")
      await pane.until("Good night.")
      await pane.until("you: ")
      pane.enter("run `echo made > made.txt`")
      await pane.until("answer: ")
      const asked = pane.shown()
      expect(asked.at(-1)).toBe("answer:")
      expect(asked).toContain("1. Yes")
      expect(asked).toContain("  echo made > made.txt")
      expect(asked.every((row) => row.length <= columns)).toBe(true)
      pane.enter("1")
      await pane.until("tool: Bash")
      await pane.until("you: ")
      const finished = pane.shown()
      expect(finished.at(-1)).toBe("you:")
    })
  }
})
