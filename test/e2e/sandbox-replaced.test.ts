import fs from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { makeSandboxWorld, sandboxWorks, type SandboxWorld } from "../support/sandbox-world.ts"
import { git } from "../support/sandbox-escapes.ts"
import { putFile } from "../support/temp-world.ts"

/** Long enough that only the sandbox itself can be what ended the command. */
const NEVER_MS = 600_000

const replace = (file: string): void => {
  putFile(`${file}.new`, "theirs\n")
  fs.renameSync(`${file}.new`, file)
}

/** A file is closed by a mount on it, which the system takes away when another one is put in its place. */
const WAYS: ReadonlyArray<
  readonly [what: string, prepare: (world: SandboxWorld) => string, change: (file: string) => void]
> = [
  [
    "another file is put in the place of git's configuration",
    ({ project }) => {
      git(project, "init", "-q")
      return path.join(project, ".git/config")
    },
    replace
  ],
  [
    "a protected file is removed",
    ({ project }) => {
      putFile(path.join(project, ".mcp.json"), "{}")
      return path.join(project, ".mcp.json")
    },
    (file) => fs.rmSync(file)
  ],
  [
    "a hidden secret is renewed",
    ({ home }) => {
      putFile(path.join(home, ".netrc"), "machine a password b")
      return path.join(home, ".netrc")
    },
    replace
  ]
]

describe.skipIf(!sandboxWorks()).concurrent("a sandboxed command that runs while", () => {
  it.each(WAYS)("%s is ended, because its sandbox no longer holds", async (_, prepare, change) => {
    const world = makeSandboxWorld()
    const file = prepare(world)
    const running = world.run("echo > started; exec sleep 1000", { timeoutMs: NEVER_MS })
    await expect.poll(() => fs.existsSync(path.join(world.project, "started"))).toBe(true)
    change(file)
    expect((await running).code).not.toBe(0)
    await world.close()
  })

  it("ordinary files and protected ones are written in place goes on", async () => {
    const world = makeSandboxWorld()
    putFile(path.join(world.project, ".mcp.json"), "{}")
    const running = world.run("echo > started; while [ ! -e go ]; do sleep 0.02; done; echo done", { timeoutMs: NEVER_MS })
    await expect.poll(() => fs.existsSync(path.join(world.project, "started"))).toBe(true)
    for (let round = 0; round < 20; round++) {
      replace(path.join(world.project, "ordinary"))
      fs.writeFileSync(path.join(world.project, ".mcp.json"), `{"round": ${round}}`)
    }
    await world.run("true")
    fs.writeFileSync(path.join(world.project, "go"), "")
    expect(await running).toMatchObject({ code: 0, output: "done\n" })
    await world.close()
  })
})
