import { readdirSync, readFileSync, renameSync, truncateSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { layer } from "../../../src/adapters/settings/global-config.ts"
import { GlobalConfig } from "../../../src/core/ports/GlobalConfig.ts"
import { patchList } from "../../../src/core/domain/json/patch.ts"
import { freshDirectory, putFile } from "../../support/temp-world.ts"
import { settingsDisk } from "./settings-disk.ts"

/** Editors and other tools write the same files and know nothing of our lock. */
const THEIRS = '{"theirs": "new", "permissions": {"deny": ["Read"]}}'
const BOTH = { theirs: "new", permissions: { deny: ["Read"], allow: ["Bash(ls)"] } }

const addRule = (text: string) => patchList(text, ["permissions", "allow"], (items) => [...items, "Bash(ls)"])

/** How programs write a file, from beginning to end. */
const WAYS: ReadonlyArray<readonly [string, (path: string) => void]> = [
  [
    "replaces it",
    (path) => {
      writeFileSync(`${path}.theirs`, THEIRS)
      renameSync(`${path}.theirs`, path)
    }
  ],
  ["writes over it", (path) => writeFileSync(path, THEIRS)]
]

describe("a change of settings", () => {
  it.each(WAYS)("is made again on top of a program that %s in between", async (_way, write) => {
    const disk = settingsDisk()
    putFile(disk.user.path, '{"theirs": "old"}')
    let edits = 0
    const change = disk.settings.change(disk.user, (text) => {
      const edited = addRule(text)
      if (++edits === 1) write(disk.user.path)
      return edited
    })
    const written = await Effect.runPromise(change)
    expect(JSON.parse(readFileSync(disk.user.path, "utf8"))).toEqual(BOTH)
    expect(JSON.parse(written.after)).toEqual(BOTH)
    expect(edits).toBe(2)
    expect(readdirSync(dirname(disk.user.path))).toEqual(["settings.json"])
  })

  it.each([
    ["emptied", 0],
    ["half written", 10]
  ])("waits while a file is %s", async (_how, bytes) => {
    const disk = settingsDisk()
    putFile(disk.user.path, THEIRS)
    truncateSync(disk.user.path, bytes)
    let looks = 0
    const change = disk.settings.change(disk.user, (text) => {
      // The editor writes its text after we have looked twice.
      if (++looks === 2) writeFileSync(disk.user.path, THEIRS)
      return addRule(text)
    })
    await Effect.runPromise(change)
    expect(JSON.parse(readFileSync(disk.user.path, "utf8"))).toEqual(BOTH)
  })

  it("does not wait for a file that has been empty or broken for a while", async () => {
    const disk = settingsDisk()
    putFile(disk.user.path, "")
    utimesSync(disk.user.path, 1_000, 1_000)
    await Effect.runPromise(disk.settings.change(disk.user, addRule))
    expect(JSON.parse(readFileSync(disk.user.path, "utf8"))).toEqual({ permissions: { allow: ["Bash(ls)"] } })
    putFile(disk.user.path, '{"theirs": ')
    utimesSync(disk.user.path, 1_000, 1_000)
    expect(Result.isFailure(await Effect.runPromise(Effect.result(disk.settings.change(disk.user, addRule))))).toBe(true)
    expect(readFileSync(disk.user.path, "utf8")).toBe('{"theirs": ')
  })
})

describe("the global config", () => {
  const open = () => {
    const directory = freshDirectory()
    const path = join(directory, ".claude.json")
    const options = { path, backups: join(directory, "backups") }
    return { path, config: Effect.runSync(GlobalConfig.pipe(Effect.provide(layer(options)))) }
  }

  it("is waited for while another program writes it, by readers and by writers", async () => {
    const { path, config } = open()
    putFile(path, THEIRS.slice(0, 10))
    const reading = Effect.runPromise(config.read)
    writeFileSync(path, THEIRS)
    expect(await reading).toEqual(JSON.parse(THEIRS))
    truncateSync(path, 0)
    const patching = Effect.runPromise(config.patch([{ path: ["ours"], value: true }]))
    writeFileSync(path, THEIRS)
    await patching
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ ...JSON.parse(THEIRS), ours: true })
  })
})
