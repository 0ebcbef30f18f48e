/** Script expectations: a script can check what the product really sent before it goes on. */
import { Result } from "effect"
import type { ModelRequest } from "../../core/model/request/model-request.ts"
import { isText } from "../../core/domain/block.ts"
import type { Turn } from "./conversation.ts"
import type { Expectation } from "./entry.ts"

const REGEXP = /^\/(.+)\/([a-z]*)$/s

/** The test that an expectation stands for, or why its regular expression is none. */
export const matcherOf = (text: string): Result.Result<(subject: string) => boolean, string> => {
  const [, source, flags] = REGEXP.exec(text) ?? []
  if (source === undefined) return Result.succeed((subject) => subject.includes(text))
  return Result.try({
    try: () => {
      const pattern = new RegExp(source, (flags ?? "").replaceAll(/[gy]/g, ""))
      return (subject: string) => pattern.test(subject)
    },
    catch: (cause) => (cause instanceof Error ? cause.message : String(cause))
  })
}

/** The request as one text. The prompt that carries the script is left out: it would match itself. */
const serialised = (request: ModelRequest, script: string): string =>
  JSON.stringify({
    system: request.system,
    tools: request.tools,
    messages: request.messages.map((message) => ({
      ...message,
      content: message.content.map((block) =>
        isText(block) && script !== "" && block.text.includes(script)
          ? { ...block, text: block.text.replaceAll(script, "") }
          : block
      )
    }))
  })

const excerpt = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text)

interface ExpectationContext {
  readonly request: ModelRequest
  readonly turn: Turn
  /** The script's own text inside the prompt. */
  readonly script: string
}

/** The sentence about the first expectation that does not hold. */
export const failedExpectation = (
  expectations: ReadonlyArray<Expectation>,
  context: ExpectationContext
): string | undefined => {
  const results = context.turn.latest.map((call) => call.result).join("\n")
  for (const { where, text } of expectations) {
    const onResults = where === "results" || (where === "latest" && context.turn.latest.length > 0)
    const matches = Result.getOrElse(matcherOf(text), () => () => false)
    if (matches(onResults ? results : serialised(context.request, context.script))) continue
    const place = onResults ? `the last tool results, which are: ${excerpt(results)}` : "the request"
    return `OFFLINE EXPECTATION FAILED: ${text} is not in ${place}`
  }
  return undefined
}
