import { describe, expect, it } from "vitest"
import { sourceFiles } from "./source-files.ts"

/** The directions of import of docs/ARCHITECTURE.md, and the purity of the core. */

const roomOf = (path: string): string => path.split("/").slice(0, 2).join("/")

/** The libraries that the interface may use, each in one room only; all but the terminal's are pure. */
const TUI_LIBRARIES: ReadonlyArray<readonly [room: string, library: RegExp]> = [
  ["src/tui/", /^effect$/],
  ["src/tui/terminal/device/", /^(?:blessed(?:\/.*)?|node:.*)$/],
  ["src/tui/text/", /^(?:marked|diff)$/],
  ["src/tui/screen/cell/", /^get-east-asian-width$/]
]

/** No adapter of a port, but what several of them and the shell ask the operating system in the same words. */
const SYSTEM = "src/adapters/system/"

/** They stand side by side on top of the shell: what two of them need lies below them. */
const FRONT_ENDS = ["src/shell/print/", "src/shell/line/", "src/shell/interactive/"]

/** Of effect, what decides and reads without doing anything. */
const PURE_LIBRARIES: ReadonlySet<string> = new Set(["effect", "effect/encoding/Yaml"])

/** Returns a complaint when the import goes the wrong way. */
const complaint = (from: string, target: string): string | undefined => {
  const room = roomOf(from)
  const to = target.startsWith("src/") ? roomOf(target) : undefined
  if (room === "src/core") {
    return to === "src/core" || PURE_LIBRARIES.has(target) ? undefined : "core imports only core and effect"
  }
  if (room === "src/tui") {
    if (to === undefined) {
      return TUI_LIBRARIES.some(([home, library]) => from.startsWith(home) && library.test(target))
        ? undefined
        : "this room of the tui may not use that library"
    }
    return to === "src/core" || to === "src/tui" ? undefined : "tui imports only core and tui"
  }
  if (room === "src/adapters") {
    if (to === undefined || to === "src/core") return undefined
    const own = from.split("/").slice(0, 3).join("/")
    return target.startsWith(`${own}/`) || target.startsWith(SYSTEM)
      ? undefined
      : "an adapter imports only core, its own folder and system"
  }
  const front = FRONT_ENDS.find((folder) => target.startsWith(folder))
  if (front !== undefined && !from.startsWith(front) && from !== "src/shell/run.ts") {
    return "only shell/run imports front ends"
  }
  if (from.startsWith("src/shell/commands/") && target.startsWith("src/shell/session/")) {
    return "a command of the command line opens no session"
  }
  if (room === "src/shell" && to === "src/adapters" && !from.startsWith("src/shell/layers/") && !target.startsWith(SYSTEM)) {
    return "only shell/layers imports adapters"
  }
  return room === "src/shell" && to === "src/main.ts" ? "shell does not import main" : undefined
}

const BANNED_IN_CORE: ReadonlyArray<readonly [RegExp, string]> = [
  [/["']node:/, "a Node module"],
  [/\bprocess\s*\./, "process"],
  [/\bconsole\s*\./, "console"],
  [/\bfetch\s*\(/, "fetch"],
  [/\bDate\b/, "a clock"],
  [/\bperformance\s*\./, "a clock"],
  [/\bMath\.random\b/, "randomness"],
  [/\bcrypto\b/, "randomness"],
  [/\b(?:setTimeout|setInterval|setImmediate|queueMicrotask)\b/, "a timer"],
  // A field of that name, which handlers of hooks have, is none.
  [/(?<!\.)\basync\b(?!:)|\bawait\b|\bPromise\b/, "a promise"],
  [/\bEffect\.(?:run\w+|gen|promise|tryPromise|sync|callback)\b/, "the Effect runtime"]
]

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/(^|\s)\/\/.*$/gm, "")

describe("architecture", () => {
  it("imports go in the allowed directions only", () => {
    const wrong = sourceFiles.flatMap(({ path, imports }) =>
      imports.flatMap(({ target }) => {
        const reason = complaint(path, target)
        return reason === undefined ? [] : [`${path} imports ${target}: ${reason}`]
      })
    )
    expect(wrong).toEqual([])
  })

  it("recognises a wrong direction", () => {
    expect(complaint("src/core/loop/step.ts", "node:fs")).toBeDefined()
    expect(complaint("src/core/loop/step.ts", "src/shell/runtime/driver.ts")).toBeDefined()
    expect(complaint("src/tui/line.ts", "src/shell/runtime/driver.ts")).toBeDefined()
    expect(complaint("src/tui/app/view/view.ts", "blessed")).toBeDefined()
    expect(complaint("src/tui/app/view/view.ts", "node:fs")).toBeDefined()
    expect(complaint("src/tui/terminal/device/driver.ts", "blessed/lib/program.js")).toBeUndefined()
    expect(complaint("src/adapters/files/node.ts", "src/adapters/web/node.ts")).toBeDefined()
    expect(complaint("src/shell/run.ts", "src/adapters/files/node.ts")).toBeDefined()
    expect(complaint("src/shell/layers/ports.ts", "src/adapters/files/node.ts")).toBeUndefined()
    expect(complaint("src/shell/line/run-line.ts", "src/shell/print/run-print.ts")).toBeDefined()
    expect(complaint("src/shell/run.ts", "src/shell/print/run-print.ts")).toBeUndefined()
    expect(complaint("src/shell/commands/replay.ts", "src/shell/session/open-session.ts")).toBeDefined()
    expect(complaint("src/shell/run.ts", "src/adapters/system/process-alive.ts")).toBeUndefined()
    expect(complaint("src/adapters/system/process-alive.ts", "src/adapters/files/node.ts")).toBeDefined()
  })

  it("the core touches no clock, no I/O and no randomness", () => {
    const wrong = sourceFiles
      .filter((source) => source.path.startsWith("src/core/") && !source.path.startsWith("src/core/ports/"))
      .flatMap((source) => {
        const code = withoutComments(source.text)
        return BANNED_IN_CORE.filter(([pattern]) => pattern.test(code)).map(([, what]) => `${source.path} uses ${what}`)
      })
    expect(wrong).toEqual([])
  })

  it("the interface is pure outside of its terminal corner", () => {
    const wrong = sourceFiles
      .filter(({ path }) => path.startsWith("src/tui/") && !path.startsWith("src/tui/terminal/device/"))
      // Lists of words of programming languages, some of which are banned here.
      .filter(({ path }) => !path.startsWith("src/tui/text/code/"))
      .flatMap((source) => {
        const code = withoutComments(source.text)
        return BANNED_IN_CORE.filter(([pattern]) => pattern.test(code)).map(([, what]) => `${source.path} uses ${what}`)
      })
    expect(wrong).toEqual([])
  })

  it("recognises an impure core file", () => {
    for (const text of [
      "const now = Date.now()",
      "Math.random()",
      "import fs from 'node:fs'",
      "await x",
      "console.log(1)"
    ]) {
      expect(BANNED_IN_CORE.some(([pattern]) => pattern.test(withoutComments(text)))).toBe(true)
    }
  })
})
