import { Effect } from "effect"
import type { Files } from "../../../core/ports/Files.ts"
import type { ReadInput } from "../../../core/tools/files/read.ts"
import type { FileState } from "../services/file-state.ts"
import type { ToolContext, ToolExecutor } from "../contract/executor.ts"
import { fileTarget, missingFile, refuse } from "./file-target.ts"
import { readImage } from "./read-image.ts"
import { readNotebook } from "./read-notebook.ts"
import { readPdf } from "./read-pdf.ts"
import { linesWanted, scanFile, showText } from "./read-text.ts"

const run = Effect.fnUntraced(function* (input: ReadInput, context: ToolContext) {
  const target = yield* fileTarget(input.file_path, context, "Nothing was read.")
  if (!target.exists) return yield* missingFile(target, context, "Nothing was read.")
  const asLines = input.offset !== undefined || input.limit !== undefined
  if (target.path.endsWith(".ipynb") && !asLines) return yield* readNotebook(target, input, context)
  const lines = linesWanted(input, context)
  const scanned = yield* scanFile(target, lines)
  if (scanned.kind === "media") {
    return scanned.media.kind === "pdf"
      ? yield* readPdf(target, input, context)
      : yield* readImage(target, scanned.media.type)
  }
  if (scanned.kind === "binary") {
    return yield* refuse(
      `BinaryFile: ${target.path} is not text (${scanned.type}, ${scanned.scan.stat.size} bytes). Nothing was read. ` +
        "Use a shell command that understands it."
    )
  }
  if (input.pages !== undefined) {
    return yield* refuse(`InvalidPages: ${target.path} is not a PDF file. Nothing was read. Leave pages out.`)
  }
  return yield* showText(target, input, { ...scanned, maxTokens: lines.maxTokens })
})

export const readExecutor: ToolExecutor<ReadInput, Files | FileState> = { run }
