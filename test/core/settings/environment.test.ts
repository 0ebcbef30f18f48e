import { describe, expect, it } from "vitest"
import { environmentWith } from "../../../src/core/settings/environment.ts"
import { limitLayer } from "../../../src/core/settings/limit-layer.ts"
import { problemText } from "../../../src/core/settings/origin.ts"
import type { SettingsSource } from "../../../src/core/domain/settings-source.ts"
import { readLayer } from "../../../src/core/settings/read-layer.ts"
import { makeSnapshot } from "../../../src/core/settings/snapshot.ts"
import { OPEN_GATE } from "../../../src/core/settings/trust/gate.ts"

const text = '{\n  "nacre": { "env": { "scrub": false,\n    "keep": ["DEPLOY_TOKEN"] } }\n}'

const layerFrom = (source: SettingsSource) =>
  limitLayer(readLayer({ source, file: `/p/${source}.json`, text }), { gate: OPEN_GATE, secure: true })

describe("what of the environment commands do not see", () => {
  it.each(["userSettings", "policySettings"] as const)("%s may loosen it", (source) => {
    const { scrub } = environmentWith(makeSnapshot([layerFrom(source)]), {})
    expect(scrub).toEqual({ enabled: false, keep: ["DEPLOY_TOKEN"] })
  })

  it.each(["projectSettings", "localSettings"] as const)("%s may not, and is told the place and the fix", (source) => {
    const layer = layerFrom(source)
    expect(environmentWith(makeSnapshot([layer]), {}).scrub).toEqual({ enabled: true, keep: [] })
    const told = layer.problems.map(problemText)
    expect(told).toHaveLength(2)
    expect(told[0]).toContain(`/p/${source}.json:2`)
    expect(told[1]).toContain(`/p/${source}.json:3`)
    for (const one of told) expect(one).toMatch(/belongs into your own settings\.json.*Fix: move it/s)
  })
})
