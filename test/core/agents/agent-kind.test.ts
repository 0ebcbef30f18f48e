import { describe, expect, it } from "vitest"
import {
  childConfig,
  childPermission,
  childTools,
  occurrenceFor,
  stricterMode
} from "../../../src/core/agents/agent-kind.ts"
import type { Occurrence } from "../../../src/core/loop/machine/event.ts"
import { PERMISSION_MODES } from "../../../src/core/permission/verdict.ts"
import type { ToolEntry } from "../../../src/core/tools/tool-entry.ts"
import { loopConfig, loopState, permissions, toolsFor } from "../../support/loop-fixture.ts"

describe("an agent that another one starts", () => {
  it("works in the stricter of two modes, whatever they are", () => {
    for (const left of PERMISSION_MODES) {
      for (const right of PERMISSION_MODES) {
        expect(stricterMode(left, right)).toBe(stricterMode(right, left))
        expect([left, right]).toContain(stricterMode(left, right))
        const parent = permissions({ mode: left, deny: ["Bash(curl *)"] })
        const child = childPermission(parent, { name: "any", mode: right })
        expect(child).toEqual({ ...parent, mode: stricterMode(left, right) })
      }
      expect(stricterMode(left, "plan")).toBe("plan")
      expect(stricterMode(left, "bypassPermissions")).toBe(left)
    }
  })

  it("is offered what its kind may use of its parent's tools, and never promises the parent's output", () => {
    const schema = { type: "object" }
    const state = loopState({ config: { jsonSchema: schema }, tools: toolsFor({ schema }) })
    const names = (tools: ReadonlyArray<ToolEntry>) => tools.map(({ definition }) => definition.name).toSorted()
    expect(names(childTools(state.toolbox, { name: "all" }))).toEqual(names(toolsFor()))
    const reader = { name: "reader", tools: ["Read", "Grep", "StructuredOutput", "Unheard"] }
    expect(names(childTools(state.toolbox, reader))).toEqual(["Grep", "Read"])
    expect(childConfig(state, reader).jsonSchema).toBeUndefined()
  })

  it("has what is left of the budget, its own number of turns, and its own prompt where it has one", () => {
    const { limits } = loopConfig()
    const rich = loopState({ config: { maxBudgetUsd: 2, maxTurns: 3 } })
    const spent = { ...rich, totals: { ...rich.totals, costUsd: 1.5 } }
    expect(childConfig(spent, { name: "any" }).limits).toEqual({ ...limits, maxBudgetUsd: 0.5, maxTurns: undefined })
    expect(childConfig(spent, { name: "any", maxTurns: 7 }).limits.maxTurns).toBe(7)
    const poor = { ...rich, totals: { ...rich.totals, costUsd: 5 } }
    expect(childConfig(poor, { name: "any" }).limits.maxBudgetUsd).toBe(0)
    expect(childConfig(loopState(), { name: "any" }).limits.maxBudgetUsd).toBeUndefined()
    const system = [{ type: "text" as const, text: "Look, do not touch." }]
    expect(childConfig(rich, { name: "reader", system }).prompt.system).toBe(system)
    expect(childConfig(rich, { name: "any" }).prompt).toEqual(rich.config.prompt)
  })

  it("gets rules and directories of the session, but no mode that is looser than its kind's", () => {
    const setMode = (mode: "bypassPermissions" | "plan" | "default"): Occurrence => ({
      _tag: "PermissionsUpdated",
      updates: [{ type: "setMode", mode, destination: "session" }]
    })
    const reader = { name: "reader", mode: "default" } as const
    expect(occurrenceFor(reader, setMode("bypassPermissions"))).toEqual(setMode("default"))
    expect(occurrenceFor(reader, setMode("plan"))).toEqual(setMode("plan"))
    expect(occurrenceFor({ name: "any" }, setMode("bypassPermissions"))).toEqual(setMode("bypassPermissions"))
    const other: Occurrence = { _tag: "Interrupted" }
    expect(occurrenceFor(reader, other)).toBe(other)
  })
})
