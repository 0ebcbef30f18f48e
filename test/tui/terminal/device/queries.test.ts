import { describe, expect, it } from "vitest"
import type { Env } from "../../../../src/core/domain/env.ts"
import { detectCapabilities, escapeDelayMs } from "../../../../src/tui/terminal/device/detect.ts"
import { queriesFor } from "../../../../src/tui/terminal/device/queries.ts"

const asked = (env: Env): string => queriesFor(env, detectCapabilities(env))
const depth = (env: Env): string => detectCapabilities(env).colourDepth

const COLOURS = "\u001BP+q5463;524742\u001B\\"

describe("questions to the terminal", () => {
  it("end with the one that every terminal answers", () => {
    const questions = asked({ TERM: "xterm-256color" })
    expect(questions).toContain("\u001B[?2026$p")
    expect(questions).toContain("\u001B[?u")
    expect(questions).toMatch(/\u001B\[c$/)
  })

  it.each(["linux", "vt100", "vt220", "dumb", "ansi", "cons25"])("are not put to %j, which would print them", (TERM) => {
    expect(asked({ TERM })).toBe("")
  })

  it("ask for colours where nobody said how many there are", () => {
    expect(asked({ TERM: "xterm-256color" })).toContain(COLOURS)
    for (const env of [
      { COLORTERM: "truecolor" },
      { NO_COLOR: "1" },
      { FORCE_COLOR: "1" },
      { TMUX: "/tmp/x,1,0" },
      { STY: "1.x" },
      { TERM_PROGRAM: "Apple_Terminal" }
    ]) {
      expect(asked({ TERM: "xterm-256color", ...env })).not.toContain("P+q")
    }
  })
})

describe("what the environment says", () => {
  it("knows the xterm that draws all of them", () => {
    expect(depth({ TERM: "xterm", XTERM_VERSION: "XTerm(379)" })).toBe("24bit")
    expect(depth({ TERM: "xterm", XTERM_VERSION: "XTerm(330)" })).toBe("16")
    expect(depth({ TERM: "xterm", XTERM_VERSION: "XTerm(379)", TMUX: "/tmp/x,1,0" })).toBe("256")
  })

  it("waits longer for what follows Escape where bytes travel", () => {
    expect(escapeDelayMs({})).toBe(25)
    for (const name of ["SSH_TTY", "SSH_CONNECTION", "TMUX", "STY", "ZELLIJ"])
      expect(escapeDelayMs({ [name]: "1" })).toBe(75)
  })

  it("knows that screen strikes nothing out", () => {
    expect(detectCapabilities({ TERM: "screen-256color", STY: "1.x" }).strike).toBe(false)
    expect(detectCapabilities({ TERM: "screen-256color", TMUX: "/tmp/x,1,0" }).strike).toBe(true)
  })
})
