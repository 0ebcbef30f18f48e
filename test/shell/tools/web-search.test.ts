import { Effect, Layer, ManagedRuntime, Result, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { makeWeb } from "../../../src/adapters/web/layer.ts"
import type { ResponseUsage } from "../../../src/core/loop/turn/accounting.ts"
import type { ModelRequest } from "../../../src/core/model/request/model-request.ts"
import type { ModelEvent } from "../../../src/core/model/stream/model-event.ts"
import { Model, type ModelItem } from "../../../src/core/ports/Model.ts"
import { Web } from "../../../src/core/ports/Web.ts"
import type { SearchSettings } from "../../../src/core/tools/web/search-provider.ts"
import type { WebSearchData } from "../../../src/core/tools/web/search-results.ts"
import type { WebSearchInput } from "../../../src/core/tools/web/web-search.ts"
import type { ToolContext } from "../../../src/shell/tools/contract/executor.ts"
import type { ToolServices } from "../../../src/shell/tools/built-in-tools.ts"
import { layer as searchesLayer, type WebSearches } from "../../../src/shell/tools/services/web-searches.ts"
import { webSearchExecutor } from "../../../src/shell/tools/web-search.ts"
import { type Handler, withServer } from "../../adapters/web/server.ts"
import { callContext } from "./call-context.ts"

const PAGE = { type: "web_search_result", title: "Pearls", url: "https://a.test/pearls", encrypted_content: "x" }

const answered = (...blocks: ReadonlyArray<{ readonly type: string }>): Stream.Stream<ModelItem> => {
  const events: ReadonlyArray<ModelEvent> = [
    { type: "message_start", message: { id: "m", model: "small" } },
    ...blocks.flatMap((content_block, index): ReadonlyArray<ModelEvent> => [
      { type: "content_block_start", index, content_block },
      { type: "content_block_stop", index }
    ]),
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn" },
      usage: { output_tokens: 3, server_tool_use: { web_search_requests: 1 } }
    },
    { type: "message_stop" }
  ]
  return Stream.fromArray<ModelItem>([{ _tag: "Opened" }, ...events.map((event): ModelItem => ({ _tag: "Event", event }))])
}

const result = (content: unknown) => ({ type: "web_search_tool_result", tool_use_id: "srv_1", content })

interface Setup {
  readonly answer?: Model["Service"]["stream"]
  readonly settings?: SearchSettings
  readonly context?: Partial<ToolContext>
}

const world = ({ answer, settings, context }: Setup = {}) => {
  const requests: Array<ModelRequest> = []
  const spent: Array<ResponseUsage> = []
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(
      searchesLayer,
      Layer.succeed(Web, makeWeb()),
      Layer.succeed(Model, {
        stream: (request) => {
          requests.push(request)
          return (answer ?? (() => answered(result([PAGE]))))(request)
        }
      })
    )
  )
  const search = async (input: Partial<WebSearchInput> = {}) => {
    const made = callContext({
      model: "claude-opus-4-6",
      spent: (more) => void spent.push(...more),
      ...(settings === undefined ? {} : { webSearch: settings }),
      ...context
    })
    // The services of other tools are not used here.
    const run = webSearchExecutor.run({ query: "pearls", ...input }, made) as Effect.Effect<
      Effect.Success<ReturnType<typeof webSearchExecutor.run>>,
      Effect.Error<ReturnType<typeof webSearchExecutor.run>>,
      Extract<ToolServices, Model | Web | WebSearches>
    >
    const ended = await runtime.runPromise(Effect.result(run))
    if (Result.isFailure(ended)) return { text: ended.failure.message }
    const { content, data, isError } = ended.success
    return { text: typeof content === "string" ? content : "", data: data as WebSearchData, isError }
  }
  return { search, requests, spent, dispose: () => runtime.dispose() }
}

describe("WebSearch at the endpoint", () => {
  it("gives the results and counts what they cost", async () => {
    const { search, requests, spent } = world()
    const { text, data } = await search()
    expect(text).toContain("https://a.test/pearls")
    expect(data).toMatchObject({
      query: "pearls",
      results: [{ tool_use_id: "srv_1", content: [{ title: "Pearls", url: "https://a.test/pearls" }] }],
      searchCount: 1
    })
    expect(requests).toHaveLength(1)
    expect(requests[0]?.model).toMatch(/haiku/)
    expect(spent).toMatchObject([{ model: "small", usage: { server_tool_use: { web_search_requests: 1 } } }])
  })

  it("leaves out what the endpoint gives beyond the domains that were asked for", async () => {
    const { search } = world()
    expect((await search({ blocked_domains: ["a.test"] })).text).toMatch(/found nothing/)
  })

  it("is an error, never content, when request or search fail", async () => {
    const overloaded = { kind: "http" as const, status: 529, errorType: "overloaded_error", message: "Overloaded" }
    const broken = world({ answer: () => Stream.fail(overloaded) })
    expect((await broken.search()).text).toMatch(/^SearchFailed: .*overloaded/i)
    const refused = result({ type: "web_search_tool_result_error", error_code: "too_many_requests" })
    const empty = world({ answer: () => answered(refused, { type: "text" }) })
    expect((await empty.search()).text).toMatch(/^SearchFailed: .*too_many_requests/)
  })

  it("says that all searches of the session are used up, and asks nobody", async () => {
    const { search, requests } = world({ context: { env: { CLAUDE_CODE_MAX_WEB_SEARCHES_PER_SESSION: "1" } } })
    await search()
    const { text, isError } = await search()
    expect(text).toMatch(/all of its 1 web searches/)
    expect(isError).toBeUndefined()
    expect(requests).toHaveLength(1)
  })
})

describe("WebSearch at a service", () => {
  const searxng: Handler = (request, response) => {
    const results = [{ title: request.url ?? "", url: "https://a.test/1", content: "round" }]
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results }))
  }

  it("asks the SearXNG of the user, on this machine too, and no model", () =>
    withServer(searxng, async ({ origin }) => {
      const { search, requests } = world({ settings: { provider: "searxng", url: origin } })
      const { text, data } = await search()
      expect(text).toContain("1. /search?q=pearls&format=json\n   https://a.test/1\n   round")
      expect(data).toMatchObject({ results: [{ tool_use_id: "toolu_1" }], searchCount: 1 })
      expect(requests).toEqual([])
    }))

  it.each<[string, Handler, RegExp]>([
    ["an error", (_, response) => response.writeHead(403).end("no"), /^SearchFailed: searxng answered 403/],
    ["something else", (_, response) => response.writeHead(200).end("<p>hello"), /^SearchFailed: .*holds no results/],
    ["a redirect", (_, response) => response.writeHead(302, { location: "https://b.test/" }).end(), /leads elsewhere/]
  ])("does not take %s for results", (_, handler, expected) =>
    withServer(handler, async ({ origin }) => {
      const { search } = world({ settings: { provider: "searxng", url: origin } })
      expect((await search()).text).toMatch(expected)
    })
  )

  it("says what is missing", async () => {
    const { search } = world({ settings: { provider: "brave" } })
    expect((await search()).text).toMatch(/BRAVE_API_KEY is not set/)
  })
})
