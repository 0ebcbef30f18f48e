import { Schema } from "effect"
import { LIMITS } from "../../domain/limits.ts"
import { pathProblem, resolveFrom } from "../../domain/path/path-text.ts"
import description from "./write.md"
import { makeTool, wholeInput } from "../contract/tool.ts"

export const WriteInput = Schema.Struct({
  file_path: Schema.String.annotate({ description: "Absolute path of the file to write" }),
  content: Schema.String.annotate({ description: "The whole content of the file" })
})
export type WriteInput = typeof WriteInput.Type

export const writeTool = makeTool<WriteInput>({
  name: "Write",
  description,
  input: WriteInput,
  maxResultChars: 100_000,
  classifierInput: wholeInput,
  needs: (input, cwd) => [{ kind: "edit", path: resolveFrom(cwd, input.file_path) }],
  summary: (input) => input.file_path.slice(0, LIMITS.toolSummaryChars),
  validate: (input) => pathProblem(input.file_path)
})
