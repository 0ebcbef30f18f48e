import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { judgeAddresses, judgeHost, reachesNothing } from "../../../src/core/sandbox/network.ts"

const policy = (allowed: ReadonlyArray<string>, denied: ReadonlyArray<string> = []) => ({
  allowed,
  denied,
  unknown: "deny" as const
})

describe("hosts of confined commands", () => {
  it.each([
    ["example.com", ["example.com"], [], "allow"],
    ["EXAMPLE.com.", ["example.com"], [], "allow"],
    ["api.example.com", ["example.com"], [], "deny"],
    ["api.example.com", ["*.example.com"], [], "allow"],
    ["a.b.example.com", ["*.example.com"], [], "allow"],
    ["example.com", ["*.example.com"], [], "deny"],
    ["example.com.evil.net", ["example.com"], [], "deny"],
    ["notexample.com", ["*example.com", "example.com"], ["notexample.com"], "deny"],
    ["bad.example.com", ["*.example.com"], ["bad.example.com"], "deny"],
    ["bad.example.com", ["*"], ["*.example.com"], "deny"],
    ["bad.org", ["*"], ["https://bad.org/path"], "deny"],
    ["bad.org", ["*"], ["bad.org:443"], "deny"],
    ["a.bad.org", ["*"], ["http://*.bad.org"], "deny"],
    ["xn--bcher-kva.example", ["*"], ["Bücher.example"], "deny"],
    ["a.xn--bcher-kva.example", ["*"], ["*.bücher.example"], "deny"],
    ["good.org", ["https://good.org"], [], "deny"],
    ["good.org", ["good.org:443"], [], "deny"],
    ["anything.org", ["*"], [], "allow"],
    ["anything.org", [], [], "deny"],
    ["", ["*"], [], "deny"],
    ["127.0.0.1", ["*"], [], "deny"],
    ["127.0.0.1", ["127.0.0.1"], [], "allow"],
    ["169.254.169.254", ["169.254.169.254"], [], "deny"],
    ["metadata.google.internal", ["*", "metadata.google.internal"], [], "deny"],
    ["::1", ["*"], [], "deny"],
    ["10.0.0.1", ["*"], [], "deny"]
  ] as const)("%s with %j but not %j: %s", (host, allowed, denied, verdict) => {
    expect(judgeHost(policy(allowed, denied), host).verdict).toBe(verdict)
  })

  it("refuses a name that leads to a private address, unless the list names it", () => {
    const inner = ["93.184.216.34", "10.0.0.7"]
    expect(judgeAddresses(policy(["*"]), "intern.example", inner)).toMatchObject({ verdict: "deny" })
    expect(judgeAddresses(policy(["intern.example"]), "intern.example", inner)).toEqual({ verdict: "allow" })
    expect(judgeAddresses(policy(["intern.example"]), "intern.example", ["169.254.169.254"]).verdict).toBe("deny")
    expect(judgeAddresses(policy(["a.example"], ["93.184.216.34"]), "a.example", inner).verdict).toBe("deny")
  })

  it("lets a denial win over every allowance", () => {
    const label = fc.constantFrom("a", "b", "example", "com")
    const host = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."))
    fc.assert(
      fc.property(host, fc.array(host), (name, allowed) => {
        expect(judgeHost(policy(["*", name, ...allowed], [name]), name).verdict).toBe("deny")
      })
    )
  })

  it.each([
    ["example.com", "ask"],
    ["xn--bcher-kva.example", "ask"],
    ["93.184.216.34", "ask"],
    ["127.0.0.1", "deny"],
    ["10.0.0.1", "deny"],
    ["169.254.169.254", "deny"],
    ["metadata.google.internal", "deny"],
    ["exa mple.com", "deny"],
    ["evil\u001b[2Jexample.com", "deny"],
    ["ex\u0430mple.com", "deny"],
    ["a/b", "deny"],
    ["a".repeat(254), "deny"]
  ])("asks only about names that could be reached: %j: %s", (host, verdict) => {
    expect(judgeHost({ allowed: [], denied: [], unknown: "ask" }, host).verdict).toBe(verdict)
  })

  it("asks about nothing that a list decides", () => {
    const asking = { allowed: ["a.example"], denied: ["b.example"], unknown: "ask" } as const
    expect(["a.example", "b.example", "c.example"].map((host) => judgeHost(asking, host).verdict)).toEqual([
      "allow",
      "deny",
      "ask"
    ])
  })

  it("needs no proxy when nothing can be reached", () => {
    expect(reachesNothing(policy([]))).toBe(true)
    expect(reachesNothing(policy(["example.com"]))).toBe(false)
  })
})
