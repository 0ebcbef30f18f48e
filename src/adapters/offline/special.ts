/** Side requests: what the product asks a model beside the conversation. */
import type { ModelRequest, QuerySource } from "../../core/model/request/model-request.ts"
import { isText } from "../../core/domain/block.ts"
import { classify, explainRisk } from "./classifier.ts"
import { LABEL } from "./answer.ts"
import { humanPrompts } from "./conversation.ts"
import { summarise } from "./summary.ts"
import { firstWords } from "./words.ts"

const TITLE_WORDS = 6
const RECAP_WORDS = 20
const EXTRACT_CHARS = 400

const newestText = (request: ModelRequest): string =>
  request.messages
    .flatMap((message) => (message.role === "user" ? message.content.filter(isText) : []))
    .map((block) => block.text)
    .at(-1) ?? ""

const title = (request: ModelRequest): string => {
  const words = firstWords(humanPrompts(request.messages).at(-1)?.text ?? newestText(request), TITLE_WORDS)
  return words === "" ? "Untitled" : words
}

const PAGE = /<(page|web_page|web_content|content|document)\b[^>]*>\s*([\s\S]*?)\s*<\/\1>/i

/** The start of the page; the question about it cannot be answered by rules. */
const extract = (request: ModelRequest): string => {
  const text = newestText(request)
  return (PAGE.exec(text)?.[2] ?? text).trim().slice(0, EXTRACT_CHARS)
}

/** Something that a user may say next after any answer. */
const suggest = (request: ModelRequest): string =>
  humanPrompts(request.messages).some(({ text }) => text === "tour") ? "list the files" : "tour"

/** The user's newest words, which say at least what was wanted. */
const recap = (request: ModelRequest): string => {
  const said = [...newestText(request).matchAll(/<user>([\s\S]*?)<\/user>/g)].at(-1)?.[1] ?? ""
  const wanted = firstWords(said, RECAP_WORDS)
  return `You asked: ${wanted === "" ? "nothing yet" : wanted} (${LABEL}).`
}

/** What is asked to write into the memory calls tools, so it has a plan as the conversation has. */
export type SideSource = Exclude<QuerySource, "main" | "memory_extract">

/** The text that answers a request which is not the conversation's own. */
export const SIDE_ANSWERS: Record<SideSource, (request: ModelRequest, windowTokens: number) => string> = {
  compact: summarise,
  title,
  web_fetch: extract,
  web_search: () => "",
  classifier: classify,
  risk: explainRisk,
  prompt_suggestion: suggest,
  away_summary: recap
}
