import { Schema } from "effect"
import { LIMITS } from "../../domain/limits.ts"
import { pagesProblem } from "./pdf-pages.ts"
import { pathProblem, resolveFrom } from "../../domain/path/path-text.ts"
import description from "./read.md"
import { makeTool, READ_ONLY, wholeInput } from "../contract/tool.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

export const ReadInput = Schema.Struct({
  file_path: Schema.String.annotate({ description: "Absolute path of the file" }),
  offset: Schema.optionalKey(
    Count.annotate({ description: "First line to read, counted from 1. Leave out to start at the top" })
  ),
  limit: Schema.optionalKey(
    Count.annotate({ description: `Number of lines to read. Leave out for up to ${LIMITS.readLines}` })
  ),
  pages: Schema.optionalKey(
    Schema.String.annotate({
      description: `Pages of a PDF: "3", "1-5" or "10-". At most ${LIMITS.pdfPagesPerCall} per call`
    })
  )
})
export type ReadInput = typeof ReadInput.Type

const range = (input: ReadInput): string => {
  if (input.pages !== undefined) return ` (pages ${input.pages})`
  if (input.offset === undefined && input.limit === undefined) return ""
  const first = input.offset ?? 1
  return input.limit === undefined ? ` (from line ${first})` : ` (lines ${first}-${first + input.limit - 1})`
}

export const readTool = makeTool<ReadInput>({
  name: "Read",
  description,
  input: ReadInput,
  maxResultChars: Number.POSITIVE_INFINITY,
  traits: () => READ_ONLY,
  classifierInput: wholeInput,
  needs: (input, cwd) => [{ kind: "read", path: resolveFrom(cwd, input.file_path) }],
  summary: (input) => (input.file_path + range(input)).slice(0, LIMITS.toolSummaryChars),
  validate: (input) => pathProblem(input.file_path) ?? (input.pages === undefined ? undefined : pagesProblem(input.pages))
})
