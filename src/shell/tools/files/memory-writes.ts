import { mkdirSync } from "node:fs"
import { Clock, Effect } from "effect"
import { INDEX, INDEX_BYTES, INDEX_LINES, indexFill } from "../../../core/context/memory/memory-index.ts"
import { stampTopic } from "../../../core/context/memory/topic.ts"
import { isoFromMillis } from "../../../core/domain/time.ts"
import { redactText } from "../../../core/domain/secrets/redact.ts"
import { isInside } from "../../../core/domain/path/path-components.ts"
import { resolveFrom } from "../../../core/domain/path/path-text.ts"
import { Memory } from "../../../core/ports/Memory.ts"
import type { ToolContext, ToolExecutor, ToolOutput } from "../contract/executor.ts"

/** What the model writes into its memory: never a secret, and no index that is longer than what a conversation reads. */

const DIRECTORY_MODE = 0o700
/** From here on the model is told that the index fills. */
const NEARLY_FULL = 80
const FULL = 100
const TARGET_LINES = 140

/** The directory, if a call writes there by the name it gives or by where that leads. */
const memoryOf = (path: string, { cwd, memoryDir, pathFacts }: ToolContext): string | undefined => {
  if (memoryDir === undefined) return undefined
  const given = resolveFrom(cwd, path)
  const real = pathFacts?.find((fact) => fact.path === given)?.realPath ?? given
  return isInside(memoryDir, given) || isInside(memoryDir, real) ? memoryDir : undefined
}

const withNote = (output: ToolOutput, note: string, isError = false): ToolOutput => ({
  ...output,
  content: typeof output.content === "string" ? `${output.content}\n\n${note}` : output.content,
  ...(isError ? { isError } : {})
})

const LEFT_OUT = "What looked like a key or a password was left out: a memory never holds one."

/** What the model hears about an index that fills; it was written all the same. */
const indexNote = (text: string): { readonly words: string; readonly isError: boolean } | undefined => {
  const fill = indexFill(text)
  if (fill < NEARLY_FULL) return undefined
  const limit = `${INDEX_LINES} lines or ${INDEX_BYTES} bytes`
  return fill > FULL
    ? {
        words: `IndexTooLong: the file was written, but conversations begin with ${limit} of it and hear nothing of the rest. Rewrite it below ${TARGET_LINES} lines now: one line for each topic, details in its file.`,
        isError: true
      }
    : { words: `The index is at ${fill} % of what conversations begin with (${limit}). Shorten it soon.`, isError: false }
}

/** A tool that writes files, with what holds in the memory. `field` is where its input has the text. */
export const keepingMemory = <Field extends string, Input extends { readonly file_path: string } & Record<Field, string>, R>(
  field: Field,
  executor: ToolExecutor<Input, R>
): ToolExecutor<Input, R | Memory> => ({
  ...executor,
  run: Effect.fnUntraced(function* (input: Input, context: ToolContext) {
    const directory = memoryOf(input.file_path, context)
    if (directory === undefined) return yield* executor.run(input, context)
    const redacted = redactText(input[field], { secrets: [] })
    const isWhole = input.file_path.endsWith(INDEX) ? false : field === "content"
    const text = isWhole ? stampTopic(redacted, isoFromMillis(yield* Clock.currentTimeMillis)) : redacted
    mkdirSync(directory, { recursive: true, mode: DIRECTORY_MODE })
    const done = yield* executor.run({ ...input, [field]: text }, context)
    const output = redacted === input[field] ? done : withNote(done, LEFT_OUT)
    if (!input.file_path.endsWith(INDEX)) return output
    const index = yield* Effect.orElseSucceed((yield* Memory).at(directory).read(INDEX), () => undefined)
    const note = index === undefined ? undefined : indexNote(index.text)
    return note === undefined ? output : withNote(output, note.words, note.isError)
  })
})
