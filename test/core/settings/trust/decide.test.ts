import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { approvalOf, approvedNow, canonicalJson, digestOf } from "../../../../src/core/settings/trust/approval.ts"
import { decideTrust, type TrustFacts } from "../../../../src/core/settings/trust/decide.ts"
import { acceptancePatches, recordOf, recordsIn, withdrawalPatches } from "../../../../src/core/settings/trust/record.ts"
import { type FolderFile, wantsOf } from "../../../../src/core/settings/trust/requested-capabilities.ts"
import type { Edit } from "../../../../src/core/domain/json/patch.ts"
import type { JsonObject } from "../../../../src/core/domain/json/json-object.ts"

const hash = (text: string): string => createHash("sha256").update(text).digest("hex")

const FILE = ".claude/settings.json"
const file = (value: JsonObject): FolderFile => ({ path: FILE, kind: "settings", value, isOwn: false })
const HOOK = { hooks: { SessionStart: [{ hooks: [{ type: "command", command: "touch here" }] }] } }
const IDENTITY = { dev: "1", ino: "2" }

const facts = (value: JsonObject, more: Partial<TrustFacts> = {}): TrustFacts => ({
  place: { key: "/w/a", kind: "repository" },
  identity: IDENTITY,
  record: undefined,
  files: [file(value)],
  wants: wantsOf([file(value)]),
  trustedForRun: false,
  ...more
})

const accepted = (value: JsonObject) => ({
  path: "/w/a",
  own: { identity: IDENTITY, approval: approvalOf(wantsOf([file(value)]), hash), at: "" }
})

describe("the decision at the start", () => {
  it("asks about a folder that wants something, and holds it back until then", () => {
    expect(decideTrust(facts(HOOK), hash)).toMatchObject({
      standing: { _tag: "Restricted" },
      question: { reason: "new" },
      ignores: true
    })
  })

  it.each([
    ["nothing at all", {}, false],
    ["only rules that forbid or ask", { $schema: "x", permissions: { deny: ["Bash"], ask: ["Read"] } }, false],
    ["only harmless settings", { language: "german" }, true]
  ])("asks nobody about %s", (_, value, ignores) => {
    const decision = decideTrust(facts(value), hash)
    expect(decision).toEqual({ standing: { _tag: "Restricted" }, ignores })
  })

  it("trusts for the run what the user trusts for the run", () => {
    expect(decideTrust(facts(HOOK, { trustedForRun: true }), hash)).toEqual({
      standing: { _tag: "Trusted", approved: "everything" },
      ignores: false
    })
  })

  it("trusts what was accepted", () => {
    const decision = decideTrust(facts(HOOK, { record: accepted(HOOK) }), hash)
    expect(decision).toMatchObject({ standing: { _tag: "Trusted" }, ignores: false })
    expect(decision.question).toBeUndefined()
  })

  it("asks again when another directory stands at the path", () => {
    const decision = decideTrust(facts(HOOK, { record: accepted(HOOK), identity: { dev: "1", ino: "3" } }), hash)
    expect(decision).toMatchObject({ standing: { _tag: "Restricted" }, question: { reason: "moved" } })
  })

  it("asks about what is new only, and the accepted wants stay", () => {
    const now = { ...HOOK, env: { EDITOR: "vi" } }
    const decision = decideTrust(facts(now, { record: accepted({ ...HOOK, statusLine: { command: "x" } }) }), hash)
    expect(decision.standing).toMatchObject({ _tag: "Trusted" })
    expect(decision.question?.reason).toBe("changed")
    expect(decision.question?.diff.added.map(({ text }) => text)).toEqual(["EDITOR=vi"])
    expect(decision.question?.diff.removed).toEqual([`${FILE} statusLine`])
  })

  it("asks nothing when something went away", () => {
    expect(decideTrust(facts({}, { record: accepted(HOOK) }), hash).question).toBeUndefined()
  })

  it("believes another tool about the folder, but asks once for what it wants", () => {
    const decision = decideTrust(facts(HOOK, { record: { path: "/w/a" } }), hash)
    expect(decision).toMatchObject({ standing: { _tag: "Trusted" }, question: { reason: "changed" } })
    expect(decideTrust(facts({ model: "opus" }, { record: { path: "/w/a" } }), hash)).toMatchObject({ ignores: false })
  })

  it("asks about the user's own file only together with the folder", () => {
    const own = { ...file(HOOK), path: ".claude/settings.local.json", isOwn: true }
    const files = { files: [own], wants: wantsOf([own]) }
    expect(decideTrust(facts({}, files), hash).question?.wants).toHaveLength(1)
    expect(decideTrust(facts({}, { ...files, record: accepted({}) }), hash).question).toBeUndefined()
  })

  it("remembers nothing about the home directory", () => {
    const decision = decideTrust(facts(HOOK, { record: accepted(HOOK), place: { key: "/w/a", kind: "home" } }), hash)
    expect(decision.standing).toEqual({ _tag: "Restricted" })
  })
})

const applied = (config: JsonObject, patches: ReadonlyArray<Edit>): JsonObject =>
  patches.reduce<JsonObject>((all, { path, value }) => put(all, path, value), config)

const put = (config: JsonObject, [key = "", ...rest]: ReadonlyArray<string>, value: unknown): JsonObject => ({
  ...config,
  [key]: rest.length === 0 ? value : put((config[key] ?? {}) as JsonObject, rest, value)
})

describe("what is remembered", () => {
  const approval = approvalOf(wantsOf([file(HOOK)]), hash)
  const patches = acceptancePatches("/w/a", { identity: IDENTITY, approval, at: "2026-01-01T00:00:00.000Z", hash })

  it("is read back as it was accepted, and is gone when it was withdrawn", () => {
    const config = applied({ other: 1 }, patches)
    expect(recordOf(config, "/w/a")?.own?.approval).toEqual(approval)
    expect(recordsIn(config).map(({ path }) => path)).toEqual(["/w/a"])
    expect(recordOf(applied(config, withdrawalPatches("/w/a")), "/w/a")).toBeUndefined()
  })

  it("takes an entry of another tool without ours, and none that is damaged", () => {
    const project = (value: unknown) => ({ projects: { "/w/a": value } })
    expect(recordOf(project({ hasTrustDialogAccepted: true }), "/w/a")).toEqual({ path: "/w/a" })
    for (const damaged of [
      { hasTrustDialogAccepted: "yes" },
      { hasTrustDialogAccepted: true, nacreTrust: { dev: 1 } },
      null,
      []
    ]) {
      expect(recordOf(project(damaged), "/w/a")).toBeUndefined()
    }
    expect(recordOf({ projects: {} }, "constructor")).toBeUndefined()
  })

  it("keeps what was accepted of files that were not read", () => {
    const elsewhere = wantsOf([{ path: "sub/.claude/settings.json", kind: "settings", value: HOOK, isOwn: false }])
    const kept = approvedNow(approvalOf(elsewhere, hash), wantsOf([file(HOOK)]), { files: [FILE], hash })
    expect(kept.size).toBe(2)
    expect(approvedNow(kept, [], { files: [FILE], hash }).size).toBe(1)
  })

  it("has one digest whatever the order", () => {
    const pairs = [
      ["a", "1"],
      ["b", "2"]
    ] as const
    expect(digestOf(new Map(pairs), hash)).toBe(digestOf(new Map(pairs.toReversed()), hash))
    expect(canonicalJson({ b: [1, { d: 1, c: null }], a: "x" })).toBe('{"a":"x","b":[1,{"c":null,"d":1}]}')
  })
})
