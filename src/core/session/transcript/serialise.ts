import { LIMITS } from "../../domain/limits.ts"
import { isRaw, type JsonObject } from "../../domain/json/json-object.ts"
import { mayHoldSecret, redactLine, type Redaction } from "../../domain/secrets/redact.ts"

/** Text of one line: redacted where it must be, and never longer than a reader accepts. */
const LONG_CHARS = 256 * 1024

const shortened = (value: unknown): unknown => {
  if (typeof value === "string" && value.length > LONG_CHARS) {
    const left = value.length - LONG_CHARS
    return `${value.slice(0, LONG_CHARS)}\n[${left} characters left out: too long for a transcript line]`
  }
  if (Array.isArray(value)) return value.map(shortened)
  if (!isRaw(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item)]))
}

/** Three bytes is the most that one UTF-16 unit takes in UTF-8. */
const fits = (json: string): boolean => json.length * 3 <= LIMITS.inputLineBytes

/**
 * Large content is spilled to its own file before it gets here; what is still too long loses the structured copy of
 * the result first, because the conversation does not need it.
 */
const fitted = (line: JsonObject, json: string): string => {
  if (fits(json)) return json
  const lighter = Object.fromEntries(Object.entries(line).filter(([key]) => key !== "toolUseResult"))
  const light = JSON.stringify(lighter)
  return fits(light) ? light : JSON.stringify(shortened(lighter))
}

/** `redaction` null writes everything as it is. */
export const serialise = (line: JsonObject, redaction: Redaction | null): string => {
  const json = JSON.stringify(line)
  if (redaction === null || line["type"] !== "user" || !mayHoldSecret(json, redaction)) return fitted(line, json)
  const safe = redactLine(line, redaction)
  return fitted(safe, JSON.stringify(safe))
}
