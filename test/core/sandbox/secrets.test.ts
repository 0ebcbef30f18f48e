import { describe, expect, it } from "vitest"
import { accessTo, mountsOf } from "../../../src/core/sandbox/mounts.ts"
import { holdsToken } from "../../../src/core/sandbox/guarded-paths.ts"
import { planSandbox } from "../../../src/core/sandbox/plan.ts"
import type { SandboxSettings } from "../../../src/core/sandbox/settings.ts"
import { factsOf, requestWith } from "./fixture.ts"

const ENTRIES = {
  "/home/me/.ssh": "directory",
  "/home/me/.ssh/known_hosts": "file",
  "/home/me/.aws": "directory",
  "/home/me/.npmrc": "file"
} as const

const accessWith = (path: string, filesystem: Partial<SandboxSettings["filesystem"]>) => {
  const request = requestWith({}, filesystem)
  const facts = factsOf(request, { entries: ENTRIES, secretFiles: ["/home/me/.npmrc"] })
  return accessTo(mountsOf(planSandbox(request, facts)), path)
}

describe("stores of credentials", () => {
  it.each([
    ["/home/me/.aws/credentials", {}, "none"],
    ["/home/me/.npmrc", {}, "none"],
    ["/home/me/.aws/credentials", { allowRead: ["/home/me/.aws"] }, "read"],
    ["/home/me/.npmrc", { allowRead: ["/home/me/.npmrc/"] }, "read"],
    ["/home/me/.ssh/known_hosts", { allowRead: ["/home/me/.ssh/known_hosts"] }, "read"],
    ["/home/me/.ssh/id_rsa", { allowRead: ["/home/me/.ssh/known_hosts"] }, "none"],
    // A wider word of the settings opens nothing, and a denial holds against one for the same place.
    ["/home/me/.aws/credentials", { allowRead: ["/home/me"] }, "none"],
    ["/home/me/.aws/credentials", { allowRead: ["/home/me/.aws"], denyRead: ["/home/me/.aws"] }, "none"]
  ] as const)("%s with %j: %s", (path, filesystem, access) => {
    expect(accessWith(path, filesystem)).toBe(access)
  })
})

describe("configuration of a package manager", () => {
  it.each([
    ["//registry.example/:_authToken=abc", true],
    ["  _auth = abc", true],
    ["registry=https://x/\n//x/:_password=abc\n", true],
    ["npmAuthToken: abc", true],
    ['  "npmAuthIdent": "a:b"', true],
    ["//registry.example/:_authToken=${NPM_TOKEN}", false],
    ["registry=https://registry.example/", false],
    ["# _authToken=abc", false],
    ["always-auth=true", false],
    ["", false]
  ])("%j holds a token: %s", (text, wanted) => {
    expect(holdsToken(text)).toBe(wanted)
  })
})
