import { isRaw, type JsonObject } from "../json/json-object.ts"

/**
 * Keeps secrets out of files: fixed-prefix tokens, private keys and the program's own credentials become
 * `[redacted:<kind>]`. In transcripts that is so inside tool results and shell output; in debug logs, explanations and
 * exports everywhere. The live conversation is not changed.
 */
export interface Redaction {
  /** Credentials of this program, replaced wherever they occur in such output. */
  readonly secrets: ReadonlyArray<string>
}

interface SecretShape {
  readonly kind: string
  readonly pattern: RegExp
}

/** The part before each token's random half; a line without any of these needs no second look. */
const MARK = new RegExp(
  [
    "sk-ant-|sk-proj-|sk-svcacct-|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|xapp-|A[KS]IA|AIza",
    "[sr]k_live_|npm_|pypi-AgE|hf_|dop_v1_|SG\\.|shpat_|sk-[A-Za-z0-9]{20}|hvs\\.|eyJ|PRIVATE KEY"
  ].join("|")
)

const KEY_NAME = "(?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?"

const SHAPES: ReadonlyArray<SecretShape> = [
  {
    kind: "private-key",
    pattern: new RegExp(`-----BEGIN ${KEY_NAME}-----[\\s\\S]*?(?:-----END ${KEY_NAME}-----|$)`, "g")
  },
  { kind: "anthropic-key", pattern: /\bsk-ant-[A-Za-z0-9_-]{20,}/g },
  { kind: "openai-key", pattern: /\bsk-(?:proj|svcacct)-[A-Za-z0-9_-]{20,}/g },
  { kind: "github-token", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})/g },
  { kind: "gitlab-token", pattern: /\bglpat-[A-Za-z0-9_-]{20,}/g },
  { kind: "slack-token", pattern: /\b(?:xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[0-9]-[A-Za-z0-9-]{10,})/g },
  { kind: "aws-key", pattern: /\bA[KS]IA[A-Z0-9]{16}\b/g },
  { kind: "google-key", pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { kind: "stripe-key", pattern: /\b[sr]k_live_[A-Za-z0-9]{20,}/g },
  { kind: "npm-token", pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: "pypi-token", pattern: /\bpypi-AgE[A-Za-z0-9_-]{50,}/g },
  { kind: "huggingface-token", pattern: /\bhf_[A-Za-z0-9]{30,}/g },
  { kind: "digitalocean-token", pattern: /\bdop_v1_[a-f0-9]{64}\b/g },
  { kind: "sendgrid-key", pattern: /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{30,}/g },
  { kind: "shopify-token", pattern: /\bshpat_[a-f0-9]{32}\b/g },
  { kind: "openai-key", pattern: /\bsk-[A-Za-z0-9]{40,}\b/g },
  { kind: "vault-token", pattern: /\bhvs\.[A-Za-z0-9_-]{24,}/g },
  { kind: "jwt", pattern: /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g }
]

/** Shorter values would hit ordinary words. */
const SECRET_CHARS = 8

const ownSecrets = ({ secrets }: Redaction): ReadonlyArray<string> => secrets.filter((value) => value.length >= SECRET_CHARS)

export const redactText = (text: string, redaction: Redaction): string => {
  const known = ownSecrets(redaction).reduce((rest, secret) => rest.replaceAll(secret, "[redacted:credential]"), text)
  if (!MARK.test(known)) return known
  return SHAPES.reduce((rest, { kind, pattern }) => rest.replace(pattern, `[redacted:${kind}]`), known)
}

/** Every text inside a value; the value itself is returned when nothing changed. */
export const redactDeep = (value: unknown, redaction: Redaction): unknown => {
  if (typeof value === "string") return redactText(value, redaction)
  if (Array.isArray(value)) {
    const items = value.map((item) => redactDeep(item, redaction))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isRaw(value)) return value
  const entries = Object.entries(value).map(([key, item]) => [key, redactDeep(item, redaction)] as const)
  return entries.some(([key, item]) => item !== value[key]) ? Object.fromEntries(entries) : value
}

const SHELL_OUTPUT = /^\s*<(?:bash-std(?:out|err)|local-command-std(?:out|err))>/

const redactContent = (content: unknown, redaction: Redaction): unknown => {
  if (typeof content === "string") return SHELL_OUTPUT.test(content) ? redactText(content, redaction) : content
  if (!Array.isArray(content)) return content
  return content.map((block: unknown) => {
    if (!isRaw(block)) return block
    if (block["type"] === "tool_result") return { ...block, content: redactDeep(block["content"], redaction) }
    const shown = block["text"]
    return typeof shown === "string" ? { ...block, text: redactContent(shown, redaction) } : block
  })
}

/** A user line with its tool results and shell output redacted; other lines come back as they are. */
export const redactLine = (line: JsonObject, redaction: Redaction): JsonObject => {
  const message = line["message"]
  if (line["type"] !== "user" || !isRaw(message)) return line
  return {
    ...line,
    message: { ...message, content: redactContent(message["content"], redaction) },
    ...("toolUseResult" in line ? { toolUseResult: redactDeep(line["toolUseResult"], redaction) } : {})
  }
}

/** Whether serialised text may hold a secret at all; a cheap look that spares nearly every line the careful one. */
export const mayHoldSecret = (json: string, redaction: Redaction): boolean =>
  MARK.test(json) || ownSecrets(redaction).some((secret) => json.includes(JSON.stringify(secret).slice(1, -1)))
