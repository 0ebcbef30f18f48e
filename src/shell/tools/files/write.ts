import { Effect } from "effect"
import { LIMITS } from "../../../core/domain/limits.ts"
import { bodyOf, bodyToText, detectEncoding, type Encoding, fileOf } from "../../../core/domain/text/encoding.ts"
import { writeFreshness } from "../../../core/tools/files/freshness.ts"
import { toLf } from "../../../core/domain/text/line-ending.ts"
import { freshnessRefusal } from "../../../core/tools/files/plan-edit.ts"
import { recognise } from "../../../core/tools/files/match-read-content.ts"
import { numberedSnippet } from "../../../core/tools/files/snippet.ts"
import { type ChangeWindow, textWindow } from "../../../core/tools/files/change-windows.ts"
import { type FileContent, Files, type Written } from "../../../core/ports/Files.ts"
import { type WriteInput, writeTool } from "../../../core/tools/files/write.ts"
import { FileState } from "../services/file-state.ts"
import type { ToolContext, ToolExecutor, ToolOutput } from "../contract/executor.ts"
import { fileRefusal, type FileTarget, fileTarget, refuse, refuseUnread } from "./file-target.ts"
import { hunksOf, WINDOW_CONTEXT_LINES } from "./change-hunks.ts"

/** Writing a whole file. */
const failWith = fileRefusal("Nothing was written.")

const locate = Effect.fnUntraced(function* (input: WriteInput, context: ToolContext) {
  const problem = writeTool.validate?.(input)
  if (problem !== undefined) return yield* refuse(problem)
  return yield* fileTarget(input.file_path, context, "Nothing was written.")
})

/** The present content, if the model has seen all of it as it is. */
const knownContent = Effect.fnUntraced(function* (target: FileTarget) {
  const files = yield* Files
  const state = yield* FileState
  const content = yield* files
    .read(target.path, { approvedRealPath: target.realPath, maxBytes: LIMITS.editFileBytes })
    .pipe(Effect.mapError(failWith))
  const freshness = writeFreshness(recognise(yield* state.get(target.path), content), content.hash)
  const problem =
    freshness === "unseen"
      ? `PartialView: only parts of ${target.path} have been shown. Nothing was written. ` +
        "Read all of it before replacing it, or change the part with Edit."
      : freshnessRefusal(freshness, target.path)
  return problem === undefined ? content : yield* refuse(problem)
})

const prepare = Effect.fnUntraced(function* (input: WriteInput, context: ToolContext) {
  const target = yield* locate(input, context)
  if (!target.exists) return
  const state = yield* FileState
  if ((yield* state.get(target.path)) !== undefined) yield* knownContent(target)
  else yield* refuseUnread(target)
})

interface Before {
  readonly encoding: Encoding
  readonly text: string
}

const textBefore = (content: FileContent): Before => {
  const detected = detectEncoding(content.bytes)
  const encoding = detected === "binary" ? "latin1" : detected
  return { encoding, text: bodyToText(bodyOf(content.bytes, encoding) ?? content.bytes, encoding) }
}

/** As given, in UTF-8; only UTF-16 is kept. */
const bytesFor = (content: string, before: Before | undefined): Uint8Array => {
  const body = new TextEncoder().encode(content)
  const wide = before?.encoding === "utf16le" || before?.encoding === "utf16be"
  return wide ? fileOf(body, before.encoding) : body
}

const sameBytes = (left: Uint8Array, right: Uint8Array): boolean => Buffer.compare(left, right) === 0

const result = (
  target: FileTarget,
  input: WriteInput,
  shown: { readonly before: Before | undefined; readonly sentence: string; readonly changed: boolean }
): Effect.Effect<ToolOutput> =>
  Effect.gen(function* () {
    const { before } = shown
    const windows: ReadonlyArray<ChangeWindow> =
      before === undefined || !shown.changed
        ? []
        : [textWindow(toLf(before.text), toLf(input.content), WINDOW_CONTEXT_LINES)]
    const small = before !== undefined && before.text.length <= LIMITS.originalFileBytes
    const snippet = numberedSnippet(windows)
    return {
      data: {
        type: before === undefined ? "create" : "update",
        filePath: target.path,
        content: input.content,
        structuredPatch: yield* hunksOf(windows),
        originalFile: small ? before.text : null
      },
      content: snippet === "" ? shown.sentence : `${shown.sentence}\n${snippet}`
    }
  })

const record = Effect.fnUntraced(function* (target: FileTarget, input: WriteInput, written: Written) {
  const state = yield* FileState
  yield* state.record({
    path: target.path,
    content: toLf(input.content),
    mtimeMs: written.stat.mtimeMs,
    size: written.stat.size,
    hash: written.hash,
    partial: false,
    source: "edit"
  })
})

const run = Effect.fnUntraced(function* (input: WriteInput, context: ToolContext) {
  const target = yield* locate(input, context)
  const content = target.exists ? yield* knownContent(target) : undefined
  const before = content === undefined ? undefined : textBefore(content)
  const bytes = bytesFor(input.content, before)
  if (content !== undefined && sameBytes(content.bytes, bytes)) {
    const sentence = `Unchanged: ${target.path} already has this content; the file was not touched.`
    return yield* result(target, input, { before, sentence, changed: false })
  }
  const files = yield* Files
  const written = yield* files
    .write({ path: target.path, bytes, expectedHash: content?.hash ?? null, approvedRealPath: target.realPath })
    .pipe(Effect.mapError(failWith))
  yield* record(target, input, written)
  const sentence = before === undefined ? `Created ${target.path}.` : `Wrote ${target.path}.`
  return yield* result(target, input, { before, sentence, changed: true })
})

export const writeExecutor: ToolExecutor<WriteInput, Files | FileState> = { prepare, run }
