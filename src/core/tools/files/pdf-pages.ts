import { Result } from "effect"
import { LIMITS } from "../../domain/limits.ts"

/** Pages of a document, both ends included, 1-based. */
export interface PageSpan {
  readonly first: number
  readonly last: number
}

const SYNTAX = `Give pages as "3", "1-5" or "10-", at most ${LIMITS.pdfPagesPerCall} pages per call.`

/** What `pages` asks for; an open end stays undefined until the document is known. */
const parse = (pages: string): { readonly first: number; readonly last: number | undefined } | undefined => {
  const match = /^\s*(\d{1,9})\s*(?:(-)\s*(\d{1,9})?\s*)?$/.exec(pages)
  if (match === null) return undefined
  const first = Number(match[1])
  if (match[2] === undefined) return { first, last: first }
  return { first, last: match[3] === undefined ? undefined : Number(match[3]) }
}

/** Why `pages` can never be right, whatever the document. */
export const pagesProblem = (pages: string): string | undefined => {
  const parsed = parse(pages)
  if (parsed === undefined) return `InvalidPages: ${JSON.stringify(pages)} is not a page range. ${SYNTAX}`
  const { first, last } = parsed
  if (first < 1 || (last !== undefined && last < first)) {
    return `InvalidPages: ${JSON.stringify(pages)} is an empty range; pages count from 1. ${SYNTAX}`
  }
  if (last !== undefined && last - first + 1 > LIMITS.pdfPagesPerCall) {
    return `InvalidPages: ${JSON.stringify(pages)} asks for ${last - first + 1} pages. ${SYNTAX}`
  }
  return undefined
}

/** The pages to read of a document with `count` pages, or why not. */
export const choosePages = (pages: string | undefined, count: number): Result.Result<PageSpan, string> => {
  if (pages === undefined) {
    if (count <= LIMITS.pdfWholePages) return Result.succeed({ first: 1, last: count })
    return Result.fail(
      `TooManyPages: the PDF has ${count} pages; without \`pages\` at most ${LIMITS.pdfWholePages} are read. ${SYNTAX}`
    )
  }
  const problem = pagesProblem(pages)
  const parsed = parse(pages)
  if (problem !== undefined || parsed === undefined) return Result.fail(problem ?? SYNTAX)
  if (parsed.first > count) {
    return Result.fail(`InvalidPages: the PDF has ${count} pages, page ${parsed.first} does not exist. ${SYNTAX}`)
  }
  const last = Math.min(count, parsed.last ?? count)
  if (last - parsed.first + 1 > LIMITS.pdfPagesPerCall) {
    return Result.fail(`InvalidPages: ${JSON.stringify(pages)} means ${last - parsed.first + 1} pages. ${SYNTAX}`)
  }
  return Result.succeed({ first: parsed.first, last })
}
