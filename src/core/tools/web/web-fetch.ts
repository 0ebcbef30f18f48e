import { Schema } from "effect"
import { LIMITS } from "../../domain/limits.ts"
import { hostOf, parseUrl, urlProblem } from "../../domain/net/host.ts"
import description from "./web-fetch.md"
import { makeTool, READ_ONLY, wholeInput } from "../contract/tool.ts"

export const WebFetchInput = Schema.Struct({
  url: Schema.String.annotate({ description: "Complete URL of the page, https:// or http://" }),
  prompt: Schema.NonEmptyString.annotate({ description: "What you want to know from the page" })
})
export type WebFetchInput = typeof WebFetchInput.Type

/** The structured output, with the field names hosts know. */
export interface WebFetchData {
  readonly bytes: number
  readonly code: number
  readonly codeText: string
  readonly result: string
  readonly durationMs: number
  readonly url: string
}

/** Host of a URL as rules compare it; the whole text for what is not a URL, so that no rule can match it by accident. */
const hostFor = (text: string): string => {
  const url = parseUrl(text)
  return url === undefined ? text : hostOf(url)
}

export const webFetchTool = makeTool<WebFetchInput>({
  name: "WebFetch",
  description,
  input: WebFetchInput,
  maxResultChars: 100_000,
  traits: () => ({ ...READ_ONLY, openWorld: true }),
  interrupt: "cancel",
  classifierInput: wholeInput,
  needs: (input) => [{ kind: "fetch", url: input.url, host: hostFor(input.url) }],
  summary: (input) => input.url.slice(0, LIMITS.toolSummaryChars),
  validate: (input) => urlProblem(input.url)
})
