import { Effect, Result } from "effect"
import { estimateText } from "../../../core/model/tokens/estimate.ts"
import { LIMITS } from "../../../core/domain/limits.ts"
import { bodyOf, bodyToText, detectEncoding } from "../../../core/domain/text/encoding.ts"
import { toLf } from "../../../core/domain/text/line-ending.ts"
import { cellBlocks, parseNotebook, viewCells } from "../../../core/tools/files/notebook.ts"
import { Files } from "../../../core/ports/Files.ts"
import type { ReadInput } from "../../../core/tools/files/read.ts"
import { FileState } from "../services/file-state.ts"
import type { ToolContext, ToolOutput } from "../contract/executor.ts"
import { fileRefusal, type FileTarget, refuse } from "./file-target.ts"
import { isRepeat, readTokens, unchangedOutput } from "./read-text.ts"

/** Reading a notebook cell by cell. */
const textOfNotebook = (bytes: Uint8Array): string | undefined => {
  const encoding = detectEncoding(bytes)
  const body = encoding === "binary" ? undefined : bodyOf(bytes, encoding)
  return body === undefined || encoding === "binary" ? undefined : toLf(bodyToText(body, encoding))
}

export const readNotebook = Effect.fnUntraced(function* (target: FileTarget, input: ReadInput, context: ToolContext) {
  const files = yield* Files
  const { bytes, hash, stat } = yield* files
    .read(target.path, { approvedRealPath: target.realPath, maxBytes: LIMITS.notebookBytes })
    .pipe(Effect.mapError(fileRefusal("Nothing was read.")))
  const text = textOfNotebook(bytes)
  if (text === undefined) return yield* refuse(`InvalidNotebook: ${target.path} is not text. Nothing was read.`)
  const notebook = parseNotebook(text)
  if (Result.isFailure(notebook)) {
    return yield* refuse(
      `InvalidNotebook: ${target.path}: ${notebook.failure}. Nothing was read. ` +
        "Give offset and limit to see the file as plain text."
    )
  }
  const state = yield* FileState
  if (isRepeat(yield* state.get(target.path), input, hash)) return unchangedOutput(target)
  const cells = viewCells(notebook.success)
  const blocks = cellBlocks(cells)
  const tokens = blocks.reduce((sum, block) => sum + ("text" in block ? estimateText(String(block.text)) : 0), 0)
  const limit = readTokens(context.env)
  if (tokens > limit) {
    return yield* refuse(
      `TooManyTokens: ${target.path} needs about ${tokens} tokens, the limit is ${limit}. Nothing was read. ` +
        "Give offset and limit to see lines of the file, or pick cells with a shell command such as jq."
    )
  }
  yield* state.record({
    path: target.path,
    content: text,
    mtimeMs: stat.mtimeMs,
    size: stat.size,
    hash,
    partial: false,
    source: "read"
  })
  const output: ToolOutput = {
    data: { type: "notebook", file: { filePath: target.path, cells } },
    content: blocks.length === 0 ? `[${target.path} is a notebook without cells.]` : blocks
  }
  return output
})
