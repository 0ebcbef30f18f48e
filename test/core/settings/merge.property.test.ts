import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { limitLayer, type LimitedLayer } from "../../../src/core/settings/limit-layer.ts"
import { CLOSED_GATE, OPEN_GATE } from "../../../src/core/settings/trust/gate.ts"
import { mergeTrees } from "../../../src/core/settings/merge.ts"
import { SETTINGS_SOURCES, type SettingsSource } from "../../../src/core/domain/settings-source.ts"
import { permissionsOf } from "../../../src/core/permission/configuration/from-settings.ts"
import { readLayer } from "../../../src/core/settings/read-layer.ts"
import { makeSnapshot, settingOf } from "../../../src/core/settings/snapshot.ts"
import { plainTree, type Tree } from "../../../src/core/settings/tree.ts"
import { settingsText, source } from "./arbitrary.ts"

const layerOf = (text: string, from: SettingsSource, trusted = true): LimitedLayer =>
  limitLayer(readLayer({ source: from, file: `/${from}.json`, text }), {
    gate: trusted ? OPEN_GATE : CLOSED_GATE,
    secure: true
  })

/** Values and where they stand, so that provenance is compared too. */
const printed = (tree: Tree): unknown => {
  switch (tree.kind) {
    case "value":
      return [tree.value, tree.origin.file, tree.origin.line]
    case "list":
      return tree.items.map(({ value, origin }) => [value, origin.file, origin.line])
    case "object":
      return Object.fromEntries([...tree.members].map(([name, member]) => [name, printed(member)]))
  }
}

const PLACES = { home: "/home", configHome: "/home/.claude", startDir: "/work" }

describe("merging", () => {
  it("is associative, values and places alike", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(settingsText, source), { minLength: 3, maxLength: 3 }), (files) => {
        const [a, b, c] = files.map(([text, from]) => layerOf(text, from).tree)
        if (a === undefined || b === undefined || c === undefined) return
        const left = mergeTrees(mergeTrees(a, b), c)
        const right = mergeTrees(a, mergeTrees(b, c))
        expect(printed(left)).toEqual(printed(right))
      }),
      { numRuns: 200 }
    )
  })

  it("is associative where a value meets a list and an object too", () => {
    const value = fc.constantFrom<unknown>(1, "x", [1], [2, 1], { a: 1 }, { b: [2] }, { a: { c: 3 } }, { a: [1] })
    fc.assert(
      fc.property(fc.tuple(value, value, value), (values) => {
        const trees = values.map((spinnerVerbs) => layerOf(JSON.stringify({ spinnerVerbs }), "userSettings").tree)
        const [a, b, c] = trees
        if (a === undefined || b === undefined || c === undefined) return
        expect(plainTree(mergeTrees(mergeTrees(a, b), c))).toEqual(plainTree(mergeTrees(a, mergeTrees(b, c))))
      }),
      { numRuns: 600 }
    )
  })

  it("gives policy the last word, but for keys where the stricter value holds", () => {
    fc.assert(
      fc.property(settingsText, settingsText, (user, policy) => {
        const managed = layerOf(policy, "policySettings")
        const both = makeSnapshot([layerOf(user, "userSettings"), managed])
        const alone = makeSnapshot([managed])
        for (const key of [
          "model",
          "theme",
          "effortLevel",
          "sandbox.enabled",
          "permissions.defaultMode",
          "fallbackModel"
        ] as const) {
          const held = settingOf(alone, key)
          if (held !== undefined) expect(settingOf(both, key)).toEqual(held)
        }
      })
    )
  })

  it("lets no project file loosen anything before trust", () => {
    fc.assert(
      fc.property(settingsText, settingsText, settingsText, (user, project, local) => {
        const own = [layerOf(user, "userSettings")]
        const restricted = makeSnapshot([
          ...own,
          layerOf(project, "projectSettings", false),
          layerOf(local, "localSettings", false)
        ])
        const without = makeSnapshot(own)
        const rules = permissionsOf(restricted, PLACES)
        const before = permissionsOf(without, PLACES)
        expect(rules.rules.filter(({ behavior }) => behavior === "allow")).toEqual(
          before.rules.filter(({ behavior }) => behavior === "allow")
        )
        expect(rules.directories).toEqual(before.directories)
        expect(rules.mode).toBe(before.mode)
        expect(rules.rules.filter(({ behavior }) => behavior !== "allow").length).toBeGreaterThanOrEqual(
          before.rules.filter(({ behavior }) => behavior !== "allow").length
        )
        const others = (tree: Tree) => {
          const plain = plainTree(tree) as Record<string, unknown>
          return { ...plain, permissions: undefined }
        }
        expect(others(restricted.tree)).toEqual(others(without.tree))
      })
    )
  })

  it("never takes endpoints or loaders from a project, trusted or not", () => {
    const names = [
      "ANTHROPIC_BASE_URL",
      "https_proxy",
      "NODE_OPTIONS",
      "LD_PRELOAD",
      "PATH",
      "NACRE_TRUST",
      "OTEL_X",
      "BASH_ENV"
    ]
    for (const from of ["projectSettings", "localSettings"] as const) {
      for (const name of names) {
        const snapshot = makeSnapshot([layerOf(JSON.stringify({ env: { [name]: "x", FINE: "1" } }), from)])
        expect(settingOf(snapshot, "env")).toEqual({ FINE: "1" })
        expect(snapshot.problems).toMatchObject([{ level: "warning", path: `env.${name}` }])
      }
    }
  })
})

describe("exceptions", () => {
  const merged = (...files: ReadonlyArray<readonly [SettingsSource, unknown]>) =>
    makeSnapshot(files.map(([from, value]) => layerOf(JSON.stringify(value), from)))

  it("fallbackModel comes whole from the strongest file", () => {
    expect(
      settingOf(
        merged(["userSettings", { fallbackModel: ["a", "b"] }], ["localSettings", { fallbackModel: ["c"] }]),
        "fallbackModel"
      )
    ).toEqual(["c"])
  })

  it("availableModels of policy replace, those of others unite", () => {
    const user = ["userSettings", { availableModels: ["a"] }] as const
    expect(settingOf(merged(user, ["projectSettings", { availableModels: ["b"] }]), "availableModels")).toEqual(["a", "b"])
    expect(
      settingOf(
        merged(user, ["policySettings", { availableModels: ["b"] }], ["policySettings", { availableModels: ["c"] }]),
        "availableModels"
      )
    ).toEqual(["b", "c"])
  })

  it("hooks of one event stand one after the other", () => {
    const hook = { hooks: [{ type: "command", command: "x" }] }
    const files = SETTINGS_SOURCES.slice(0, 2).map((from) => [from, { hooks: { Stop: [hook] } }] as const)
    expect(settingOf(merged(...files), "hooks")).toEqual({ Stop: [hook, hook] })
  })

  it.each([
    ["nacre.secretFiles", "deny", "ask"],
    ["crossSessionInbound", "refuse", "deliver"],
    ["disableAllHooks", true, false]
  ] as const)("%s: %s of a weak file holds against %s of a strong one", (key, strict, loose) => {
    const nest = (value: unknown) => key.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
    expect(settingOf(merged(["userSettings", nest(strict)], ["policySettings", nest(loose)]), key)).toBe(strict)
  })
})
