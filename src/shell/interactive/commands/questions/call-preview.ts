import { Effect, Result, Schema } from "effect"
import { bodyOf, bodyToText, detectEncoding, textToBody } from "../../../../core/domain/text/encoding.ts"
import { dominantEnding, toLf, withEnding } from "../../../../core/domain/text/line-ending.ts"
import { changeNotebook } from "../../../../core/tools/files/notebook-change.ts"
import { resolveFrom } from "../../../../core/domain/path/path-text.ts"
import { findSpans, replaceSpans } from "../../../../core/tools/files/replace.ts"
import { Files } from "../../../../core/ports/Files.ts"
import { EditInput } from "../../../../core/tools/files/edit.ts"
import { NotebookEditInput } from "../../../../core/tools/files/notebook-edit.ts"
import { WriteInput } from "../../../../core/tools/files/write.ts"
import type { Cmd } from "../../../../tui/model/cmd.ts"
import type { WorkingFile } from "../../../../tui/model/msg.ts"
import type { PerformContext } from "../context/command-context.ts"

/** What an asking call would do to its file, worked out on a copy: nothing is written. */

/** Larger files are asked about without their diff. */
const MOST_BYTES = 1024 * 1024

/** A call as a change of one file: the text after it, or undefined when it would be refused. */
interface FileCall {
  readonly path: string
  readonly after: (before: Uint8Array | undefined) => string | undefined
}

const textOf = (bytes: Uint8Array): string | undefined => {
  const encoding = detectEncoding(bytes)
  const body = encoding === "binary" ? undefined : bodyOf(bytes, encoding)
  return encoding === "binary" || body === undefined ? undefined : toLf(bodyToText(body, encoding))
}

const edited = (input: EditInput, bytes: Uint8Array): string | undefined => {
  const encoding = detectEncoding(bytes)
  const body = encoding === "binary" ? undefined : bodyOf(bytes, encoding)
  if (encoding === "binary" || body === undefined) return undefined
  const sought = textToBody(toLf(input.old_string), encoding)
  const replacement = textToBody(withEnding(input.new_string, dominantEnding(body)), encoding)
  if (sought === undefined || sought.length === 0 || replacement === undefined) return undefined
  const spans = findSpans(body, sought)
  if (spans.length === 0 || (spans.length > 1 && input.replace_all !== true)) return undefined
  return toLf(bodyToText(replaceSpans(body, spans, replacement), encoding))
}

const editCall = (input: EditInput): FileCall => ({
  path: input.file_path,
  after: (before) => {
    if (before !== undefined && before.length > 0) return edited(input, before)
    return input.old_string === "" ? toLf(input.new_string) : undefined
  }
})

const writeCall = ({ file_path, content }: WriteInput): FileCall => ({ path: file_path, after: () => toLf(content) })

const notebookCall = (input: NotebookEditInput): FileCall => ({
  path: input.notebook_path,
  after: (before) => {
    const text = before === undefined ? undefined : textOf(before)
    if (text === undefined) return undefined
    const changed = changeNotebook(text, {
      mode: input.edit_mode ?? "replace",
      cellId: input.cell_id,
      source: toLf(input.new_source),
      cellType: input.cell_type,
      newId: "new"
    })
    return Result.isSuccess(changed) ? changed.success.text : undefined
  }
})

const reader =
  <Input>(schema: Schema.Codec<Input, unknown>, callOf: (input: Input) => FileCall) =>
  (input: unknown): FileCall | undefined =>
    Result.getOrUndefined(Result.map(Schema.decodeUnknownResult(schema)(input), callOf))

const READERS: ReadonlyMap<string, (input: unknown) => FileCall | undefined> = new Map([
  ["Edit", reader(EditInput, editCall)],
  ["Write", reader(WriteInput, writeCall)],
  ["NotebookEdit", reader(NotebookEditInput, notebookCall)]
])

/** Both sides of the file, if they can be shown. */
const sidesOf = Effect.fnUntraced(function* (call: FileCall, cwd: string) {
  const files = yield* Files
  const path = resolveFrom(cwd, call.path)
  const { exists } = yield* files.resolve(path)
  const bytes = exists ? (yield* files.read(path, { maxBytes: MOST_BYTES })).bytes : undefined
  const before = bytes === undefined ? undefined : textOf(bytes)
  const after = call.after(bytes)
  if (after === undefined || after.length > MOST_BYTES || (exists && before === undefined)) return undefined
  const file: WorkingFile = { path, state: exists ? "M" : "A", before, after }
  return file
})

/** The file that a call would change; undefined when that cannot be worked out. */
export const previewChange = (
  tool: string,
  input: unknown,
  cwd: string
): Effect.Effect<WorkingFile | undefined, never, Files> => {
  const call = READERS.get(tool)?.(input)
  return call === undefined ? Effect.succeed(undefined) : Effect.orElseSucceed(sidesOf(call, cwd), () => undefined)
}

/** A call that cannot be worked out is asked about with its input alone. */
export const previewCall = (context: PerformContext, cmd: Extract<Cmd, { readonly _tag: "PreviewCall" }>): void => {
  const { session, callId, tool, input } = cmd
  if (!READERS.has(tool)) return
  const cwd = context.sessions.get(session)?.state().cwd ?? context.plan.cwd
  context.attempt("the change cannot be shown", async () => {
    const file = await context.withPorts(previewChange(tool, input, cwd))
    if (file !== undefined) context.tell({ _tag: "Session", session, news: { _tag: "Previewed", callId, file } })
  })
}
