import { Result } from "effect"
import { LIMITS } from "../../domain/limits.ts"
import { closestRange } from "./closest-match.ts"
import { bodyOf, bodyToText, detectEncoding, type Encoding, textToBody } from "../../domain/text/encoding.ts"
import type { FileEntry, LineRange } from "./file-cache.ts"
import { editFreshness, type Freshness, knowledgeOf, type StalenessPolicy } from "./freshness.ts"
import { dominantEnding, linesOf, toLf, withEnding } from "../../domain/text/line-ending.ts"
import { findSpans, linesOfSpans, replaceSpans, type Span } from "./replace.ts"
import type { LineChange } from "./read-coverage.ts"
import { numberLines } from "./snippet.ts"

/** Everything that decides about an edit of a file that exists, gathered before. */
export interface EditQuestion {
  readonly path: string
  readonly bytes: Uint8Array
  readonly hash: string
  readonly oldString: string
  readonly newString: string
  readonly replaceAll: boolean
  readonly entry: FileEntry | undefined
  readonly policy: StalenessPolicy
  readonly freelyReadable: boolean
}

/** An edit that may be made. Bodies are as in encoding.ts. */
export interface EditPlan {
  readonly encoding: Encoding
  readonly before: Uint8Array
  readonly spans: ReadonlyArray<Span>
  readonly replacement: Uint8Array
  readonly changes: ReadonlyArray<LineChange>
  /** The file holds changes that the model has not seen. */
  readonly otherChanges: boolean
}

/** An edit that was worked out: the second and last copy of the file in memory. */
export interface EditedBody extends EditPlan {
  readonly after: Uint8Array
}

export const applyPlan = (plan: EditPlan): EditedBody => ({
  ...plan,
  after: replaceSpans(plan.before, plan.spans, plan.replacement)
})

export const unread = (path: string): string =>
  `UnreadFile: ${path} has not been read yet. Nothing was written. Read it first, then try again.`

const REFUSALS: Readonly<Record<Exclude<Freshness, "fresh" | "otherChanges">, (path: string) => string>> = {
  unread,
  stale: (path) =>
    `StaleFile: ${path} was modified since it was read, by the user or by a tool. Nothing was written. ` +
    "Read it again, then try again.",
  unseen: (path) =>
    `PartialView: the text to change in ${path} lies outside the part that was shown. Nothing was written. ` +
    "Read those lines first."
}

export const freshnessRefusal = (freshness: Freshness, path: string): string | undefined =>
  freshness === "fresh" || freshness === "otherChanges" ? undefined : REFUSALS[freshness](path)

export const notText = (path: string): string => `BinaryFile: ${path} is not a text file. Nothing was written.`

const brokenUtf16 = (path: string): string =>
  `BrokenEncoding: ${path} is UTF-16 with unpaired halves and could not be written back unchanged. Nothing was written.`

const HINT_BYTES = 2 * 1024 * 1024
const HINT_LINES = 20

const noMatch = (question: EditQuestion, body: Uint8Array, encoding: Encoding): string => {
  if (question.policy === "strict" && knowledgeOf(question.entry, question.hash) === "stale") {
    return REFUSALS.stale(question.path)
  }
  const said = `NoMatch: old_string does not occur in ${question.path}. Nothing was written.`
  const rule = "It must match exactly, blanks, tabs and indentation included."
  if (body.length > HINT_BYTES) return `${said} ${rule}`
  const text = toLf(bodyToText(body, encoding))
  const closest = closestRange(text, toLf(question.oldString))
  if (closest === undefined) return `${said} ${rule} Read the place again.`
  const { firstLine, lastLine } = closest
  const lines = linesOf(text).slice(firstLine - 1, Math.min(lastLine, firstLine - 1 + HINT_LINES))
  const where = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine}-${lastLine}`
  const shown = numberLines(lines, firstLine).slice(0, LIMITS.editSnippetChars)
  return `${said} ${rule} The closest text is ${where}:\n${shown}`
}

const LISTED_LINES = 10

const ambiguous = (question: EditQuestion, lines: ReadonlyArray<number>): string => {
  const more = lines.length > LISTED_LINES ? ", ..." : ""
  return (
    `AmbiguousMatch: old_string occurs ${lines.length} times in ${question.path}, at lines ` +
    `${lines.slice(0, LISTED_LINES).join(", ")}${more}. Nothing was written. ` +
    "Add neighbouring lines to make it unique, or set replace_all to change every occurrence."
  )
}

const unencodable = (path: string): string =>
  `UnwritableText: ${path} is in Latin-1, which lacks characters of new_string. Nothing was written. ` +
  "Convert the file to UTF-8 first if the user wants that."

const countFeeds = (text: string): number => text.split("\n").length - 1

/** Lines that the match beginning on `line` covers. */
const coveredLines = (line: number, sought: string): LineRange => {
  const feeds = countFeeds(sought)
  const beyond = sought.endsWith("\n") ? 1 : 0
  return { first: line, last: line + Math.max(0, feeds - beyond) }
}

/** Checks in the order that the product promises: known, fresh, found, unique, seen. */
export const planEdit = (question: EditQuestion): Result.Result<EditPlan, string> => {
  const { path, bytes, entry, hash, policy } = question
  const encoding = detectEncoding(bytes)
  if (encoding === "binary") return Result.fail(notText(path))
  const before = bodyOf(bytes, encoding)
  if (before === undefined) return Result.fail(brokenUtf16(path))
  const sought = toLf(question.oldString)
  const knowsText = entry?.content.includes(sought) === true
  const early = policy === "strict" && !knowsText ? freshnessRefusal(knowledgeOf(entry, hash), path) : undefined
  if (early !== undefined) return Result.fail(early)
  const needle = textToBody(sought, encoding)
  const spans = needle === undefined ? [] : findSpans(before, needle)
  if (spans.length === 0) return Result.fail(noMatch(question, before, encoding))
  const starts = linesOfSpans(before, spans)
  if (spans.length > 1 && !question.replaceAll) return Result.fail(ambiguous(question, starts))
  const matches = starts.map((line) => coveredLines(line, sought))
  const { freelyReadable } = question
  const freshness = editFreshness({ policy, entry, currentHash: hash, matches, knowsText, freelyReadable })
  const late = freshnessRefusal(freshness, path)
  if (late !== undefined) return Result.fail(late)
  const replacement = textToBody(withEnding(question.newString, dominantEnding(before)), encoding)
  if (replacement === undefined) return Result.fail(unencodable(path))
  const growth = countFeeds(toLf(question.newString)) - countFeeds(sought)
  return Result.succeed({
    encoding,
    before,
    spans,
    replacement,
    changes: matches.map((lines) => ({ lines, growth })),
    otherChanges: freshness === "otherChanges"
  })
}
