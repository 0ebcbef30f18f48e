import { Effect } from "effect"
import { readVariable } from "../../../core/domain/env.ts"
import { LIMITS } from "../../../core/domain/limits.ts"
import { announcedEncoding, type Encoding } from "../../../core/domain/text/encoding.ts"
import type { FileEntry } from "../../../core/tools/files/file-cache.ts"
import { makePager, type Page, type Pager, type PageRequest } from "../../../core/tools/files/page.ts"
import { afterRead } from "../../../core/tools/files/read-coverage.ts"
import { binaryType, detectFileType, type Sniffed } from "../../../core/domain/file-type.ts"
import { numberLines } from "../../../core/tools/files/snippet.ts"
import { type FileScan, Files } from "../../../core/ports/Files.ts"
import type { ReadInput } from "../../../core/tools/files/read.ts"
import { FileState } from "../services/file-state.ts"
import type { ToolContext, ToolOutput, ToolRefusal } from "../contract/executor.ts"
import { fileRefusal, type FileTarget, refuse } from "./file-target.ts"

/** Reading lines of text. */
export const readTokens = (env: ToolContext["env"]): number => {
  const wanted = Number(readVariable(env, "FILE_READ_MAX_OUTPUT_TOKENS"))
  return Number.isInteger(wanted) && wanted > 0 ? wanted : LIMITS.readTokens
}

/** A file after one pass: lines, or what it is instead of text. */
type Scanned =
  | { readonly kind: "text"; readonly page: Page; readonly encoding: Encoding; readonly scan: FileScan }
  | { readonly kind: "media"; readonly media: Exclude<Sniffed, undefined> }
  | { readonly kind: "binary"; readonly type: string; readonly scan: FileScan }

type Lines = Omit<PageRequest, "encoding">

const EMPTY_PAGE: Page = {
  lines: [],
  totalLines: 0,
  cutLines: 0,
  full: false,
  endsWithNewline: false,
  validEncoding: true
}

/** One pass over the file; the first piece decides what it is. */
const scanOnce = Effect.fnUntraced(function* (
  target: FileTarget,
  lines: Lines,
  forced: Encoding | undefined
): Effect.fn.Return<Scanned, ToolRefusal, Files> {
  const files = yield* Files
  let media: Sniffed
  let binary: string | undefined
  let encoding: Encoding = forced ?? "utf8"
  let pager: Pager | undefined
  const open = (head: Uint8Array): Pager | undefined => {
    media = detectFileType(head)
    if (media !== undefined) return undefined
    const announced = forced ?? announcedEncoding(head)
    if (announced === "binary") {
      binary = binaryType(head)
      return undefined
    }
    encoding = announced
    return makePager({ ...lines, encoding })
  }
  const consume = (piece: Uint8Array): boolean => {
    pager ??= open(piece)
    return pager?.push(piece) ?? false
  }
  const scan = yield* files
    .scan(target.path, consume, { approvedRealPath: target.realPath })
    .pipe(Effect.mapError(fileRefusal("Nothing was read.")))
  if (media !== undefined) return { kind: "media", media }
  if (binary !== undefined) return { kind: "binary", type: binary, scan }
  return { kind: "text", page: pager?.finish() ?? EMPTY_PAGE, encoding, scan }
})

/** Text that turns out not to be UTF-8 is read a second time as Latin-1. */
export const scanFile = Effect.fnUntraced(function* (target: FileTarget, lines: Lines) {
  const first = yield* scanOnce(target, lines, undefined)
  return first.kind === "text" && !first.page.validEncoding ? yield* scanOnce(target, lines, "latin1") : first
})

export type ScannedText = Extract<Scanned, { readonly kind: "text" }>

export const linesWanted = (input: ReadInput, context: ToolContext): Lines => ({
  firstLine: input.offset ?? 1,
  maxLines: input.limit ?? LIMITS.readLines,
  maxTokens: readTokens(context.env),
  stopWhenFull: input.offset !== undefined || input.limit !== undefined
})

/** The shown lines as they stand in the file, with LF line ends. */
const exactText = (page: Page, reachesEnd: boolean): string => {
  const text = page.lines.join("\n")
  return page.lines.length > 0 && (!reachesEnd || page.endsWithNewline) ? `${text}\n` : text
}

export const entryOf = (target: FileTarget, input: ReadInput, text: ScannedText): FileEntry => {
  const { page, scan } = text
  const first = input.offset ?? 1
  const last = first + page.lines.length - 1
  const reachesEnd = last >= page.totalLines
  return {
    path: target.path,
    content: page.cutLines > 0 ? "" : exactText(page, reachesEnd),
    mtimeMs: scan.stat.mtimeMs,
    size: scan.stat.size,
    hash: scan.hash ?? "",
    ...(input.offset === undefined ? {} : { offset: input.offset }),
    ...(input.limit === undefined ? {} : { limit: input.limit }),
    partial: first !== 1 || !reachesEnd || page.cutLines > 0,
    seen: page.lines.length === 0 ? [] : [{ first, last }],
    source: "read"
  }
}

/** The same part was shown before and is still what the file says. */
export const isRepeat = (known: FileEntry | undefined, input: ReadInput, hash: string | undefined): boolean =>
  known?.source === "read" && known.hash === hash && known.offset === input.offset && known.limit === input.limit

export const unchangedOutput = (target: FileTarget): ToolOutput => ({
  data: { type: "file_unchanged", file: { filePath: target.path } },
  content: `Unchanged: ${target.path} is as it was when this part was read before; that result still holds.`
})

const notes = (target: FileTarget, input: ReadInput, text: ScannedText): ReadonlyArray<string> => {
  const { page, encoding } = text
  const first = input.offset ?? 1
  const last = first + page.lines.length - 1
  const more = input.limit === undefined && last < page.totalLines
  return [
    ...(more
      ? [
          `PARTIAL view: lines ${first}-${last} of ${page.totalLines}. Go on with offset ${last + 1}, ` +
            "ask for a part with offset and limit, or search with Grep."
        ]
      : []),
    ...(encoding === "latin1" ? ["Not UTF-8: shown as Latin-1."] : []),
    ...(target.wasRelative ? [`Relative path: resolved to ${target.path}.`] : [])
  ]
}

const emptyText = (target: FileTarget, input: ReadInput, page: Page): string =>
  page.totalLines === 0
    ? `[${target.path} exists and is empty.]`
    : `[${target.path} has ${page.totalLines} lines; there is nothing at line ${input.offset ?? 1}.]`

const output = (target: FileTarget, input: ReadInput, text: ScannedText): ToolOutput => {
  const { page } = text
  const startLine = input.offset ?? 1
  const shown = page.lines.length === 0 ? emptyText(target, input, page) : numberLines(page.lines, startLine)
  const remarks = notes(target, input, text).map((note) => `[${note}]`)
  return {
    data: {
      type: "text",
      file: {
        filePath: target.path,
        content: exactText(page, startLine + page.lines.length - 1 >= page.totalLines),
        numLines: page.lines.length,
        startLine,
        totalLines: page.totalLines,
        ...(page.full ? { truncatedByTokenCap: true } : {})
      }
    },
    content: remarks.length === 0 ? shown : `${shown}\n\n${remarks.join("\n")}`
  }
}

/** The result of a text that was scanned, and what the model knows afterwards. */
export const showText = Effect.fnUntraced(function* (
  target: FileTarget,
  input: ReadInput,
  text: ScannedText & { readonly maxTokens: number }
) {
  const { page } = text
  if (page.full && (input.offset !== undefined || input.limit !== undefined)) {
    return yield* refuse(
      `TooManyTokens: the requested lines of ${target.path} exceed ${text.maxTokens} tokens; ` +
        `${page.lines.length} lines would fit. Nothing was read. Give a smaller limit, or search with Grep.`
    )
  }
  const state = yield* FileState
  const known = yield* state.get(target.path)
  if (isRepeat(known, input, text.scan.hash)) return unchangedOutput(target)
  if (page.lines.length > 0 || page.totalLines === 0) {
    const entry = entryOf(target, input, text)
    const isLastPage = (entry.seen?.[0]?.last ?? 0) >= page.totalLines
    yield* state.record(afterRead(known, entry, isLastPage))
  }
  return output(target, input, text)
})
