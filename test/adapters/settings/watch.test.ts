import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { describe, expect, it } from "vitest"
import { patchText } from "../../../src/core/domain/json/patch.ts"
import { putFile } from "../../support/temp-world.ts"
import { settingsDisk, type SettingsDisk } from "./settings-disk.ts"

interface Watched {
  readonly disk: SettingsDisk
  readonly told: ReadonlyArray<ReadonlyArray<string>>
  /** Resolves when that many notifications came. */
  readonly count: (wanted: number) => Promise<void>
  /** A change of a file beside those of the test; when it is told, everything before it was looked at. */
  readonly flush: () => Promise<void>
}

const watching = async (disk: SettingsDisk, use: (watched: Watched) => Promise<void>): Promise<void> => {
  const told: Array<ReadonlyArray<string>> = []
  const waiting = new Set<() => void>()
  const beacon = join(disk.configHome, "beacon.json")
  let beacons = 0
  const scope = Effect.runSync(Scope.make())
  const paths = [disk.user.path, disk.local.path, `${join(disk.managed, "managed-settings.d")}/`, beacon]
  const start = disk.settings.watch(paths, (changed) => {
    const others = changed.filter((path) => path !== beacon)
    if (changed.includes(beacon)) beacons += 1
    if (others.length > 0) told.push(others)
    for (const listener of waiting) listener()
  })
  Effect.runSync(Scope.provide(start, scope))
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const listener = (): void => {
        if (!isSo()) return
        waiting.delete(listener)
        resolve()
      }
      waiting.add(listener)
      listener()
    })
  try {
    await use({
      disk,
      told,
      count: (wanted) => until(() => told.length >= wanted),
      flush: () => {
        const wanted = beacons + 1
        writeFileSync(beacon, JSON.stringify({ wanted }))
        return until(() => beacons >= wanted)
      }
    })
  } finally {
    Effect.runSync(Scope.close(scope, Exit.void))
  }
}

const change = ({ settings, user }: SettingsDisk, value: string) =>
  Effect.runPromise(settings.change(user, (text) => patchText(text, [{ path: ["theme"], value }])))

describe("watching settings", () => {
  it("takes a file where a directory should be for nothing at all", () => {
    const disk = settingsDisk()
    const file = join(disk.configHome, "occupied")
    putFile(file, "not a directory")
    const watch = disk.settings.watch([join(file, "settings.json")], () => {})
    expect(Exit.isSuccess(Effect.runSyncExit(Effect.scoped(watch)))).toBe(true)
  })

  it("sees what happens to the file that a link leads to, and to the link", () => {
    const disk = settingsDisk()
    const [first, second] = ["one.json", "two.json"].map((name) => join(disk.root, "dotfiles", name))
    if (first === undefined || second === undefined) return expect.fail()
    for (const file of [first, second]) putFile(file, JSON.stringify({ theme: file }))
    mkdirSync(dirname(disk.user.path), { recursive: true })
    symlinkSync(first, disk.user.path)
    return watching(disk, async ({ told, count, flush }) => {
      writeFileSync(first, '{"theme": "light"}')
      await count(1)
      putFile(`${first}.new`, '{"theme": "dark"}')
      renameSync(`${first}.new`, first)
      await count(2)
      rmSync(disk.user.path)
      symlinkSync(second, disk.user.path)
      await count(3)
      writeFileSync(second, "{}")
      await count(4)
      await change(disk, "own")
      await flush()
      expect(new Set(told.flat())).toEqual(new Set([disk.user.path]))
    })
  })

  it("is silent about our own writes, and tells an external change once", () =>
    watching(settingsDisk(), async ({ disk, told, count, flush }) => {
      await change(disk, "dark")
      await flush()
      expect(told).toEqual([])
      writeFileSync(disk.user.path, '{"theme": "light"}')
      await count(1)
      await flush()
      expect(told).toEqual([[disk.user.path]])
      await change(disk, "dark")
      writeFileSync(disk.user.path, '{"theme": "light"}')
      await count(2)
      await flush()
      expect(told).toHaveLength(2)
    }))

  it("takes many small writes as one change", () =>
    watching(settingsDisk(), async ({ disk, told, count, flush }) => {
      writeFileSync(disk.user.path, "{")
      for (let index = 0; index < 20; index++) appendFileSync(disk.user.path, `"k${index}": 1,`)
      appendFileSync(disk.user.path, '"end": 1}')
      await count(1)
      await flush()
      expect(told).toEqual([[disk.user.path]])
    }))

  it("sees a file that appears in a directory that appears, is replaced, and goes", () =>
    watching(settingsDisk(), async ({ disk, told, count, flush }) => {
      mkdirSync(dirname(disk.local.path))
      await flush()
      expect(told).toEqual([])
      writeFileSync(disk.local.path, "{}")
      await count(1)
      putFile(join(disk.root, "next.json"), '{"a": 1}')
      renameSync(join(disk.root, "next.json"), disk.local.path)
      await count(2)
      rmSync(dirname(disk.local.path), { recursive: true })
      await count(3)
      await flush()
      expect(told).toEqual([[disk.local.path], [disk.local.path], [disk.local.path]])
    }))

  it("sees managed drop-ins that appear", () =>
    watching(settingsDisk(), async ({ disk, told, count, flush }) => {
      putFile(join(disk.managed, "managed-settings.d", "a.json"), "{}")
      await count(1)
      await flush()
      expect(told).toHaveLength(1)
    }))

  it("does not swallow an external change that our own write came upon", () =>
    watching(settingsDisk(), async ({ disk, told, count, flush }) => {
      await change(disk, "dark")
      writeFileSync(disk.user.path, '{"theme": "dark", "model": "other"}')
      await change(disk, "light")
      await count(1)
      await flush()
      expect(told).toEqual([[disk.user.path]])
    }))
})
