import { isRaw, type JsonObject } from "../../domain/json/json-object.ts"
import { hostOf, parseUrl } from "../../domain/net/host.ts"
import { isOfflineModel, profileOf } from "../../model/catalog/model.ts"
import type { SearchHit } from "./search-results.ts"
import type { WebSearchInput } from "./web-search.ts"

/** Who makes the searches of a session: the model's endpoint, a service that the user chose, or a tool of a server. */
export type SearchProvider =
  | { readonly _tag: "Endpoint" }
  | { readonly _tag: "Service"; readonly service: Service; readonly url: string; readonly key: string }
  | { readonly _tag: "Server"; readonly tool: string }
  | { readonly _tag: "None"; readonly why: string }

type Service = "searxng" | "brave" | "exa"

/** `nacre.webSearch`. */
export interface SearchSettings {
  readonly provider?: Service | "auto" | "endpoint" | "mcp" | "off" | undefined
  readonly url?: string | undefined
  readonly keyEnv?: string | undefined
  readonly server?: string | undefined
  readonly tool?: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

const KEYED = {
  brave: { url: "https://api.search.brave.com/res/v1/web/search", keyEnv: "BRAVE_API_KEY" },
  exa: { url: "https://api.exa.ai/search", keyEnv: "EXA_API_KEY" }
} as const

const none = (why: string): SearchProvider => ({ _tag: "None", why })

const keyed = (service: keyof typeof KEYED, { keyEnv }: SearchSettings, env: Environment): SearchProvider => {
  const name = keyEnv ?? KEYED[service].keyEnv
  const key = env[name]
  return key === undefined || key === ""
    ? none(`nacre.webSearch.provider is ${service}, but ${name} is not set`)
    : { _tag: "Service", service, url: KEYED[service].url, key }
}

const ownSearxng = ({ url }: SearchSettings): SearchProvider => {
  const base = url === undefined ? undefined : parseUrl(url)
  return base === undefined
    ? none("nacre.webSearch.provider is searxng, but nacre.webSearch.url is not an address")
    : { _tag: "Service", service: "searxng", url: `${base.href.replace(/\/+$/, "")}/search`, key: "" }
}

/** Endpoints of models that are not known are not known to search either. */
const canSearch = (model: string): boolean => isOfflineModel(model) || profileOf(model).family !== undefined

export interface SearchPlace {
  readonly env: Environment
  readonly model: string
}

export const searchProvider = (settings: SearchSettings, { env, model }: SearchPlace): SearchProvider => {
  switch (settings.provider) {
    case undefined:
    case "auto":
      return canSearch(model) ? { _tag: "Endpoint" } : none(`the endpoint of ${model} is not known to search the web`)
    case "endpoint":
      return { _tag: "Endpoint" }
    case "off":
      return none("nacre.webSearch.provider is off")
    case "brave":
    case "exa":
      return keyed(settings.provider, settings, env)
    case "searxng":
      return ownSearxng(settings)
    case "mcp":
      return settings.server === undefined || settings.tool === undefined
        ? none("nacre.webSearch.provider is mcp, but server and tool of it are not both set")
        : { _tag: "Server", tool: `mcp__${settings.server}__${settings.tool}` }
  }
}

/** The provider in a few words, for people. */
export const describeProvider = (provider: SearchProvider): string => {
  switch (provider._tag) {
    case "Endpoint":
      return "the model's endpoint"
    case "Service":
      return provider.service === "searxng" ? `SearXNG at ${provider.url}` : provider.service
    case "Server":
      return provider.tool
    case "None":
      return `none (${provider.why})`
  }
}

const MOST_RESULTS = 20
const SNIPPET_CHARS = 300

/** Limits in the words that search engines know; what slips through is taken out of the results. */
const withSites = ({ query, allowed_domains: allowed = [], blocked_domains: blocked = [] }: WebSearchInput): string =>
  [query, allowed.map((domain) => `site:${domain}`).join(" OR "), ...blocked.map((domain) => `-site:${domain}`)]
    .filter((part) => part !== "")
    .join(" ")

const addressOf = (base: string, fields: Readonly<Record<string, string>>): string => {
  const search = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${base}${base.includes("?") ? "&" : "?"}${search.join("&")}`
}

const exaBody = ({ query, allowed_domains: allowed = [], blocked_domains: blocked = [] }: WebSearchInput): string =>
  JSON.stringify({
    query,
    numResults: MOST_RESULTS,
    ...(allowed.length === 0 ? {} : { includeDomains: allowed }),
    ...(blocked.length === 0 ? {} : { excludeDomains: blocked }),
    contents: { text: { maxCharacters: SNIPPET_CHARS } }
  })

type ServiceProvider = Extract<SearchProvider, { readonly _tag: "Service" }>

/** What is sent to a service. */
export interface ServiceRequest {
  readonly url: string
  readonly allowedHosts: ReadonlyArray<string>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The user chose the host, so no rule has to allow it, and one at home may have a private address. */
export const serviceRequest = ({ service, url, key }: ServiceProvider, input: WebSearchInput): ServiceRequest => {
  switch (service) {
    case "searxng": {
      const parsed = parseUrl(url)
      const allowedHosts = parsed === undefined ? [] : [hostOf(parsed)]
      return { url: addressOf(url, { q: withSites(input), format: "json" }), allowedHosts }
    }
    case "brave": {
      const address = addressOf(url, { q: withSites(input), count: String(MOST_RESULTS) })
      return { url: address, allowedHosts: [], headers: { "x-subscription-token": key } }
    }
    case "exa":
      return { url, allowedHosts: [], headers: { "x-api-key": key }, body: exaBody(input) }
  }
}

const SNIPPETS = { searxng: "content", brave: "description", exa: "text" } as const

const listIn = (service: Service, answer: JsonObject): unknown => {
  if (service !== "brave") return answer["results"]
  return isRaw(answer["web"]) ? answer["web"]["results"] : []
}

const hitOf = (value: unknown, snippetField: string): ReadonlyArray<SearchHit> => {
  if (!isRaw(value)) return []
  const { title, url, [snippetField]: snippet } = value
  if (typeof url !== "string") return []
  const named = { title: typeof title === "string" ? title : "", url }
  return [typeof snippet === "string" ? { ...named, snippet } : named]
}

/** The hits of a service's answer; undefined for anything else. */
export const readServiceAnswer = (service: Service, answer: unknown): ReadonlyArray<SearchHit> | undefined => {
  if (!isRaw(answer)) return undefined
  const list = listIn(service, answer)
  return Array.isArray(list) ? list.flatMap((value) => hitOf(value, SNIPPETS[service])) : undefined
}
