import { bodyOf, bodyToText, detectEncoding } from "../../domain/text/encoding.ts"
import type { FileEntry } from "./file-cache.ts"
import { toLf } from "../../domain/text/line-ending.ts"

interface PresentFile {
  readonly bytes: Uint8Array
  readonly hash: string
}

/** With LF line ends; undefined when it is not text. */
export const presentText = (bytes: Uint8Array): string | undefined => {
  const encoding = detectEncoding(bytes)
  const body = encoding === "binary" ? undefined : bodyOf(bytes, encoding)
  return body === undefined || encoding === "binary" ? undefined : toLf(bodyToText(body, encoding))
}

/** The part of a text that an entry's content once was. */
const sameLines = (text: string, { content, recalled }: FileEntry): string => {
  const from = (recalled?.firstLine ?? 1) - 1
  const endsLine = content.endsWith("\n")
  const count = content.split("\n").length - (endsLine ? 1 : 0)
  const lines = text
    .split("\n")
    .slice(from, from + count)
    .join("\n")
  return endsLine ? `${lines}\n` : lines
}

/**
 * What is known about a file, now that it is at hand. An entry from a transcript becomes one like any other if the file
 * still holds its text; if not, it stays without a hash and so counts as stale.
 */
export const recognise = (entry: FileEntry | undefined, file: PresentFile): FileEntry | undefined => {
  if (entry?.recalled === undefined) return entry
  const text = presentText(file.bytes)
  const present = text === undefined || entry.recalled.isWhole ? text : sameLines(text, entry)
  if (present !== entry.content) return entry
  const { recalled: _recalled, ...known } = entry
  return { ...known, hash: file.hash }
}
