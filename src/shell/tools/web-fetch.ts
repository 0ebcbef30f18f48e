import { Clock, Effect } from "effect"
import { sideModel } from "../../core/model/catalog/side-model.ts"
import { readVariable } from "../../core/domain/env.ts"
import { LIMITS } from "../../core/domain/limits.ts"
import { Files } from "../../core/ports/Files.ts"
import type { Model } from "../../core/ports/Model.ts"
import { Web, type WebFailure } from "../../core/ports/Web.ts"
import type { WebPage } from "../../core/tools/web/web-page.ts"
import { type WebFetchData, type WebFetchInput } from "../../core/tools/web/web-fetch.ts"
import { extractionRequest } from "../../core/tools/web/extract.ts"
import { parseUrl, upgradeToHttps } from "../../core/domain/net/host.ts"
import * as report from "../../core/tools/web/report.ts"
import { askModel } from "../model/call-model.ts"
import { Pages } from "./services/web-page-cache.ts"
import { type ToolContext, type ToolExecutor, type ToolOutput, ToolRefusal } from "./contract/executor.ts"
import { fileRefusal } from "./files/file-target.ts"
import { SearchVisibility } from "./services/search-visibility.ts"

/** What a fetch came to: the text for the model, and how much of it is the site's own. */
interface Outcome {
  readonly text: string
  readonly result: string
  readonly isError?: boolean
}

const cacheTtlMs = (context: ToolContext): number => {
  const set = Number(readVariable(context.env, "WEBFETCH_CACHE_TTL_MS") ?? Number.NaN)
  return Number.isFinite(set) && set >= 0 ? set : LIMITS.webCacheMs
}

const refusal = (failure: WebFailure): ToolRefusal =>
  new ToolRefusal({
    message: failure.kind === "address" ? `AddressRefused: ${failure.message}` : `FetchFailed: ${failure.message}`
  })

const recalled = Effect.fnUntraced(function* (text: string, ttlMs: number) {
  const pages = yield* Pages
  const url = parseUrl(text)
  if (url === undefined) return undefined
  return (yield* pages.recall(url.href, ttlMs)) ?? (yield* pages.recall(upgradeToHttps(url).href, ttlMs))
})

const fetched = Effect.fnUntraced(function* (url: string, context: ToolContext) {
  const known = yield* recalled(url, cacheTtlMs(context))
  if (known !== undefined) return known
  const web = yield* Web
  const reach = yield* SearchVisibility
  const pages = yield* Pages
  const hosts = { allowedHosts: yield* reach.allowedHosts, closedHosts: yield* reach.closedHosts }
  const answer = yield* web.fetch({ url, ...hosts }).pipe(Effect.mapError(refusal))
  if (answer._tag === "Page" && answer.content._tag === "Text" && isSuccess(answer)) yield* pages.remember(answer)
  return answer
})

const isSuccess = (page: WebPage): boolean => page.status >= 200 && page.status < 300

const save = Effect.fnUntraced(function* (page: WebPage, bytes: Uint8Array, context: ToolContext) {
  const files = yield* Files
  const name = `${context.callId.replace(/[^\w-]/g, "_")}.${report.extensionOf(page.mediaType)}`
  const path = `${context.sessionDir}/tool-results/${name}`
  yield* files
    .write({ path, bytes, expectedHash: null, onlyForOwner: true })
    .pipe(Effect.mapError(fileRefusal("Nothing was written.")))
  return path
})

const extract = Effect.fnUntraced(function* (page: WebPage, pageText: string, call: Call) {
  const { env, availableModels } = call.context
  const model = sideModel(env, call.context.model, availableModels)
  const answer = yield* askModel(extractionRequest({ page, pageText, prompt: call.input.prompt, model })).pipe(
    Effect.mapError(
      (failure) =>
        new ToolRefusal({
          message: `ModelFailed: ${page.url} was fetched, but reading it failed: ${failure.message}. Try again later.`
        })
    )
  )
  call.context.spent([{ model: answer.model, usage: answer.usage }])
  if (answer.text.trim() !== "") return answer.text
  return yield* new ToolRefusal({
    message: `ModelFailed: ${page.url} was fetched, but the model gave no answer about it. Ask in another way.`
  })
})

interface Call {
  readonly input: WebFetchInput
  readonly context: ToolContext
}

const read = Effect.fnUntraced(function* (page: WebPage, call: Call) {
  const { content } = page
  const plain = (text: string): Outcome => ({ text, result: text })
  if (!isSuccess(page)) return { ...plain(report.errorPageText(page)), isError: true }
  if (content._tag === "Binary") return plain(report.savedText(page, yield* save(page, content.bytes, call.context)))
  if (content.text.trim() === "") return plain(report.emptyPageText(page))
  const result = yield* extract(page, content.text, call)
  return { text: report.answerText(page, result), result }
})

const run = Effect.fnUntraced(function* (input: WebFetchInput, context: ToolContext) {
  const startedMs = yield* Clock.currentTimeMillis
  const answer = yield* fetched(input.url, context)
  const outcome: Outcome =
    answer._tag === "Redirected"
      ? { text: report.redirectText(answer), result: report.redirectText(answer) }
      : yield* read(answer, { input, context })
  const data: WebFetchData = {
    bytes: answer._tag === "Page" ? answer.bytes : 0,
    code: answer.status,
    codeText: answer.statusText,
    result: outcome.result,
    durationMs: (yield* Clock.currentTimeMillis) - startedMs,
    url: answer._tag === "Page" ? answer.url : answer.from
  }
  const output: ToolOutput = { data, content: outcome.text, ...(outcome.isError === true ? { isError: true } : {}) }
  return output
})

export const webFetchExecutor: ToolExecutor<WebFetchInput, Web | Model | Files | Pages | SearchVisibility> = {
  run
}
