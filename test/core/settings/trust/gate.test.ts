import { createHash } from "node:crypto"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { approvalOf } from "../../../../src/core/settings/trust/approval.ts"
import { CAPABILITIES } from "../../../../src/core/settings/trust/capability.ts"
import { entriesIn } from "../../../../src/core/settings/trust/entry.ts"
import {
  type Gate,
  gateSettings,
  requireTrust,
  RESTRICTED,
  type TrustLevel
} from "../../../../src/core/settings/trust/gate.ts"
import { wantsOf } from "../../../../src/core/settings/trust/requested-capabilities.ts"
import type { JsonObject } from "../../../../src/core/domain/json/json-object.ts"
import { hostileSettings } from "./hostile-settings.ts"

const hash = (text: string): string => createHash("sha256").update(text).digest("hex")
const DIRECTORY = "/w/a/"
const NAME = ".claude/settings.json"
const FILE = `${DIRECTORY}${NAME}`
const wantsIn = (value: JsonObject) => wantsOf([{ path: NAME, kind: "settings", value, isOwn: false }])
const trusted = (approved: "everything" | ReadonlyMap<string, string>): TrustLevel =>
  approved === "everything" ? { _tag: "Trusted", approved } : { _tag: "Trusted", approved }
const gateOf = (standing: TrustLevel): Gate => ({
  standing,
  hash,
  nameOf: (file) => file.slice(DIRECTORY.length),
  isOwn: (file) => file === `${DIRECTORY}own.json`
})

describe("the gate", () => {
  it("lets only what forbids or asks pass in a restricted session", () => {
    fc.assert(
      fc.property(hostileSettings, (settings) => {
        const { deny, ask } = settings["permissions"] as JsonObject
        expect(gateSettings(gateOf(RESTRICTED), FILE, settings)).toEqual({ permissions: { deny, ask } })
      })
    )
  })

  it("lets nothing pass that was not accepted, and everything that was", () => {
    fc.assert(
      fc.property(hostileSettings, fc.infiniteStream(fc.boolean()), (settings, coin) => {
        const wants = wantsIn(settings)
        const accepted = wants.filter(() => coin.next().value)
        const gated = gateSettings(gateOf(trusted(approvalOf(accepted, hash))), FILE, settings)
        const left = wantsIn(gated).map(({ id }) => id)
        expect(left.filter((id) => !accepted.some((want) => want.id === id))).toEqual([])
        expect(new Set(left)).toEqual(new Set(accepted.map(({ id }) => id)))
      })
    )
  })

  it("changes nothing when everything was accepted or the run is trusted", () => {
    fc.assert(
      fc.property(hostileSettings, (settings) => {
        const accepted = trusted(approvalOf(wantsIn(settings), hash))
        expect(wantsIn(gateSettings(gateOf(accepted), FILE, settings))).toEqual(wantsIn(settings))
        expect(gateSettings(gateOf(trusted("everything")), FILE, settings)["model"]).toBe(settings["model"])
      })
    )
  })

  it("keeps deny and ask rules in every standing", () => {
    fc.assert(
      fc.property(hostileSettings, (settings) => {
        const { deny, ask } = settings["permissions"] as JsonObject
        for (const standing of [RESTRICTED, trusted(new Map()), trusted("everything")]) {
          expect(gateSettings(gateOf(standing), FILE, settings)["permissions"]).toMatchObject({ deny, ask })
        }
      })
    )
  })

  it("refuses a value that changed after it was accepted", () => {
    const accepted = approvalOf(wantsIn({ env: { EDITOR: "vi" } }), hash)
    expect(gateSettings(gateOf(trusted(accepted)), FILE, { env: { EDITOR: "evil" }, model: "opus" })).toEqual({
      model: "opus"
    })
  })

  it("asks nothing about the user's own file in a trusted folder", () => {
    const settings = { env: { EDITOR: "vi" }, permissions: { allow: ["Bash(ls)"] } }
    expect(gateSettings(gateOf(trusted(new Map())), `${DIRECTORY}own.json`, settings)).toEqual(settings)
    expect(gateSettings(gateOf(RESTRICTED), `${DIRECTORY}own.json`, settings)).toEqual({})
  })

  it("refuses every capability in a restricted session and any that it does not know", () => {
    const [entry] = entriesIn("whole", "x")
    if (entry === undefined) throw new Error("a value has an entry")
    for (const { name } of CAPABILITIES) {
      expect(requireTrust(gateOf(RESTRICTED), { capability: name, file: FILE, entry }).allowed).toBe(false)
      expect(requireTrust(gateOf(trusted("everything")), { capability: name, file: FILE, entry }).allowed).toBe(true)
    }
    expect(requireTrust(gateOf(trusted("everything")), { capability: "new", file: FILE, entry }).allowed).toBe(false)
  })
})
