import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { settingOf } from "../../../src/core/settings/snapshot.ts"
import { CLOSED_GATE, OPEN_GATE } from "../../../src/core/settings/trust/gate.ts"
import { SettingsHub } from "../../../src/shell/settings/settings-hub.ts"
import type { SettingsRequest } from "../../../src/shell/settings/load-settings.ts"
import { settingsDisk, type SettingsDisk } from "../../adapters/settings/settings-disk.ts"
import { putFile } from "../../support/temp-world.ts"

const hubOf = (disk: SettingsDisk, more: Partial<SettingsRequest> = {}, isTrusted = true): SettingsHub =>
  new SettingsHub(
    disk.settings,
    { home: disk.home, configHome: disk.configHome, startDir: disk.startDir, env: {}, ...more },
    () => (isTrusted ? OPEN_GATE : CLOSED_GATE)
  )

const project = ({ startDir }: SettingsDisk): string => join(startDir, ".claude", "settings.json")
const managed = ({ managed }: SettingsDisk): string => join(managed, "managed-settings.json")

const model = (hub: SettingsHub) => settingOf(hub.current().snapshot, "model")

/** User, project, local, flag and policy, each with its own model. */
const full = (): SettingsDisk => {
  const disk = settingsDisk()
  putFile(disk.user.path, '{"model": "user"}')
  putFile(project(disk), '{"model": "project"}')
  putFile(disk.local.path, '{"model": "local"}')
  putFile(managed(disk), '{"model": "policy"}')
  return disk
}

describe("the order of sources", () => {
  it("is user, project, local, flag, policy", () => {
    const disk = full()
    const chain = () => {
      const { snapshot } = hubOf(disk, { flag: '{"model": "flag"}' }).current()
      return snapshot.layers.map(({ tree }) => tree.members.get("model")).map((tree) => tree?.kind === "value" && tree.value)
    }
    expect(chain()).toEqual(["user", "project", "local", "flag", "policy"])
    expect(model(hubOf(disk))).toBe("policy")
  })

  it("can be narrowed, but never to be without policy and flag", () => {
    const disk = full()
    putFile(managed(disk), "{}")
    expect(model(hubOf(disk, { sources: [] }))).toBeUndefined()
    expect(model(hubOf(disk, { sources: ["project"] }))).toBe("project")
    expect(model(hubOf(disk, { sources: [], flag: '{"model": "flag"}' }))).toBe("flag")
    putFile(managed(disk), '{"model": "policy"}')
    expect(model(hubOf(disk, { sources: [] }))).toBe("policy")
  })

  it("reads a file once, although two sources lead to it", () => {
    const disk = settingsDisk()
    putFile(disk.user.path, '{"permissions": {"defaultMode": "bypassPermissions"}, "model": 3}')
    const hub = hubOf(disk, { startDir: disk.home })
    expect(hub.current().snapshot.layers.map(({ source }) => source)).toEqual(["userSettings"])
    expect(hub.current().problems).toHaveLength(1)
    expect(hub.current().permissions.offersBypass).toBe(true)
  })

  it("keeps a managed file managed, although a flag or the user's own settings lead to it", () => {
    const disk = settingsDisk()
    const rules = '{"permissions": {"disableBypassPermissionsMode": "disable"}, "allowManagedPermissionRulesOnly": true}'
    putFile(managed(disk), rules)
    const sourcesOf = (hub: SettingsHub) => hub.current().snapshot.layers.map(({ source }) => source)
    expect(sourcesOf(hubOf(disk, { flag: managed(disk) }))).toEqual(["policySettings"])
    expect(sourcesOf(hubOf(disk, { flag: managed(disk), managed: managed(disk) }))).toEqual(["policySettings"])
    symlinkSync(managed(disk), disk.user.path)
    const hub = hubOf(disk)
    expect(sourcesOf(hub)).toEqual(["policySettings"])
    expect(settingOf(hub.current().snapshot, "allowManagedPermissionRulesOnly")).toBe(true)
    expect(hub.current().problems).toEqual([])
  })

  it("finds a file that a flag names, although another source leads to it too", () => {
    const disk = settingsDisk()
    putFile(disk.user.path, '{"model": "user"}')
    expect(hubOf(disk, { flag: disk.user.path }).current().problems).toEqual([])
  })

  it("takes rules of a managed file that anybody could write only where they tighten", () => {
    const disk = settingsDisk()
    putFile(managed(disk), '{"permissions": {"deny": ["Read"], "allow": ["Bash"]}}')
    chmodSync(managed(disk), 0o666)
    const { permissions, complaints } = hubOf(disk).current()
    expect(permissions.rules.map(({ behavior }) => behavior)).toEqual(["deny"])
    expect(complaints).toEqual([expect.stringContaining("can be written by others")])
  })

  it("lets a host tighten the administrator's policy, not loosen it", () => {
    const disk = settingsDisk()
    const given = { managed: '{"permissions": {"deny": ["Read"], "allow": ["Bash"]}}' }
    expect(hubOf(disk, given).current().permissions.rules).toHaveLength(2)
    putFile(managed(disk), "{}")
    expect(
      hubOf(disk, given)
        .current()
        .permissions.rules.map(({ behavior }) => behavior)
    ).toEqual(["deny"])
  })
})

describe("paths in settings", () => {
  it("mean the config home, the start, or the directory of the flag's file", () => {
    const disk = settingsDisk()
    const file = (name: string) => JSON.stringify({ permissions: { additionalDirectories: [name, "~/x", "/abs"] } })
    putFile(disk.user.path, file("u"))
    putFile(project(disk), file("p"))
    putFile(join(disk.root, "else", "flag.json"), file("f"))
    const made = [join(disk.configHome, "u"), join(disk.startDir, "p"), join(disk.root, "else", "f"), join(disk.home, "x")]
    for (const directory of made) mkdirSync(directory, { recursive: true })
    const { directories } = hubOf(disk, { flag: "../else/flag.json" }).current().permissions
    const relative = directories.map(({ path }) => path).filter((path) => !path.endsWith("/x") && path !== "/abs")
    expect(relative).toEqual([join(disk.configHome, "u"), join(disk.startDir, "p"), join(disk.root, "else", "f")])
    expect(directories[1]?.path).toBe(join(disk.home, "x"))
    expect(hubOf(disk).current().complaints).toEqual([
      expect.stringContaining(`(${disk.user.path}:1:`),
      expect.stringContaining("/abs is not a directory and is left out")
    ])
  })
})

describe("the hub", () => {
  it("reads once, and again after a change of its own, telling once", async () => {
    const disk = settingsDisk()
    const hub = hubOf(disk)
    const told: Array<ReadonlyArray<string>> = []
    hub.listen(({ keys }) => told.push(keys))
    expect(hub.current()).toBe(hub.current())
    putFile(disk.user.path, '{"model": "unseen"}')
    expect(model(hub)).toBeUndefined()
    await hub.change("userSettings", [{ path: ["theme"], value: "dark" }])
    expect(told).toEqual([["model", "theme"]])
    await hub.change("userSettings", [{ path: ["theme"], value: "dark" }])
    hub.reload()
    expect(told).toHaveLength(1)
  })

  it("keeps the settings before a file broke, until it is fixed or gone", () => {
    const disk = settingsDisk()
    putFile(disk.user.path, '{"permissions": {"deny": ["Bash"]}}')
    const hub = hubOf(disk)
    const count = () => hub.current().permissions.rules.length
    hub.current()
    for (const broken of ['{"permissions": ', "[]", "{,"]) {
      putFile(disk.user.path, broken)
      putFile(disk.local.path, JSON.stringify({ theme: broken }))
      hub.reload(true)
      expect(count()).toBe(1)
      expect(hub.current().complaints.join("\n")).toContain("stay in force")
    }
    putFile(disk.user.path, '{"permissions": {"deny": ["Bash", "Edit"]}}')
    hub.reload(true)
    expect(count()).toBe(2)
    expect(hub.current().complaints).toEqual([])
    rmSync(disk.user.path)
    hub.reload(true)
    expect(count()).toBe(0)
  })

  it("obeys trust as soon as it is given", () => {
    const disk = settingsDisk()
    putFile(project(disk), '{"env": {"A": "1"}, "permissions": {"allow": ["Bash"], "ask": ["Edit"]}}')
    const hub = hubOf(disk, {}, false)
    expect(hub.current().permissions.rules.map(({ behavior }) => behavior)).toEqual(["ask"])
    expect(hub.current().env.own).toEqual({})
    hub.setGate(() => OPEN_GATE)
    expect(hub.current().permissions.rules).toHaveLength(2)
    expect(hub.current().env.children).toEqual({ A: "1" })
  })

  it("writes no flag and no policy", async () => {
    const hub = hubOf(full(), { flag: "{}" })
    for (const source of ["flagSettings", "policySettings"] as const) {
      expect(Result.isFailure(await hub.change(source, [{ path: ["theme"], value: "dark" }]))).toBe(true)
    }
  })

  it("hears of what happens to the files, also before it began to watch", async () => {
    const disk = settingsDisk()
    const hub = hubOf(disk)
    hub.current()
    const heard = (isSo: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const forget = hub.listen(() => {
          if (!isSo()) return
          forget()
          resolve()
        })
      })
    const first = heard(() => model(hub) === "early")
    const stop = hub.watch()
    putFile(disk.user.path, '{"model": "early"}')
    await first
    const second = heard(() => model(hub) === "late")
    mkdirSync(join(disk.startDir, ".claude"), { recursive: true })
    writeFileSync(disk.local.path, '{"model": "late"}')
    await second
    stop()
    expect(readFileSync(disk.user.path, "utf8")).toBe('{"model": "early"}')
  })
})
