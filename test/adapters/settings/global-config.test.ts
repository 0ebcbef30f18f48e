import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { layer } from "../../../src/adapters/settings/global-config.ts"
import { GlobalConfig } from "../../../src/core/ports/GlobalConfig.ts"
import { freshDirectory, putFile } from "../../support/temp-world.ts"

/** The file that is shared with other tools: only what is named changes, and nothing is ever lost. */
const open = (text?: string) => {
  const directory = freshDirectory()
  const path = join(directory, ".claude.json")
  const backups = join(directory, "home", "backups")
  if (text !== undefined) putFile(path, text)
  const config = Effect.runSync(GlobalConfig.pipe(Effect.provide(layer({ path, backups }))))
  const patch = (at: ReadonlyArray<string>, value: string | boolean | undefined) =>
    Effect.runPromise(config.patch([{ path: at, value }]))
  return { directory, path, backups, config, patch, text: () => readFileSync(path, "utf8") }
}

describe("the global config", () => {
  it("holds nothing when it is absent or empty, and is made for its owner alone", async () => {
    for (const text of [undefined, "", " \n"]) expect(Effect.runSync(open(text).config.read)).toEqual({})
    const { path, patch, config, backups } = open()
    await patch(["projects", "/w/a", "hasTrustDialogAccepted"], true)
    expect(Effect.runSync(config.read)).toEqual({ projects: { "/w/a": { hasTrustDialogAccepted: true } } })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(() => readdirSync(backups)).toThrow()
  })

  it("changes only the named field and leaves every other byte", async () => {
    const before = '{\n    "numStartups": 3,   "x": [1,\n2],\n    "projects": {"/w/a": {"history": [], "odd": 1e3}}\n}\n'
    const { patch, text } = open(before)
    await patch(["projects", "/w/a", "hasTrustDialogAccepted"], true)
    expect(text()).toBe(before.replace("1e3}", '1e3, "hasTrustDialogAccepted": true}'))
    await patch(["projects", "/w/a", "hasTrustDialogAccepted"], undefined)
    expect(text()).toBe(before)
  })

  it("keeps the five newest earlier versions", async () => {
    const { patch, backups, text } = open('{"count": "start"}')
    for (let count = 1; count <= 8; count++) await patch(["count"], `value ${count}`)
    const kept = readdirSync(backups)
    expect(kept.length).toBeLessThanOrEqual(5)
    expect(kept.map((name) => readFileSync(join(backups, name), "utf8"))).toContain('{"count": "value 7"}')
    await patch(["count"], "value 8")
    expect(readdirSync(backups)).toEqual(kept)
    expect(text()).toBe('{"count": "value 8"}')
  })

  it("is left alone when it is broken: the place is told and a copy kept, once", async () => {
    const { config, patch, backups, path, text } = open('{\n  "projects": {,}\n}')
    utimesSync(path, 1_000, 1_000)
    for (let attempt = 0; attempt < 3; attempt++) {
      const message = Effect.runSync(Effect.flip(config.read)).message
      expect(message).toMatch(/\.claude\.json:2:16\) — .*Fix: .*corrupted\.\d+/)
      await expect(patch(["a"], "b")).rejects.toThrow(/:2:16/)
    }
    expect(readdirSync(backups).filter((name) => name.includes(".corrupted."))).toHaveLength(1)
    expect(text()).toBe('{\n  "projects": {,}\n}')
    expect(Effect.runSync(Effect.flip(open("[]").config.read)).message).toContain("no JSON object")
  })

  it("stays a link where it is one", async () => {
    const { directory, path, patch, text } = open()
    putFile(join(directory, "dotfiles/claude.json"), "{}")
    symlinkSync(join(directory, "dotfiles/claude.json"), path)
    await patch(["a"], "b")
    expect(readFileSync(join(directory, "dotfiles/claude.json"), "utf8")).toContain('"a": "b"')
    expect(text()).toContain('"a": "b"')
  })

  it("loses no field when several write at once", async () => {
    const { patch, config } = open('{"kept": true}')
    await Promise.all(Array.from({ length: 8 }, (_, index) => patch([`field${index}`], "x")))
    expect(Object.keys(Effect.runSync(config.read))).toHaveLength(9)
  })

  it("says why it cannot be read", () => {
    const { path, config } = open()
    mkdirSync(path)
    expect(Effect.runSync(Effect.flip(config.read)).message).toMatch(/cannot be read/)
  })

  it("holds any names that a folder may have", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (name) => {
        const { patch, config } = open('{"projects": {"other": {}}}')
        await patch(["projects", name, "hasTrustDialogAccepted"], true)
        expect(Object.entries(Effect.runSync(config.read)["projects"] as object)).toContainEqual([
          name,
          { hasTrustDialogAccepted: true }
        ])
      }),
      { numRuns: 30, examples: [["__proto__"], [""], ["a.b"]] }
    )
  })
})
