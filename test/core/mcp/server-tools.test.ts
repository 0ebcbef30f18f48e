import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { type ListedTool, readPolicies, readToolPage, serverTools } from "../../../src/core/mcp/server-tools.ts"
import { toolOf } from "../../../src/core/tools/tool-entry.ts"

const SCHEMA = { type: "object", properties: { a: { type: "string" } } }

const listed = (...tools: ReadonlyArray<Partial<ListedTool>>): ReadonlyArray<ListedTool> =>
  tools.map((each) => ({ name: "look", inputSchema: SCHEMA, ...each }))

const made = (tools: ReadonlyArray<ListedTool>, policies: unknown = []) =>
  serverTools({ name: "a server", listed: tools, policies: readPolicies(policies) })

const namesOf = (tools: ReadonlyArray<ListedTool>, policies?: unknown): ReadonlyArray<string> =>
  made(tools, policies).map(({ entry }) => entry.definition.name)

describe("a page of a server's tools", () => {
  it("leaves out what is not understood and says where the list goes on", () => {
    const page = readToolPage({ tools: [{ name: "look", inputSchema: SCHEMA }, { name: 7 }, "x"], nextCursor: "2" })
    expect(page).toEqual(Result.succeed({ tools: listed({}), next: "2" }))
    expect(readToolPage({ tools: [], nextCursor: null })).toEqual(Result.succeed({ tools: [], next: undefined }))
    expect(Result.isFailure(readToolPage({ list: [] }))).toBe(true)
  })
})

describe("a tool of a server", () => {
  it("has a name that the model API takes and no other tool has", () => {
    expect(namesOf(listed({ name: "look up" }, { name: "look.up" }, { name: "x".repeat(200) }))).toEqual([
      "mcp__a_server__look_up",
      "mcp__a_server__look_up_2",
      `mcp__a_server__${"x".repeat(200)}`.slice(0, 128)
    ])
  })

  it("is left out where the model API would refuse its schema", () => {
    const schemas = [{ anyOf: [] }, { type: "array" }, { ...SCHEMA, allOf: [] }]
    expect(namesOf(schemas.flatMap((inputSchema) => listed({ inputSchema })))).toEqual([])
    const [only] = made(listed({ inputSchema: { $schema: "https://json-schema.org/draft/2020-12/schema" } }))
    expect(only?.entry.definition.input_schema).toEqual({ type: "object" })
  })

  it("promises only what the server says, and is careful about the rest", () => {
    const tools = made(
      listed({ name: "plain" }, { name: "reader", annotations: { readOnlyHint: true, openWorldHint: false } })
    )
    const readings = tools.map(({ entry }) => Result.getOrThrow(toolOf(entry).read({ a: "b" })))
    expect(readings.map(({ traits }) => traits)).toEqual([
      { readOnly: false, concurrencySafe: false, destructive: false, openWorld: false },
      { readOnly: true, concurrencySafe: true, destructive: false, openWorld: false }
    ])
    expect(readings[0]?.summary).toBe('{"a":"b"}')
  })

  it("is what whoever brought the server says: denied ones are left out, and what is not understood asks", () => {
    const tools = listed({ name: "denied" }, { name: "asks" }, { name: "odd" }, { name: "free" }, { name: "other" })
    const found = made(tools, [
      { name: "denied", permission_policy: "always_deny" },
      { name: "asks", permission_policy: "always_ask" },
      { name: "odd", permission_policy: "sometimes" },
      { name: "free", permission_policy: "always_allow" },
      { permission_policy: "always_deny" }
    ])
    const needs = found.map(({ entry, name }) => {
      const tool = toolOf(entry)
      return [name, tool.needs(Result.getOrThrow(tool.read({})).input, "/")[0]?.kind]
    })
    expect(needs).toEqual([
      ["asks", "interaction"],
      ["odd", "interaction"],
      ["free", "other"],
      ["other", "other"]
    ])
    expect(readPolicies("none").size).toBe(0)
  })
})
