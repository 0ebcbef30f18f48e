import { DEFAULT_BASE_URL } from "../../core/model/catalog/model.ts"
import type { ModelFailure } from "../../core/model/failure/model-failure.ts"
import { missingCredential } from "./errors.ts"
import { makeTransport, type ReceivedResponse } from "./transport.ts"

/**
 * The HTTP side of the Messages endpoint, through the SDK's base client: credentials, version and platform headers,
 * typed errors. The message resources of the SDK stay outside: `messages.create` prints to the console for some
 * models, and with it the bundle is four times as large. Nothing is loaded before the first request.
 */
/** Keys that are not known beforehand. */
export interface KeySource {
  readonly key: () => Promise<string>
  /** The last one was not accepted: another is wanted. */
  readonly refused: () => void
}

export interface EndpointOptions {
  /** Asked before every request, when there is neither key nor token. */
  readonly keys?: KeySource
  readonly apiKey?: string
  readonly authToken?: string
  readonly baseUrl?: string
  readonly customHeaders?: Readonly<Record<string, string>>
  /** Address of the proxy that requests go through; without one they go straight to the host. */
  readonly proxy?: string
  readonly requestTimeoutMs: number
  readonly userAgent: string
}

export interface Posting {
  readonly path: "/v1/messages" | "/v1/messages/count_tokens"
  readonly key: string | undefined
  readonly body: string
  readonly betas: string | undefined
  readonly signal: AbortSignal
}

export interface Endpoint {
  readonly post: (posting: Posting) => Promise<ReceivedResponse>
}

const LONGEST_TIMER_MS = 2_147_483_647

const quiet = (): void => {}
const SILENT_LOGGER = { error: quiet, warn: quiet, info: quiet, debug: quiet }

const HAS_AUTH = new Set(["authorization", "x-api-key"])
const FITS_HEADER = /^[\x21-\x7e]+$/

const given = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

const ownsAuthHeader = (headers: EndpointOptions["customHeaders"]): boolean =>
  Object.keys(headers ?? {}).some((name) => HAS_AUTH.has(name.toLowerCase()))

/** Betas named in a custom header; they are joined with ours instead of being replaced by them. */
export const customBetas = (options: EndpointOptions): ReadonlyArray<string> =>
  Object.entries(options.customHeaders ?? {})
    .filter(([name]) => name.toLowerCase() === "anthropic-beta")
    .flatMap(([, value]) => value.split(",").map((beta) => beta.trim()))
    .filter((beta) => beta !== "")

/** Why no request can be made with these options, if so. Never shows the credential. */
export const credentialProblem = (options: EndpointOptions): ModelFailure | undefined => {
  const credential = given(options.apiKey) ?? given(options.authToken)
  if (credential === undefined) {
    return options.keys !== undefined || ownsAuthHeader(options.customHeaders)
      ? undefined
      : missingCredential("no API key or auth token is set")
  }
  return FITS_HEADER.test(credential)
    ? undefined
    : missingCredential("the API key or auth token holds a character no HTTP header may carry, such as a line break")
}

/**
 * A key goes where gateways look for one, in `x-api-key`; only a token is a bearer. Without either a custom header
 * carries the credential. The SDK would send all of them as bearer; null removes its header.
 */
const credentialHeaders = (options: EndpointOptions): Record<string, string | null> => {
  const apiKey = given(options.apiKey)
  if (apiKey !== undefined) return { authorization: null, "x-api-key": apiKey }
  return given(options.authToken) === undefined ? { authorization: null } : {}
}

const headersOf = (options: EndpointOptions): Record<string, string | null> => ({
  ...credentialHeaders(options),
  "user-agent": options.userAgent,
  ...options.customHeaders
})

export const loadEndpoint = async (options: EndpointOptions): Promise<Endpoint> => {
  const { BaseAnthropic } = await import("@anthropic-ai/sdk/client")
  const apiKey = given(options.apiKey)
  const authToken = given(options.authToken)
  const client = new BaseAnthropic({
    // Always one credential and always a base URL: otherwise the SDK looks for them in the environment and in files.
    ...(apiKey === undefined ? { authToken: authToken ?? "" } : { apiKey }),
    baseURL: given(options.baseUrl) ?? DEFAULT_BASE_URL,
    timeout: Math.min(options.requestTimeoutMs, LONGEST_TIMER_MS),
    maxRetries: 0,
    logLevel: "off",
    logger: SILENT_LOGGER,
    openTelemetry: false,
    webhookKey: null,
    defaultHeaders: headersOf(options),
    fetch: makeTransport(options.proxy)
  })
  return {
    post: async ({ path, body, betas, signal, key }) => {
      const response: unknown = await client
        .post(path, {
          body,
          headers: {
            "content-type": "application/json",
            ...(key === undefined ? {} : { "x-api-key": key }),
            ...(betas === undefined ? {} : { "anthropic-beta": betas })
          },
          stream: true,
          signal
        })
        .asResponse()
      return response as ReceivedResponse
    }
  }
}
