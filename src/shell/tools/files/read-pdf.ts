import { Effect, Result } from "effect"
import type { getDocumentProxy } from "unpdf"
import { estimateText } from "../../../core/model/tokens/estimate.ts"
import { choosePages, type PageSpan } from "../../../core/tools/files/pdf-pages.ts"
import { Files } from "../../../core/ports/Files.ts"
import type { ReadInput } from "../../../core/tools/files/read.ts"
import type { ToolContext, ToolOutput, ToolRefusal } from "../contract/executor.ts"
import { fileRefusal, type FileTarget, refuse } from "./file-target.ts"
import { readTokens } from "./read-text.ts"

/** PDF files: whole as a document where the model takes it, otherwise the text of each page. */
const SOURCE_BYTES = 100 * 1024 * 1024
/** Base64 of more would not fit into one request. */
const DOCUMENT_BYTES = 20 * 1024 * 1024

/** Model families that look at PDF documents themselves. */
const acceptsDocuments = (model: string): boolean =>
  model.includes("claude") && !/claude-(instant|[12]|3-(opus|sonnet|haiku))/.test(model)

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>

const REASONS: Readonly<Record<string, string>> = {
  PasswordException: "EncryptedPdf: {path} needs a password. Nothing was read. Ask the user for an unlocked copy.",
  InvalidPDFException: "DamagedPdf: {path} is not a readable PDF file. Nothing was read."
}

const pdfRefusal = (target: FileTarget, cause: unknown): ToolRefusal => {
  const name = cause instanceof Error ? cause.name : ""
  const detail = cause instanceof Error ? cause.message : String(cause)
  const text = REASONS[name] ?? `DamagedPdf: {path} could not be read (${detail}). Nothing was read.`
  return refuse(text.replace("{path}", () => target.path))
}

const openPdf = (target: FileTarget, bytes: Uint8Array): Effect.Effect<PdfDocument, ToolRefusal> =>
  Effect.tryPromise({
    // The library takes the buffer over and would print warnings to the terminal.
    try: async () => (await import("unpdf")).getDocumentProxy(bytes.slice(), { verbosity: 0 }),
    catch: (cause) => pdfRefusal(target, cause)
  })

const pageText = async (document: PdfDocument, number: number): Promise<string> => {
  const page = await document.getPage(number)
  const content = await page.getTextContent()
  return content.items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("")
}

const extract = (
  target: FileTarget,
  document: PdfDocument,
  span: PageSpan
): Effect.Effect<ReadonlyArray<string>, ToolRefusal> =>
  Effect.tryPromise({
    try: async () => {
      const texts: Array<string> = []
      for (let number = span.first; number <= span.last; number++) texts.push(await pageText(document, number))
      return texts
    },
    catch: (cause) => pdfRefusal(target, cause)
  })

const wholeDocument = (target: FileTarget, bytes: Uint8Array): ToolOutput => {
  const base64 = Buffer.from(bytes).toString("base64")
  return {
    data: { type: "pdf", file: { filePath: target.path, base64, originalSize: bytes.length } },
    content: [{ type: "document", source: { type: "base64", media_type: "application/pdf", data: base64 } }]
  }
}

/** The text of each page, also kept as a file of its own beside the session. */
const savePages = Effect.fnUntraced(function* (texts: ReadonlyArray<string>, first: number, context: ToolContext) {
  const files = yield* Files
  const outputDir = `${context.sessionDir}/tool-results/${context.callId}-pages`
  for (const [index, text] of texts.entries()) {
    yield* files
      .write({
        path: `${outputDir}/page-${first + index}.txt`,
        bytes: new TextEncoder().encode(text),
        expectedHash: null,
        onlyForOwner: true
      })
      .pipe(Effect.mapError(fileRefusal("Nothing was read.")))
  }
  return outputDir
})

const pageTexts = (texts: ReadonlyArray<string>, first: number): string =>
  texts
    .map((text) => (text.trim() === "" ? "(no text on this page)" : text))
    .map((text, index) => `<page number="${first + index}">\n${text}\n</page>`)
    .join("\n")

interface OpenPdf {
  readonly target: FileTarget
  readonly bytes: Uint8Array
  readonly document: PdfDocument
}

const showPdf = Effect.fnUntraced(function* (pdf: OpenPdf, input: ReadInput, context: ToolContext) {
  const { target, bytes, document } = pdf
  if (document.numPages === 0) return yield* refuse(`EmptyPdf: ${target.path} has no pages. Nothing was read.`)
  const chosen = choosePages(input.pages, document.numPages)
  if (Result.isFailure(chosen)) return yield* refuse(`${chosen.failure} Nothing was read.`)
  const whole = input.pages === undefined && bytes.length <= DOCUMENT_BYTES
  if (whole && acceptsDocuments(context.model)) return wholeDocument(target, bytes)
  const span = chosen.success
  const texts = yield* extract(target, document, span)
  const content = pageTexts(texts, span.first)
  const limit = readTokens(context.env)
  if (estimateText(content) > limit) {
    return yield* refuse(
      `TooManyTokens: pages ${span.first}-${span.last} of ${target.path} exceed ${limit} tokens. Nothing was read. ` +
        "Ask for fewer pages."
    )
  }
  const outputDir = yield* savePages(texts, span.first, context)
  const output: ToolOutput = {
    data: {
      type: "parts",
      file: { filePath: target.path, originalSize: bytes.length, count: texts.length, outputDir }
    },
    content: `Text of pages ${span.first}-${span.last} of ${document.numPages}; pictures are not included.\n${content}`
  }
  return output
})

export const readPdf = Effect.fnUntraced(function* (target: FileTarget, input: ReadInput, context: ToolContext) {
  const files = yield* Files
  const { bytes } = yield* files
    .read(target.path, { approvedRealPath: target.realPath, maxBytes: SOURCE_BYTES })
    .pipe(Effect.mapError(fileRefusal("Nothing was read.")))
  return yield* Effect.acquireUseRelease(
    openPdf(target, bytes),
    (document) => showPdf({ target, bytes, document }, input, context),
    (document) => Effect.promise(() => document.destroy())
  )
})
