import { describe, expect, it } from "vitest"
import { SANDBOX_OFF, type SandboxSettings } from "../../../src/core/sandbox/settings.ts"
import { hostLists } from "../../../src/core/sandbox/unknown-hosts.ts"
import { permissions } from "../../support/loop-fixture.ts"

const settings = (network: Partial<SandboxSettings["network"]> = {}): SandboxSettings => ({
  ...SANDBOX_OFF,
  network: { ...SANDBOX_OFF.network, ...network }
})

describe("whose word counts about hosts", () => {
  it("asks about unknown ones where somebody can answer", () => {
    expect(hostLists(settings(), permissions()).unknownHosts).toBe("ask")
  })

  it.each([
    ["strict lists", settings({ strictAllowlist: true }), permissions()],
    ["lists of the administrator only", settings({ managedDomainsOnly: true }), permissions()],
    ["nobody there", settings(), { ...permissions(), canPrompt: false }],
    ["don't-ask mode", settings(), permissions({ mode: "dontAsk" })]
  ])("refuses them with %s", (_name, given, context) => {
    expect(hostLists(given, context).unknownHosts).toBe("deny")
  })

  it("takes only the administrator's rules where the settings say so; denials count from everywhere", () => {
    const rule = (specifier: string, behavior: "allow" | "deny", source: "userSettings" | "policySettings") => ({
      tool: "WebFetch",
      specifier,
      behavior,
      source
    })
    const rules = [
      rule("domain:mine.example", "allow", "userSettings"),
      rule("domain:theirs.example", "allow", "policySettings"),
      rule("domain:never.example", "deny", "userSettings")
    ]
    const context = { ...permissions(), rules }
    expect(hostLists(settings(), context).allowedHosts).toEqual(["mine.example", "theirs.example"])
    const managed = hostLists(settings({ managedDomainsOnly: true }), context)
    expect(managed.allowedHosts).toEqual(["theirs.example"])
    expect(managed.deniedHosts).toEqual(["never.example"])
  })
})
