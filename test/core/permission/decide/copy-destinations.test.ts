import { describe, expect, it } from "vitest"
import type { Verdict } from "../../../../src/core/permission/verdict.ts"
import type { World } from "../../../support/plain-facts.ts"
import { decideIn, shell, type Setting } from "../fixture.ts"

/** What is put into a directory is written there under its own name. */
const WORLD: World = {
  directories: ["/work/sub"],
  globs: [{ glob: "/work/other/*", matches: ["/work/other/a.txt", "/work/other/.bashrc"], complete: true }],
  paths: [{ path: "/work/sub/out", realPath: "/etc/out", exists: true }]
}

const decided = (setting: Setting, command: string, world: World = WORLD): Verdict =>
  decideIn(setting, { need: shell(command), world }).verdict

describe("files put into a directory", () => {
  const NAMED = [
    "cp /x/a.txt .",
    "cp /x/a.txt ./",
    "cp /x/a.txt sub",
    "cp -t sub /x/a.txt",
    "cp --target-directory=. /x/a.txt",
    "cp /x/b /x/a.txt /work/sub",
    "mv /x/a.txt sub",
    "ln -s /x/a.txt .",
    "install /x/a.txt sub",
    "rsync /x/a.txt sub/",
    "scp h:/x/a.txt .",
    "wget -P sub https://h/a.txt",
    "curl --output-dir sub -O https://h/a.txt?q=1",
    "cp other/* sub",
    "mkdir new && cp /x/a.txt new",
    "git mv other/a.txt sub",
    "docker cp c:/x/a.txt .",
    "kubectl cp p:x/a.txt sub"
  ]
  it.each(NAMED)("%s writes a.txt there", (command) => {
    const world = { ...WORLD, directories: ["/work/sub", "/work/new"] }
    expect(decided({ mode: "bypassPermissions", deny: ["Edit(a.txt)"] }, command, world)).toBe("deny")
  })

  it.each(["cp a.txt b.txt", "cp /x/a.txt new.txt", "ln -s a.txt b", "cp a.txt /y/b"])("%s does not", (command) => {
    expect(decided({ mode: "bypassPermissions", deny: ["Edit(a.txt)"] }, command)).toBe("allow")
  })

  it.each(["cp other/.bashrc .", "cp other/.mcp.json sub", "cp -t sub other/.npmrc", "cp other/.envrc other/x sub"])(
    "%s makes a protected file",
    (command) => {
      expect(decided({ mode: "acceptEdits", allow: ["Bash"] }, command)).toBe("ask")
    }
  )

  it("a name in the directory may be a link that leads out", () => {
    expect(decided({ mode: "acceptEdits" }, "cp out sub")).toBe("ask")
    expect(decided({ mode: "acceptEdits" }, "cp in sub")).toBe("allow")
  })
})

describe("directories that are copied or moved", () => {
  const below = (path: string, more: object): World => ({
    below: [{ path, protectedPaths: [], secrets: [], watched: [], watchedAll: true, links: [], complete: true, ...more }]
  })

  it("bring protected files in them along", () => {
    const world = below("/work/d", { protectedPaths: ["/work/d/.vscode"] })
    for (const command of ["cp -r d e", "cp -a d/. .", "mv d e"]) {
      expect(decided({ mode: "acceptEdits", allow: ["Bash"] }, command, world), command).toBe("ask")
    }
    expect(decided({ mode: "acceptEdits" }, "cp -r e f", world)).toBe("allow")
  })

  it("bring links along, which another part of the text could follow", () => {
    const world = below("/work/d", { links: ["/work/d/l"] })
    for (const command of ["cp -r d e && cat e/l/x", "mv d e; touch e/l/x", "cp -a d e && cp a e/l/b"]) {
      expect(decided({ mode: "acceptEdits" }, command, world), command).toBe("ask")
      expect(decided({ allow: ["Bash(cp *)", "Bash(mv *)", "Bash(touch *)"] }, command, world), command).toBe("ask")
    }
    for (const command of ["cp -r d e", "cp -r c e && cat e/l/x"]) {
      expect(decided({ mode: "acceptEdits" }, command, world), command).toBe("allow")
    }
  })
})
