import { DEFAULT_BASE_URL } from "../../core/model/catalog/model.ts"
import { makeTransport } from "./transport.ts"

/** One request that costs nothing, to learn whether an endpoint accepts a credential. */
export interface Verification {
  readonly kind: "api_key" | "auth_token"
  readonly secret: string
  readonly baseUrl: string | undefined
  readonly proxy: string | undefined
  readonly userAgent: string
}

export type Verdict =
  | { readonly _tag: "Accepted" }
  | { readonly _tag: "Refused"; readonly status: number }
  | { readonly _tag: "Unknown"; readonly why: string }

const PATIENCE_MS = 15_000
const REFUSALS = new Set([401, 403])

const credentialHeader = ({ kind, secret }: Verification): Record<string, string> =>
  kind === "api_key" ? { "x-api-key": secret } : { authorization: `Bearer ${secret}` }

export const verifyCredential = async (asked: Verification): Promise<Verdict> => {
  const base = (asked.baseUrl ?? DEFAULT_BASE_URL).replace(/\/+$/, "")
  try {
    const response = await makeTransport(asked.proxy)(`${base}/v1/models?limit=1`, {
      headers: { "anthropic-version": "2023-06-01", "user-agent": asked.userAgent, ...credentialHeader(asked) },
      signal: AbortSignal.timeout(PATIENCE_MS)
    })
    await response.text()
    if (response.ok) return { _tag: "Accepted" }
    return REFUSALS.has(response.status)
      ? { _tag: "Refused", status: response.status }
      : { _tag: "Unknown", why: `${base} answered ${response.status}` }
  } catch (error) {
    return { _tag: "Unknown", why: `${base}: ${error instanceof Error ? error.message : String(error)}` }
  }
}
