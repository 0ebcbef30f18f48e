import { Clock, Effect, Result } from "effect"
import { isText } from "../../core/domain/block.ts"
import { sideModel } from "../../core/model/catalog/side-model.ts"
import { readVariable } from "../../core/domain/env.ts"
import { LIMITS } from "../../core/domain/limits.ts"
import { describeFailure } from "../../core/model/failure/describe-failure.ts"
import { Web } from "../../core/ports/Web.ts"
import { endpointSearch, readEndpointSearch } from "../../core/tools/web/endpoint-search.ts"
import {
  readServiceAnswer,
  searchProvider,
  type SearchProvider,
  serviceRequest
} from "../../core/tools/web/search-provider.ts"
import {
  hitsIn,
  searchData,
  type SearchFinding,
  searchText,
  tidyFindings,
  type WebSearchData
} from "../../core/tools/web/search-results.ts"
import type { WebSearchInput } from "../../core/tools/web/web-search.ts"
import { statusOf } from "../../core/tools/web/report.ts"
import { toolOf } from "../../core/tools/tool-entry.ts"
import { askModel } from "../model/call-model.ts"
import { type ToolContext, type ToolExecutor, type ToolOutput, ToolRefusal } from "./contract/executor.ts"
import type { ToolServices } from "./built-in-tools.ts"
import { Toolbox } from "./toolbox.ts"
import { WebSearches } from "./services/web-searches.ts"

interface Found {
  readonly findings: ReadonlyArray<SearchFinding>
  readonly searches: number
}

const failed = (why: string): ToolRefusal =>
  new ToolRefusal({ message: `SearchFailed: ${why}. Try again later, or go on without the web.` })

/** What failed is told only when nothing was found. */
const searchAtEndpoint = Effect.fnUntraced(function* (input: WebSearchInput, context: ToolContext) {
  const model = sideModel(context.env, context.model, context.availableModels)
  const answer = yield* askModel(endpointSearch(input, model)).pipe(
    Effect.mapError((failure) => failed(describeFailure(failure)))
  )
  context.spent([{ model: answer.model, usage: answer.usage }])
  const { found, failures } = readEndpointSearch(answer.blocks)
  const [failure] = failures
  if (failure !== undefined && hitsIn(found).length === 0) return yield* failed(`the endpoint could not search: ${failure}`)
  const searches = answer.usage.server_tool_use.web_search_requests
  const result: Found = { findings: found, searches }
  return result
})

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Service = Extract<SearchProvider, { readonly _tag: "Service" }>

const searchAtService = Effect.fnUntraced(function* (provider: Service, input: WebSearchInput, context: ToolContext) {
  const web = yield* Web
  const page = yield* web
    .fetch({ ...serviceRequest(provider, input), closedHosts: [] })
    .pipe(Effect.mapError(({ message }) => failed(message)))
  if (page._tag === "Redirected") return yield* failed(`${provider.service} answered ${statusOf(page)} and leads elsewhere`)
  if (page.status < 200 || page.status >= 300) return yield* failed(`${provider.service} answered ${statusOf(page)}`)
  const hits = readServiceAnswer(provider.service, page.content._tag === "Text" ? parsed(page.content.text) : undefined)
  if (hits === undefined) return yield* failed(`the answer of ${provider.service} holds no results`)
  const found: Found = { findings: [{ tool_use_id: context.callId, content: hits }], searches: 1 }
  return found
})

const wordsOf = (content: ToolOutput["content"]): string =>
  typeof content === "string" ? content : content.map((block) => (isText(block) ? block.text : "")).join("\n")

const searchAtServer = Effect.fnUntraced(function* (name: string, { query }: WebSearchInput, context: ToolContext) {
  const provided = (yield* Toolbox).current().get(name)
  if (provided === undefined) return yield* failed(`the tool ${name} is not there; its server is not connected`)
  const reading = toolOf(provided.entry).accept({ query })
  if (Result.isFailure(reading)) return yield* failed(`the tool ${name} does not take a query: ${reading.failure}`)
  const output = yield* provided.executor.run(reading.success.input, context)
  const words = wordsOf(output.content)
  if (output.isError === true) return yield* failed(words)
  const found: Found = { findings: [words], searches: 1 }
  return found
})

const limited = <R>(search: Effect.Effect<Found, ToolRefusal, R>): Effect.Effect<Found, ToolRefusal, R> =>
  Effect.timeoutOrElse(search, {
    duration: LIMITS.webSearchMs,
    orElse: () => Effect.fail(failed(`no answer within ${LIMITS.webSearchMs / 1_000} s`))
  })

const search = (
  provider: SearchProvider,
  input: WebSearchInput,
  context: ToolContext
): Effect.Effect<Found, ToolRefusal, ToolServices> => {
  switch (provider._tag) {
    case "Endpoint":
      return searchAtEndpoint(input, context)
    case "Service":
      return limited(searchAtService(provider, input, context))
    case "Server":
      return limited(searchAtServer(provider.tool, input, context))
    case "None":
      return Effect.fail(failed(provider.why))
  }
}

const mostSearches = ({ env }: ToolContext): number => {
  const set = Number(readVariable(env, "MAX_WEB_SEARCHES_PER_SESSION") ?? Number.NaN)
  return Number.isInteger(set) && set >= 0 ? set : LIMITS.webSearches
}

/** Not an error: the model is to go on with what it has. */
const usedUp = (query: string, most: number) => ({
  data: { query, results: [], durationSeconds: 0 } satisfies WebSearchData,
  content: `Nothing was searched: this session has made all of its ${most} web searches. Go on with what is known.`
})

const run = Effect.fnUntraced(function* (input: WebSearchInput, context: ToolContext) {
  const most = mostSearches(context)
  if (!(yield* (yield* WebSearches).take(most))) return usedUp(input.query, most)
  const startedMs = yield* Clock.currentTimeMillis
  const { findings, searches } = yield* search(searchProvider(context.webSearch ?? {}, context), input, context)
  const found = tidyFindings(findings, input)
  const data: WebSearchData = {
    query: input.query,
    results: searchData(found),
    durationSeconds: ((yield* Clock.currentTimeMillis) - startedMs) / 1_000,
    ...(searches === 0 ? {} : { searchCount: searches })
  }
  return { data, content: searchText(input.query, found) }
})

export const webSearchExecutor: ToolExecutor<WebSearchInput, ToolServices> = { run }
