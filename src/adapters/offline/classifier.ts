/**
 * The classifier of auto mode by rules, and what it says about the risk of a call: a table of categories with signs in the action itself. It does not understand
 * prose, so neither the lists of the settings nor the conversation change what it says.
 */
import type { ModelRequest } from "../../core/model/request/model-request.ts"
import { isText } from "../../core/domain/block.ts"
import { LABEL } from "./answer.ts"

interface Category {
  readonly name: string
  readonly reason: string
  readonly signs: ReadonlyArray<RegExp>
}

/** In the order in which they are tried; the first that fits names the verdict. */
const CATEGORIES: ReadonlyArray<Category> = [
  {
    name: "remote_code",
    reason: "runs a program straight from the network",
    signs: [
      /\b(?:curl|wget)\b[^\n|]*\|\s*(?:sudo\s+)?(?:(?:ba|z|da|k)?sh|python\d*|node|perl|ruby)\b/,
      /\b(?:ba|z|da)?sh\s+(?:-c\s+)?["']?(?:<\(|\$\()\s*(?:curl|wget)\b/
    ]
  },
  {
    name: "privilege",
    reason: "asks for the rights of another user",
    signs: [/(?:^|[\s;&|"'`(])(?:sudo|doas|su)\s/, /\bchmod\s+(?:-\w+\s+)*[ug]?\+s\b/]
  },
  {
    name: "shared_system",
    reason: "changes what others rely on",
    signs: [
      /\bgit\s+(?:-\w+\s+)*push\b[^\n]*\s(?:-f|--force|--force-with-lease\S*|--mirror|--delete|\+\w\S*)(?=$|[\s"'\\;&|])/,
      /\b(?:npm|yarn|pnpm|cargo|twine|gem)\s+(?:publish|upload|push)\b/,
      /\b(?:terraform|pulumi)\s+(?:apply|destroy|up)\b/,
      /\bkubectl\s+(?:apply|delete|scale|rollout|drain)\b/,
      /\b(?:drop|truncate)\s+(?:table|database|schema)\b/i
    ]
  },
  {
    name: "destructive",
    reason: "destroys data that may not come back",
    signs: [
      /\brm\s+(?:-\w*[rRf]\w*\s+)+/,
      /\bmkfs\b|\bdd\s+[^\n]*of=|\bshred\b/,
      /\bgit\s+(?:reset\s+--hard|clean\s+-\w*f|checkout\s+--\s|stash\s+(?:drop|clear)|branch\s+-D)\b/,
      /\bfind\b[^\n]*\s-delete\b/
    ]
  },
  {
    name: "credentials",
    reason: "touches credentials",
    signs: [
      /\.ssh\/|\bid_(?:rsa|ed25519|ecdsa)\b/,
      /\.aws\/|\.netrc\b|\.pgpass\b|\.gnupg\/|\.kube\/config/,
      /(?:^|[\s/"'`=])\.env(?!\.(?:example|sample|template|dist)\b)(?:\.\w+)?(?=$|[\s"'`\\;&|])/,
      /\/etc\/shadow\b/
    ]
  },
  {
    name: "persistence",
    reason: "changes what runs by itself later",
    signs: [
      /\bcrontab\s+(?!-l)|\bsystemctl\s+enable\b|\blaunchctl\s+load\b/,
      /\.git\/hooks\/|\.(?:bashrc|zshrc|profile|bash_profile)\b|authorized_keys\b/
    ]
  },
  {
    name: "exfiltration",
    reason: "sends data to another machine",
    signs: [
      /\bcurl\b[^\n]*\s(?:-d|--data\S*|-F|--form|-T|--upload-file)\s/,
      /\bscp\s|\bsftp\s|\bnc\s+(?:-\w+\s+)*\S+\s+\d+/,
      /\brsync\b[^\n]*\S+:/
    ]
  }
]

const ACTION = /<(action|call)>\n([\s\S]*?)\n<\/\1>/

/** The text that describes the action, free of its JSON as far as signs could hang on it. */
const actionOf = (request: ModelRequest): string => {
  const texts = request.messages.flatMap(({ content }) => content.filter(isText)).map((block) => block.text)
  const action = texts.map((text) => ACTION.exec(text)?.[2]).findLast((found) => found !== undefined) ?? texts.at(-1) ?? ""
  try {
    const { input } = JSON.parse(action) as { readonly input?: unknown }
    const fields: unknown = typeof input === "string" ? JSON.parse(input) : input
    return typeof fields === "object" && fields !== null ? Object.values(fields).map(String).join("\n") : action
  } catch {
    return action
  }
}

const categoriesOf = (action: string): ReadonlyArray<Category> =>
  CATEGORIES.filter(({ signs }) => signs.some((sign) => sign.test(action)))

/** The verdict, in full for either look. */
export const classify = (request: ModelRequest): string => {
  const [found] = categoriesOf(actionOf(request))
  return JSON.stringify(
    found === undefined
      ? { block: false, reason: `No rule of the ${LABEL} objects.`, category: "none" }
      : { block: true, reason: `It ${found.reason} (rule of the ${LABEL}).`, category: found.name }
  )
}

/** Every rule that has something against the call; knowing nothing bad is not knowing that it is harmless. */
export const explainRisk = (request: ModelRequest): string => {
  const found = categoriesOf(actionOf(request))
  const words =
    found.length === 0
      ? ["Risk: not known", "No rule of mine knows a danger in this call; that does not make it harmless."]
      : ["Risk: high", `It ${found.map(({ reason }) => reason).join(", and ")}.`]
  return [...words, `(${LABEL}: I match patterns and cannot judge this call.)`].join("\n")
}
