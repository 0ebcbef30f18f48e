import { chmodSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { primaryPrograms, readPrimary } from "../../../../../src/shell/interactive/commands/desktop/primary-selection.ts"

const filesOf = (env: Record<string, string>, platform: NodeJS.Platform = "linux"): ReadonlyArray<string> =>
  primaryPrograms(env, platform).map(([file]) => file)

describe("what was selected last on the desktop", () => {
  it("is asked for where the desktop is, and nowhere else", () => {
    expect(filesOf({ DISPLAY: ":0" })).toEqual(["xclip", "xsel"])
    expect(filesOf({ DISPLAY: ":0", WAYLAND_DISPLAY: "wayland-0" })).toEqual(["wl-paste", "xclip", "xsel"])
    expect(filesOf({ DISPLAY: ":0", SSH_TTY: "/dev/pts/1" })).toEqual([])
    expect(filesOf({}, "darwin")).toEqual(["pbpaste"])
    expect(filesOf({})).toEqual([])
  })

  it("comes from the first program that knows it", async () => {
    const bin = mkdtempSync(join(tmpdir(), "nacre-primary-"))
    const program = (name: string, script: string): void => {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
      chmodSync(join(bin, name), 0o755)
    }
    program("xclip", "exit 1")
    program("xsel", "printf 'chosen\\ntext'")
    expect(await readPrimary({ PATH: bin, DISPLAY: ":0" }, "linux")).toBe("chosen\ntext")
    expect(await readPrimary({ PATH: bin }, "linux")).toBeUndefined()
  })
})
