import { Schema } from "effect"
import { LIMITS } from "../../domain/limits.ts"
import description from "./web-search.md"
import { makeTool, READ_ONLY, wholeInput } from "../contract/tool.ts"

const domains = (text: string) => Schema.optionalKey(Schema.Array(Schema.NonEmptyString).annotate({ description: text }))

export const WebSearchInput = Schema.Struct({
  query: Schema.String.check(Schema.isMinLength(2)).annotate({ description: "What to search for" }),
  allowed_domains: domains("Only results of these domains and what is below them"),
  blocked_domains: domains("No results of these domains")
})
export type WebSearchInput = typeof WebSearchInput.Type

const problem = ({ query, allowed_domains: allowed, blocked_domains: blocked }: WebSearchInput): string | undefined => {
  if (query.trim().length < 2) return "InvalidQuery: the query is blank. Nothing was searched; say what to search for."
  const both = allowed !== undefined && allowed.length > 0 && blocked !== undefined && blocked.length > 0
  return both
    ? "InvalidDomains: give allowed_domains or blocked_domains, not both. Nothing was searched; leave one of them out."
    : undefined
}

export const webSearchTool = makeTool<WebSearchInput>({
  name: "WebSearch",
  description,
  input: WebSearchInput,
  maxResultChars: 100_000,
  traits: () => ({ ...READ_ONLY, openWorld: true }),
  interrupt: "cancel",
  classifierInput: wholeInput,
  needs: () => [{ kind: "other" }],
  summary: (input) => input.query.slice(0, LIMITS.toolSummaryChars),
  validate: problem
})
