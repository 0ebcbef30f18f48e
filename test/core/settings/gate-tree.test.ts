import { createHash } from "node:crypto"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readLayer } from "../../../src/core/settings/read-layer.ts"
import { limitLayer } from "../../../src/core/settings/limit-layer.ts"
import { plainTree } from "../../../src/core/settings/tree.ts"
import { approvalOf } from "../../../src/core/settings/trust/approval.ts"
import { type Gate, gateSettings, RESTRICTED, type TrustLevel } from "../../../src/core/settings/trust/gate.ts"
import { gateTree } from "../../../src/core/settings/gate-tree.ts"
import { wantsOf } from "../../../src/core/settings/trust/requested-capabilities.ts"
import type { JsonObject } from "../../../src/core/domain/json/json-object.ts"
import { hostileSettings } from "./trust/hostile-settings.ts"

const hash = (text: string): string => createHash("sha256").update(text).digest("hex")
const FILE = "/w/a/.claude/settings.json"
const gateOf = (standing: TrustLevel): Gate => ({
  standing,
  hash,
  nameOf: (file) => file.slice("/w/a/".length),
  isOwn: () => false
})
const wantsIn = (value: JsonObject) => wantsOf([{ path: ".claude/settings.json", kind: "settings", value, isOwn: false }])
const layerOf = (settings: JsonObject) =>
  readLayer({ source: "projectSettings", file: FILE, text: JSON.stringify(settings) })

describe("settings with places behind the gate", () => {
  it("come out as the plain ones do, and what is held back is named", () => {
    fc.assert(
      fc.property(hostileSettings, fc.infiniteStream(fc.boolean()), (settings, coin) => {
        const { tree } = layerOf(settings)
        const plain = plainTree(tree) as JsonObject
        const accepted = wantsIn(plain).filter(() => coin.next().value)
        const gate = gateOf({ _tag: "Trusted", approved: approvalOf(accepted, hash) })
        const gated = gateTree(gate, FILE, tree)
        expect(plainTree(gated.tree)).toEqual(gateSettings(gate, FILE, plain))
        expect(gated.held.length > 0).toBe(accepted.length < wantsIn(plain).length)
      })
    )
  })

  it("keep the place of what is left", () => {
    const text = '{\n "permissions": {\n  "allow": ["Bash(a)",\n   "Bash(b)"]\n }\n}'
    const { tree } = readLayer({ source: "projectSettings", file: FILE, text })
    const gate = gateOf({ _tag: "Trusted", approved: approvalOf(wantsIn({ permissions: { allow: ["Bash(b)"] } }), hash) })
    const { tree: left, held } = gateTree(gate, FILE, tree)
    expect(
      JSON.stringify([...left.members].map(([, member]) => member.kind === "object" && [...member.members.values()]))
    ).toContain('"line":4')
    expect(held.map(({ path, tree: missing }) => [path.join("."), plainTree(missing)])).toEqual([
      ["permissions.allow", ["Bash(a)"]]
    ])
  })

  it("leave nothing in force that a folder may not set, in any standing", () => {
    fc.assert(
      fc.property(hostileSettings, (settings) => {
        const layer = layerOf(settings)
        const { deny, ask } = settings["permissions"] as JsonObject
        const restricted = limitLayer(layer, { gate: gateOf(RESTRICTED), secure: true })
        expect(plainTree(restricted.tree)).toEqual({ permissions: { deny, ask } })
        const nothing = limitLayer(layer, { gate: gateOf({ _tag: "Trusted", approved: new Map() }), secure: true })
        expect(wantsIn(plainTree(nothing.tree) as JsonObject)).toEqual([])
      })
    )
  })
})
