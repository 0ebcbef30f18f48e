/** Side requests: what the product asks a model beside the conversation. */
import type { ModelRequest, QuerySource } from "../../core/context/model-request.ts"
import { isText } from "../../core/domain/block.ts"
import { LABEL } from "./answer.ts"
import { humanPrompts } from "./conversation.ts"
import { summarise } from "./summary.ts"
import { firstWords } from "./words.ts"

const TITLE_WORDS = 6
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

interface Danger {
  readonly category: string
  readonly reason: string
  readonly signs: ReadonlyArray<RegExp>
}

/** Categories in the order in which they are tried; the first that fits names the verdict. */
const DANGERS: ReadonlyArray<Danger> = [
  {
    category: "remote_code",
    reason: "runs a program straight from the network",
    signs: [/\b(?:curl|wget)\b[^\n|]*\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b/]
  },
  {
    category: "privilege",
    reason: "asks for the rights of another user",
    signs: [/(?:^|[\s;&|"'`])(?:sudo|doas|su)\s/]
  },
  {
    category: "destructive",
    reason: "destroys data that may not come back",
    signs: [
      /\brm\s+(?:-\w*[rRf]\w*\s+)+/,
      /\bmkfs\b|\bdd\s+[^\n]*of=/,
      /\bgit\s+(?:reset\s+--hard|clean\s+-\w*f|push\s+[^\n]*(?:--force\b|-f\b))/,
      /\b(?:drop|truncate)\s+table\b/i
    ]
  },
  {
    category: "credentials",
    reason: "touches credentials",
    signs: [/\.ssh\/|\bid_(?:rsa|ed25519)\b/, /\.aws\/credentials|\.netrc\b/, /(?:^|[\s/"'`])\.env\b/]
  },
  {
    category: "exfiltration",
    reason: "sends data to another machine",
    signs: [/\bcurl\b[^\n]*\s(?:-d|--data\S*|-F|-T|--upload-file)\s/, /\bscp\s|\bnc\s+\S+\s+\d+/, /\brsync\b[^\n]*\S+:/]
  }
]

const verdict = (request: ModelRequest): string => {
  const action = newestText(request)
  const danger = DANGERS.find(({ signs }) => signs.some((sign) => sign.test(action)))
  return JSON.stringify(
    danger === undefined
      ? { block: false, reason: `No rule of the ${LABEL} objects.`, category: "none" }
      : { block: true, reason: `It ${danger.reason} (rule of the ${LABEL}).`, category: danger.category }
  )
}

export type SideSource = Exclude<QuerySource, "main">

/** The text that answers a request which is not the conversation's own. */
export const SIDE_ANSWERS: Record<SideSource, (request: ModelRequest, windowTokens: number) => string> = {
  compact: summarise,
  title,
  web_fetch: extract,
  classifier: verdict
}
