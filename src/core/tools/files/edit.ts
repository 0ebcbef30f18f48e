import { Schema } from "effect"
import { LIMITS } from "../../domain/limits.ts"
import { pathProblem, resolveFrom } from "../../domain/path/path-text.ts"
import description from "./edit.md"
import { makeTool, wholeInput } from "../contract/tool.ts"

export const EditInput = Schema.Struct({
  file_path: Schema.String.annotate({ description: "Absolute path of the file to change" }),
  old_string: Schema.String.annotate({ description: "Text to replace, exactly as it stands in the file" }),
  new_string: Schema.String.annotate({ description: "Text to put in its place; must differ from old_string" }),
  replace_all: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Replace every occurrence of old_string (default false)" })
  )
})
export type EditInput = typeof EditInput.Type

const validate = (input: EditInput): string | undefined => {
  const problem = pathProblem(input.file_path)
  if (problem !== undefined) return problem
  if (input.file_path.endsWith(".ipynb")) {
    return "WrongTool: this is a Jupyter notebook. Nothing was changed. Use NotebookEdit for its cells."
  }
  if (input.old_string === input.new_string) {
    return "NoChange: old_string and new_string are the same. Nothing was changed."
  }
  return undefined
}

export const editTool = makeTool<EditInput>({
  name: "Edit",
  description,
  input: EditInput,
  maxResultChars: 100_000,
  classifierInput: wholeInput,
  needs: (input, cwd) => [{ kind: "edit", path: resolveFrom(cwd, input.file_path) }],
  summary: (input) => input.file_path.slice(0, LIMITS.toolSummaryChars),
  validate
})
