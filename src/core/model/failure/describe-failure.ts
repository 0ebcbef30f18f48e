import type { ModelFailure } from "./model-failure.ts"
import { classify } from "./classify.ts"

const ADVICE: Record<string, string> = {
  authentication_failed: "check ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN",
  billing_error: "check the account's billing and spend limit",
  rate_limit: "wait or lower the request rate",
  model_not_found: "check the model name given with --model",
  overloaded: "try again later or name a --fallback-model"
}

/** Header values and keys that an endpoint may echo back never reach the screen. */
const maskSecrets = (text: string): string => text.replace(/(sk-[a-z]+-)[A-Za-z0-9_-]{8,}/g, "$1…")

/** One sentence: what happened, with status and request id, and what to do about it. */
export const describeFailure = (failure: ModelFailure): string => {
  const reading = classify(failure)
  const status = failure.status === null ? "" : `${failure.status} `
  const kind = failure.kind === "stalled" ? "the stream stalled: " : ""
  const code = failure.code === undefined ? "" : ` (${failure.code})`
  const advice = ADVICE[reading.errorClass]
  const request = failure.requestId === undefined ? "" : ` · request ${failure.requestId}`
  const next = advice === undefined ? "" : ` · ${advice}`
  return `${status}${kind}${maskSecrets(failure.message)}${code}${next}${request}`
}
