import { Result, Schema } from "effect"
import type { JsonSchema } from "../model/request/model-request.ts"
import type { RemoteHints } from "../tools/remote-tool.ts"
import type { ToolEntry } from "../tools/tool-entry.ts"

/** Tools of a server as its `tools/list` gives them, and as a conversation gets them. */

const Flag = Schema.optionalKey(Schema.NullOr(Schema.Boolean))

const ListedTool = Schema.Struct({
  name: Schema.String,
  description: Schema.optionalKey(Schema.NullOr(Schema.String)),
  inputSchema: Schema.Record(Schema.String, Schema.Unknown),
  annotations: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ readOnlyHint: Flag, destructiveHint: Flag, openWorldHint: Flag }))
  )
})
export type ListedTool = typeof ListedTool.Type

const ToolPage = Schema.Struct({
  tools: Schema.Array(Schema.Unknown),
  nextCursor: Schema.optionalKey(Schema.NullOr(Schema.String))
})
const readPage = Schema.decodeUnknownResult(ToolPage)
const isListed = Schema.is(ListedTool)

export interface ListedPage {
  readonly tools: ReadonlyArray<ListedTool>
  readonly next: string | undefined
}

/** One page of the list. What is not understood as a tool is left out, and the others stay. */
export const readToolPage = (result: unknown): Result.Result<ListedPage, string> =>
  Result.match(readPage(result), {
    onFailure: () => Result.fail("the server's list of tools is not understood"),
    onSuccess: ({ tools, nextCursor }) => Result.succeed({ tools: tools.filter(isListed), next: nextCursor ?? undefined })
  })

const MOST_DESCRIPTION_CHARS = 4_096
/** What the model API takes. */
const MOST_NAME_CHARS = 128

const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, "_")

/** A name that no other tool of the server has: too long or taken ones end in a number. */
const freeName = (wanted: string, taken: ReadonlySet<string>): string => {
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? "" : `_${count}`
    const name = `${wanted.slice(0, MOST_NAME_CHARS - suffix.length)}${suffix}`
    if (!taken.has(name)) return name
  }
}

/** The model API wants an object at the top and takes no choice there; the dialect is none of its business. */
const published = (schema: JsonSchema): JsonSchema | undefined => {
  const { $schema: _, ...rest } = schema
  const isChoice = ["anyOf", "oneOf", "allOf"].some((keyword) => keyword in rest)
  return isChoice || (rest["type"] ?? "object") !== "object" ? undefined : { ...rest, type: "object" }
}

/** What whoever brought the server says about calls of its tools. */
const ToolPolicy = Schema.Struct({ name: Schema.String, permission_policy: Schema.optionalKey(Schema.Unknown) })
const isPolicy = Schema.is(ToolPolicy)

/** By the server's names of the tools. What is not understood asks. */
export type ToolPolicies = ReadonlyMap<string, "allow" | "ask" | "deny">

export const readPolicies = (tools: unknown): ToolPolicies =>
  new Map(
    (Array.isArray(tools) ? tools : [])
      .filter(isPolicy)
      .map(({ name, permission_policy: policy }) => [
        name,
        policy === "always_allow" ? "allow" : policy === "always_deny" ? "deny" : "ask"
      ])
  )

const hintsOf = ({ annotations }: ListedTool, asks: boolean): RemoteHints => ({
  ...(asks ? { alwaysAsks: true } : {}),
  ...(annotations?.readOnlyHint === true ? { readOnly: true } : {}),
  ...(annotations?.destructiveHint === true ? { destructive: true } : {}),
  ...(annotations?.openWorldHint === true ? { openWorld: true } : {})
})

export interface ServerTool {
  readonly entry: ToolEntry
  /** As the server calls it. */
  readonly name: string
}

export interface ListedServer {
  readonly name: string
  readonly listed: ReadonlyArray<ListedTool>
  readonly policies: ToolPolicies
}

/** The tools of a trusted server under the names that the model uses. Those that the API would refuse are left out. */
export const serverTools = ({ name: server, listed, policies }: ListedServer): ReadonlyArray<ServerTool> => {
  const taken = new Set<string>()
  return listed.flatMap((tool) => {
    const schema = published(tool.inputSchema)
    const policy = policies.get(tool.name)
    if (schema === undefined || policy === "deny") return []
    const name = freeName(`mcp__${plain(server)}__${plain(tool.name)}`, taken)
    taken.add(name)
    const description = (tool.description ?? "").slice(0, MOST_DESCRIPTION_CHARS)
    return [
      {
        name: tool.name,
        entry: {
          definition: { name, description, input_schema: schema },
          source: { _tag: "Server", server, hints: hintsOf(tool, policy === "ask") }
        }
      }
    ]
  })
}
