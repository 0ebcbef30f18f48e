import { describe, expect, it } from "vitest"
import { builtInEntries, schemaEntry, type ToolEntry, toolOf } from "../../../src/core/tools/tool-entry.ts"
import {
  makeToolbox,
  nearestTools,
  type Offer,
  offered,
  toolFor,
  unknownTools,
  withTools
} from "../../../src/core/tools/toolbox.ts"

const ANYBODY: Offer = { interactive: true, testing: false, only: undefined, isDenied: () => false }

const remote = (name: string, description = "far away"): ToolEntry => ({
  definition: { name, description, input_schema: { type: "object" } },
  source: { _tag: "Server", server: "s", hints: {} }
})

const namesOf = (entries: ReadonlyArray<ToolEntry>): ReadonlyArray<string> =>
  entries.map(({ definition }) => definition.name)

const ALL = [...builtInEntries(true), schemaEntry({ type: "object" }), remote("mcp__s__b"), remote("mcp__s__a")]

describe("the tools that a conversation gets", () => {
  it("are those that can be used: no question without anybody to answer, nothing that is only for tests", () => {
    const names = namesOf(offered(ALL, { ...ANYBODY, interactive: false }))
    expect(names).not.toContain("AskUserQuestion")
    expect(names).not.toContain("TestingPermission")
    expect(namesOf(offered(ALL, { ...ANYBODY, testing: true }))).toContain("TestingPermission")
  })

  it("are of the program's own only those that were chosen, by any of their names; servers bring theirs", () => {
    const names = namesOf(offered(ALL, { ...ANYBODY, only: ["Read", "KillShell"] }))
    expect(names).toEqual(["Read", "TaskStop", "StructuredOutput", "mcp__s__b", "mcp__s__a"])
    expect(unknownTools(["Read", "KillShell", "StructuredOutput", "mcp__x__y", "Raed"])).toEqual(["Raed"])
  })

  it("are none that a rule denies, but for the output that was promised", () => {
    expect(namesOf(offered(ALL, { ...ANYBODY, isDenied: () => true }))).toEqual(["StructuredOutput"])
    const isDenied: Offer["isDenied"] = ({ name }) => name.startsWith("mcp__s__")
    expect(namesOf(offered(ALL, { ...ANYBODY, isDenied })).filter((name) => name.startsWith("mcp__"))).toEqual([])
  })

  it("have no background where there is none", () => {
    const bash = builtInEntries(false).find(({ definition }) => definition.name === "Bash")
    expect(JSON.stringify(bash)).not.toContain("run_in_background")
    expect(bash && toolOf(bash).read({ command: "ls", run_in_background: true })).toMatchObject({ _tag: "Failure" })
  })
})

describe("a toolbox", () => {
  it("is in code-point order whatever the order of its sources", () => {
    const names = namesOf(makeToolbox(ALL).entries)
    expect(names).toEqual([...names].toSorted((left, right) => (left < right ? -1 : 1)))
    expect(names.slice(-2)).toEqual(["mcp__s__a", "mcp__s__b"])
    expect(makeToolbox(ALL.toReversed()).definitions).toEqual(makeToolbox(ALL).definitions)
  })

  it("stays the very same while its tools do, so that what is cached of a request stays", () => {
    const toolbox = makeToolbox([remote("mcp__s__a"), remote("mcp__s__b")])
    expect(withTools(toolbox, [remote("mcp__s__b"), remote("mcp__s__a")])).toBe(toolbox)
    expect(withTools(toolbox, [remote("mcp__s__a")])).not.toBe(toolbox)
    expect(withTools(toolbox, [remote("mcp__s__a"), remote("mcp__s__b", "near by")])).not.toBe(toolbox)
  })

  it("finds a tool by name and alias, one tool for one entry", () => {
    const toolbox = makeToolbox(ALL)
    expect(toolFor(toolbox, "KillShell")?.name).toBe("TaskStop")
    expect(toolFor(toolbox, "mcp__s__a")).toBe(toolFor(toolbox, "mcp__s__a"))
    expect(toolFor(toolbox, "Unheard")).toBeUndefined()
    expect(nearestTools(toolbox, "Raed")).toContain("Read")
  })

  it("holds nothing but data: what is recorded of it gives the same tools again", () => {
    const { entries } = makeToolbox(ALL)
    const again = JSON.parse(JSON.stringify(entries)) as ReadonlyArray<ToolEntry>
    expect(makeToolbox(again)).toEqual(makeToolbox(entries))
    for (const [index, entry] of entries.entries()) {
      const [left, right] = [toolOf(entry), toolOf(again[index] ?? entry)]
      expect([right.name, right.maxResultChars, right.interrupt]).toEqual([left.name, left.maxResultChars, left.interrupt])
    }
  })
})
