import { Effect, Result } from "effect"
import { idSource, nextUuid } from "../../../core/domain/id.ts"
import { LIMITS } from "../../../core/domain/limits.ts"
import { bodyOf, bodyToText, detectEncoding, fileOf, textToBody } from "../../../core/domain/text/encoding.ts"
import { writeFreshness } from "../../../core/tools/files/freshness.ts"
import { dominantEnding, toLf, withEnding } from "../../../core/domain/text/line-ending.ts"
import { type ChangedNotebook, changeNotebook } from "../../../core/tools/files/notebook-change.ts"
import { languageOf, parseNotebook } from "../../../core/tools/files/notebook.ts"
import { freshnessRefusal, notText } from "../../../core/tools/files/plan-edit.ts"
import { Files } from "../../../core/ports/Files.ts"
import { type NotebookEditInput, notebookEditTool } from "../../../core/tools/files/notebook-edit.ts"
import { FileState } from "../services/file-state.ts"
import type { ToolContext, ToolExecutor, ToolOutput } from "../contract/executor.ts"
import { fileRefusal, type FileTarget, fileTarget, missingFile, refuse, refuseUnread } from "./file-target.ts"

/** Changing one cell of a notebook. */
const failWith = fileRefusal("Nothing was written.")

interface LoadedNotebook {
  readonly text: string
  readonly hash: string
  readonly encode: (text: string) => Uint8Array | undefined
}

const locate = Effect.fnUntraced(function* (input: NotebookEditInput, context: ToolContext) {
  const problem = notebookEditTool.validate?.(input)
  if (problem !== undefined) return yield* refuse(problem)
  return yield* fileTarget(input.notebook_path, context, "Nothing was written.")
})

/** Reading first is required under every policy. */
const load = Effect.fnUntraced(function* (target: FileTarget) {
  const files = yield* Files
  const state = yield* FileState
  const { bytes, hash } = yield* files
    .read(target.path, { approvedRealPath: target.realPath, maxBytes: LIMITS.notebookBytes })
    .pipe(Effect.mapError(failWith))
  const problem = freshnessRefusal(writeFreshness(yield* state.get(target.path), hash), target.path)
  if (problem !== undefined) return yield* refuse(problem)
  const encoding = detectEncoding(bytes)
  const body = encoding === "binary" ? undefined : bodyOf(bytes, encoding)
  if (encoding === "binary" || body === undefined) return yield* refuse(notText(target.path))
  const ending = dominantEnding(body)
  const encode = (text: string): Uint8Array | undefined => {
    const changed = textToBody(withEnding(text, ending), encoding)
    return changed === undefined ? undefined : fileOf(changed, encoding)
  }
  const loaded: LoadedNotebook = { text: toLf(bodyToText(body, encoding)), hash, encode }
  return loaded
})

const change = Effect.fnUntraced(function* (loaded: LoadedNotebook, input: NotebookEditInput, context: ToolContext) {
  const changed = changeNotebook(loaded.text, {
    mode: input.edit_mode ?? "replace",
    cellId: input.cell_id,
    source: toLf(input.new_source),
    cellType: input.cell_type,
    newId: nextUuid(idSource(context.callId))[0].slice(0, 8)
  })
  if (Result.isFailure(changed)) return yield* refuse(changed.failure)
  return changed.success
})

const prepare = Effect.fnUntraced(function* (input: NotebookEditInput, context: ToolContext) {
  const target = yield* locate(input, context)
  if (!target.exists) return
  const state = yield* FileState
  if ((yield* state.get(target.path)) === undefined) yield* refuseUnread(target)
  yield* change(yield* load(target), input, context)
})

const SENTENCES = { replace: "Replaced", insert: "Inserted", delete: "Deleted" } as const

/** Large notebooks are not copied into the transcript. */
const forRecord = (text: string): string => (text.length > LIMITS.originalFileBytes ? "" : text)

const output = (
  target: FileTarget,
  input: NotebookEditInput,
  change: { readonly before: string; readonly changed: ChangedNotebook }
): ToolOutput => {
  const { before, changed } = change
  const mode = input.edit_mode ?? "replace"
  const notebook = parseNotebook(changed.text)
  return {
    data: {
      new_source: mode === "delete" ? "" : input.new_source,
      ...(changed.oldSource === undefined ? {} : { old_source: changed.oldSource }),
      cell_id: changed.cellId,
      cell_type: changed.cellType,
      language: Result.isSuccess(notebook) ? languageOf(notebook.success) : "python",
      edit_mode: mode,
      notebook_path: target.path,
      original_file: forRecord(before),
      updated_file: forRecord(changed.text)
    },
    content: `${SENTENCES[mode]} cell ${changed.cellId} (${changed.cellType}) in ${target.path}.`
  }
}

const run = Effect.fnUntraced(function* (input: NotebookEditInput, context: ToolContext) {
  const target = yield* locate(input, context)
  if (!target.exists) return yield* missingFile(target, context, "Nothing was written.")
  const loaded = yield* load(target)
  const changed = yield* change(loaded, input, context)
  const bytes = loaded.encode(changed.text)
  if (bytes === undefined) {
    return yield* refuse(
      `UnwritableText: ${target.path} is in Latin-1, which lacks characters of new_source. Nothing was written.`
    )
  }
  const files = yield* Files
  const state = yield* FileState
  const written = yield* files
    .write({ path: target.path, bytes, expectedHash: loaded.hash, approvedRealPath: target.realPath })
    .pipe(Effect.mapError(failWith))
  yield* state.record({
    path: target.path,
    content: changed.text,
    mtimeMs: written.stat.mtimeMs,
    size: written.stat.size,
    hash: written.hash,
    partial: false,
    source: "edit"
  })
  return output(target, input, { before: loaded.text, changed })
})

export const notebookEditExecutor: ToolExecutor<NotebookEditInput, Files | FileState> = {
  prepare,
  run
}
