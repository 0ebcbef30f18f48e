import { LIMITS } from "../../core/domain/limits.ts"
import type { PageContent } from "../../core/tools/web/web-page.ts"
import { markdownOf } from "./markdown.ts"

/** The body of an answer as text for a reader, or as bytes when it is none. */
const HTML_TYPES = new Set(["text/html", "application/xhtml+xml"])
const TEXT_TYPE = /^text\/|[/+](?:json|xml|(?:x-)?yaml|toml|(?:java|ecma|type)script|x-sh|graphql|sql|x-ndjson)$/
const SNIFFED_BYTES = 8_192

export const mediaTypeOf = (contentType: string): string => (contentType.split(";", 1)[0] ?? "").trim().toLowerCase()

const charsetOf = (contentType: string, body: Uint8Array): string => {
  const declared = /charset\s*=\s*"?([\w:-]+)/i.exec(contentType)?.[1]
  if (declared !== undefined) return declared
  const start = new TextDecoder("latin1").decode(body.subarray(0, 1_024))
  return /<meta[^>]+charset\s*=\s*["']?([\w:-]+)/i.exec(start)?.[1] ?? "utf-8"
}

const decoded = (body: Uint8Array, charset: string): string => {
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}

const isText = (mediaType: string, body: Uint8Array): boolean => {
  if (mediaType !== "" && mediaType !== "application/octet-stream") return TEXT_TYPE.test(mediaType)
  return !body.subarray(0, SNIFFED_BYTES).includes(0)
}

const looksLikeHtml = (text: string): boolean => /^\s*(?:<!doctype html|<html\b)/i.test(text)

export const contentOf = async (contentType: string, body: Uint8Array): Promise<PageContent> => {
  const mediaType = mediaTypeOf(contentType)
  const html = HTML_TYPES.has(mediaType)
  if (!html && !isText(mediaType, body)) return { _tag: "Binary", bytes: body }
  const source = decoded(body, charsetOf(contentType, body))
  const text = html || (mediaType === "" && looksLikeHtml(source)) ? await markdownOf(source) : source
  return { _tag: "Text", text: text.slice(0, LIMITS.webTextChars), cut: text.length > LIMITS.webTextChars }
}
