import type { ModelRequest } from "../../model/request/model-request.ts"
import { text } from "../../domain/block.ts"
import instructions from "./risk.md"

/** The side request that explains what a call could do, for whoever is asked about it. */
export interface RiskInquiry {
  readonly tool: string
  readonly input: unknown
  readonly cwd: string
  readonly sandbox: boolean
  readonly whyAsked: string
  readonly model: string
}

const ANSWER_TOKENS = 400
/** Enough to see what a call is about; a whole file is not needed for that. */
const MOST_INPUT_CHARS = 20_000

/** JSON whose content cannot end the element that it stands in. */
const callText = ({ tool, input, cwd, sandbox, whyAsked }: RiskInquiry): string => {
  const whole = JSON.stringify(input ?? null)
  const shown = whole.length <= MOST_INPUT_CHARS ? { input } : { input_begins: whole.slice(0, MOST_INPUT_CHARS) }
  const call = JSON.stringify({ tool, ...shown, cwd, sandbox, why_asked: whyAsked })
  return `<call>\n${call.replaceAll("<", "\\u003c")}\n</call>`
}

/** Nothing of the conversation goes along: the call alone is what is decided about. */
export const riskRequest = (inquiry: RiskInquiry): ModelRequest => ({
  source: "risk",
  model: inquiry.model,
  max_tokens: ANSWER_TOKENS,
  tools: [],
  system: [text(instructions.trim())],
  messages: [{ role: "user", content: [text(callText(inquiry))] }]
})

const MOST_LINES = 8
const MOST_CHARS = 1_200

/** What was answered, as short as it was asked for; undefined when there is nothing to show. */
export const riskWords = (answer: string): string | undefined => {
  const lines = answer
    .slice(0, MOST_CHARS)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .slice(0, MOST_LINES)
  return lines.length === 0 ? undefined : lines.join("\n")
}
