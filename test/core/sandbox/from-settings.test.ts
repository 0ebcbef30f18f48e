import { describe, expect, it } from "vitest"
import { sandboxSettingsOf } from "../../../src/core/sandbox/from-settings.ts"
import { SANDBOX_OFF } from "../../../src/core/sandbox/settings.ts"
import { CLOSED_GATE } from "../../../src/core/settings/trust/gate.ts"
import { limitLayer } from "../../../src/core/settings/limit-layer.ts"
import type { SettingsSource } from "../../../src/core/domain/settings-source.ts"
import { readLayer } from "../../../src/core/settings/read-layer.ts"
import { makeSnapshot, NO_SETTINGS } from "../../../src/core/settings/snapshot.ts"

const PLACES = { home: "/home/me", configHome: "/home/me/.claude", startDir: "/work/app" }

const snapshotOf = (files: Partial<Record<SettingsSource, object>>) =>
  makeSnapshot(
    Object.entries(files).map(([source, content]) => {
      const file = { source: source as SettingsSource, file: `/${source}.json`, text: JSON.stringify(content) }
      return limitLayer(readLayer(file), { gate: CLOSED_GATE, secure: true })
    })
  )

describe("sandbox settings", () => {
  it("are off when no file says anything", () => {
    expect(sandboxSettingsOf(NO_SETTINGS, PLACES)).toEqual(SANDBOX_OFF)
  })

  it("mean the directory of their file", () => {
    const snapshot = snapshotOf({
      userSettings: {
        sandbox: {
          enabled: true,
          excludedCommands: ["docker *"],
          ignoreViolations: { "*": ["/usr"] },
          filesystem: { allowWrite: ["~/cache", "cache"], denyRead: ["/secret/"] },
          network: { allowedDomains: ["example.com"] }
        }
      },
      flagSettings: {
        sandbox: { filesystem: { allowWrite: ["out"] }, network: { deniedDomains: ["bad.example.com"] } }
      },
      projectSettings: {
        sandbox: { enabled: false, filesystem: { allowWrite: ["no"], denyRead: ["sub"] } }
      }
    })
    const settings = sandboxSettingsOf(snapshot, PLACES)
    expect(settings).toMatchObject({
      enabled: true,
      excludedCommands: ["docker *"],
      ignoreViolations: { "*": ["/usr"] },
      network: { allowedDomains: ["example.com"], deniedDomains: ["bad.example.com"] }
    })
    const { allowWrite, denyRead } = settings.filesystem
    expect(allowWrite.toSorted()).toEqual(["/home/me/.claude/cache", "/home/me/cache", "/out"])
    expect(denyRead).toEqual(["/secret"])
  })

  it("can be locked by the administrator", () => {
    const settings = sandboxSettingsOf(
      snapshotOf({
        userSettings: { sandbox: { network: { allowedDomains: ["a.example"] }, filesystem: { allowRead: ["/a"] } } },
        policySettings: {
          sandbox: {
            bwrapPath: "/opt/bwrap",
            network: { allowedDomains: ["b.example"], allowManagedDomainsOnly: true },
            filesystem: { allowRead: ["/b"], allowManagedReadPathsOnly: true }
          }
        }
      }),
      PLACES
    )
    expect(settings.network.allowedDomains).toEqual(["b.example"])
    expect(settings.filesystem.allowRead).toEqual(["/b"])
    expect(settings.bwrapPath).toBe("/opt/bwrap")
  })
})
